// QuantizeLinear and DequantizeLinear as parts of Q/DQ units.
#include "providers/onednn/operators/quantize.h"

#include <algorithm>

#include "providers/onednn/operator_table.h"

namespace cutaway::onednn {

namespace {

// Zero points of all channels when they are one number; none: they differ or are of another type.
std::optional<int32_t> oneZeroPoint(const Tensor* tensor) {
  if (tensor == nullptr) return 0;
  const auto same = [&](auto span) -> std::optional<int32_t> {
    if (span.empty() || std::any_of(span.begin(), span.end(), [&](auto number) { return number != span[0]; }))
      return std::nullopt;
    return static_cast<int32_t>(span[0]);
  };
  if (tensor->type() == ElementType::kUint8) return same(tensor->span<uint8_t>());
  if (tensor->type() == ElementType::kInt8) return same(tensor->span<int8_t>());
  if (tensor->type() == ElementType::kInt32) return same(tensor->span<int32_t>());
  return std::nullopt;
}

const Tensor* zeroPointOf(const PlanBuilder& builder, const Node& node) {
  return node.inputs.size() > 2 ? builder.constant(node.inputs[2]) : nullptr;
}

Result<void> lowerDequantize(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  const Tensor* scales = builder.constant(node.inputs[1]);
  const std::vector<int64_t> dims = builder.dims(node.inputs[0]);
  const auto zeroPoint = oneZeroPoint(zeroPointOf(builder, node));
  if (scales == nullptr || scales->type() != ElementType::kFloat || !zeroPoint)
    return fail(ErrorCode::kNotImplemented, "the scale must be constant, and one zero point serve all channels");
  Quantized quantized{
      builder.stored(node.inputs[0]), {scales->span<float>().begin(), scales->span<float>().end()}, 0, *zeroPoint};
  int64_t axis = node.attributeOr<int64_t>("axis", 1);
  if (axis < 0) axis += static_cast<int64_t>(dims.size());
  quantized.axis = static_cast<size_t>(axis);
  if (quantized.scales.size() > 1 && (axis < 0 || quantized.axis >= dims.size() ||
                                      dims[quantized.axis] != static_cast<int64_t>(quantized.scales.size())))
    return fail(ErrorCode::kInvalidGraph, "DequantizeLinear: the scales do not fit axis {}", axis);
  if (quantized.scales.size() > 1 && !builder.isConstant(node.inputs[0]))
    return fail(ErrorCode::kNotImplemented, "scales per channel are for constants");
  builder.defineQuantized(node.outputs[0], dims, std::move(quantized));
  return {};
}

Result<void> lowerQuantize(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  const auto target = quantizationOf(builder, node);
  if (!target) return fail(ErrorCode::kNotImplemented, "one constant scale and zero point must serve the whole tensor");
  Result<Stored> made;
  CUTAWAY_CHECK(attempt("quantization", [&] {
    made = builder.converted(builder.stored(node.inputs[0]), target->type, 1.0f / target->scale, 0, target->zeroPoint);
  }));
  if (!made) return fail(made.error());
  builder.define(node.outputs[0], builder.dims(node.inputs[0]), *made);
  return {};
}

std::optional<Objection> checkScale(const KernelInfo& info) {
  const std::string& op = info.node().opType;
  const Tensor* scale = info.constantInput(1);
  const bool constantData = info.constantInput(0) != nullptr;
  if (scale->type() != ElementType::kFloat)
    return Objection{RefusalCause::kType, "scales are floats", op + ".inputs[1]",
                     std::string(elementTypeName(scale->type())), "float"};
  if (scale->elementCount() != 1 && !constantData)
    return Objection{RefusalCause::kInput, "scales per channel are for constants only", op + ".inputs[1]",
                     fmt::format("{} scales", scale->elementCount()), "one scale for the tensor"};
  if (scale->elementCount() == 0 || info.attribute<int64_t>("block_size", 0) != 0)
    return Objection{RefusalCause::kAttribute, "blocks with scales of their own are not compiled",
                     op + ".attributes.block_size",
                     fmt::format("block_size = {}", info.attribute<int64_t>("block_size", 0)), "block_size = 0"};
  if (info.hasInput(2) && !oneZeroPoint(info.constantInput(2)))
    return Objection{RefusalCause::kInput, "one zero point serves the whole tensor", op + ".inputs[2]",
                     "differing zero points, or another type", "one 8-bit zero point"};
  const ElementType output = info.outputType(0).element;
  if (op == "QuantizeLinear" && output != ElementType::kUint8 && output != ElementType::kInt8)
    return Objection{RefusalCause::kType, "values are quantised to bytes", op + ".types",
                     std::string(elementTypeName(output)), "uint8 or int8"};
  return std::nullopt;
}

constexpr ElementType kIntegers[] = {ElementType::kUint8, ElementType::kInt8, ElementType::kInt32};
constexpr int kParameters[] = {1, 2};
constexpr OperatorRow kRows[] = {
    {.opType = "DequantizeLinear",
     .types = kIntegers,
     .constantInputs = kParameters,
     .check = checkScale,
     .lower = lowerDequantize},
    {.opType = "QuantizeLinear", .constantInputs = kParameters, .check = checkScale, .lower = lowerQuantize},
};

}  // namespace

std::optional<QuantizationOf> quantizationOf(const PlanBuilder& builder, const Node& node) {
  const Tensor *scale = builder.constant(node.inputs[1]), *zero = zeroPointOf(builder, node);
  const auto zeroPoint = oneZeroPoint(zero);
  if (scale == nullptr || scale->type() != ElementType::kFloat || scale->elementCount() != 1 || !zeroPoint ||
      scale->span<float>()[0] <= 0)
    return std::nullopt;
  const ElementType element = zero != nullptr ? zero->type() : builder.graph().value(node.outputs[0]).type.element;
  if (element != ElementType::kUint8 && element != ElementType::kInt8) return std::nullopt;
  return QuantizationOf{scale->span<float>()[0], *zeroPoint,
                        element == ElementType::kUint8 ? DataType::u8 : DataType::s8};
}

OperatorRows operators_quantize() {
  return kRows;
}

}  // namespace cutaway::onednn
