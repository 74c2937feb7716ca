// Operators over 8-bit tensors with scales and zero points: products, convolution, attention, arithmetic, pooling and
// lookups.

#include <algorithm>

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

using Shape = onnx::TensorShapeProto;

bool hasShape(onnx::InferenceContext& context, size_t input) {
  return known(context, input) && onnx::hasInputShape(context, input);
}

void setType(onnx::InferenceContext& context, int type) {
  onnx::updateOutputElemType(context, 0, type);
}
void setShape(onnx::InferenceContext& context, const Shape& shape) {
  *context.getOutputType(0)->mutable_tensor_type()->mutable_shape() = shape;
}
void typeLike(onnx::InferenceContext& context, size_t input) {
  if (known(context, input)) onnx::propagateElemTypeFromInputToOutput(context, input, 0);
}
// The type of a zero point where it is given, else of another input.
void typeLikeEither(onnx::InferenceContext& context, size_t zeroPoint, size_t otherwise) {
  typeLike(context, known(context, zeroPoint) ? zeroPoint : otherwise);
}

// numpy's matmul of two inputs.
void productShape(onnx::InferenceContext& context, size_t left, size_t right) {
  if (!hasShape(context, left) || !hasShape(context, right)) return;
  const Shape& a = onnx::getInputShape(context, left);
  const Shape& b = onnx::getInputShape(context, right);
  if (a.dim_size() < 1 || b.dim_size() < 1) return;
  Shape aBatch = a, bBatch = b, result;
  aBatch.mutable_dim()->DeleteSubrange(std::max(0, a.dim_size() - 2), std::min(2, a.dim_size()));
  bBatch.mutable_dim()->DeleteSubrange(std::max(0, b.dim_size() - 2), std::min(2, b.dim_size()));
  onnx::bidirectionalBroadcastShapeInference(aBatch, bBatch, result);
  if (a.dim_size() > 1) *result.add_dim() = a.dim(a.dim_size() - 2);
  if (b.dim_size() > 1) *result.add_dim() = b.dim(b.dim_size() - 1);
  setShape(context, result);
}

void floatProduct(onnx::InferenceContext& context) {
  typeLike(context, 2);  // of a scale
  productShape(context, 0, 1);
}

void shortProduct(onnx::InferenceContext& context) {
  if (!known(context, 0) || !known(context, 1)) return;
  const bool isSigned = context.getInputType(0)->tensor_type().elem_type() == onnx::TensorProto::INT16 ||
                        context.getInputType(1)->tensor_type().elem_type() == onnx::TensorProto::INT16;
  setType(context, isSigned ? onnx::TensorProto::INT32 : onnx::TensorProto::UINT32);
  productShape(context, 0, 1);
}

void quantizedGemm(onnx::InferenceContext& context) {
  if (known(context, 8))
    typeLike(context, 8);
  else
    setType(context, onnx::TensorProto::FLOAT);
  if (!hasShape(context, 0) || !hasShape(context, 3)) return;
  const Shape& a = onnx::getInputShape(context, 0);
  const Shape& b = onnx::getInputShape(context, 3);
  if (a.dim_size() != 2 || b.dim_size() != 2) return;
  Shape result;
  *result.add_dim() = a.dim(integerAttribute(context, "transA") != 0 ? 1 : 0);
  *result.add_dim() = b.dim(integerAttribute(context, "transB") != 0 ? 0 : 1);
  setShape(context, result);
}

// input [batch, length, in], weights [in, 3 * hidden], past [2, batch, heads, past length, size].
void quantizedAttention(onnx::InferenceContext& context) {
  typeLike(context, 2);  // of the bias
  if (context.getNumOutputs() > 1) onnx::updateOutputElemType(context, 1, onnx::TensorProto::FLOAT);
  if (!hasShape(context, 0) || !hasShape(context, 1)) return;
  const Shape& input = onnx::getInputShape(context, 0);
  const Shape& weights = onnx::getInputShape(context, 1);
  if (input.dim_size() != 3 || weights.dim_size() != 2) return;
  Shape result = input;
  result.mutable_dim(2)->Clear();
  if (weights.dim(1).has_dim_value()) result.mutable_dim(2)->set_dim_value(weights.dim(1).dim_value() / 3);
  setShape(context, result);
}

void binary(onnx::InferenceContext& context) {
  typeLike(context, 0);
  if (!hasShape(context, 0) || !hasShape(context, 3)) return;
  Shape result;
  onnx::bidirectionalBroadcastShapeInference(onnx::getInputShape(context, 0), onnx::getInputShape(context, 3), result);
  setShape(context, result);
}

void select(onnx::InferenceContext& context) {
  typeLike(context, 1);
  if (!hasShape(context, 0) || !hasShape(context, 1) || !hasShape(context, 4)) return;
  Shape values, result;
  onnx::bidirectionalBroadcastShapeInference(onnx::getInputShape(context, 1), onnx::getInputShape(context, 4), values);
  onnx::bidirectionalBroadcastShapeInference(onnx::getInputShape(context, 0), values, result);
  setShape(context, result);
}

// Inputs: scale, zero point, then (x, scale, zero point) for each tensor.
void concat(onnx::InferenceContext& context) {
  typeLike(context, 1);
  if (!hasShape(context, 2)) return;
  Shape result = onnx::getInputShape(context, 2);
  int64_t axis = integerAttribute(context, "axis");
  if (axis < 0) axis += result.dim_size();
  if (axis < 0 || axis >= result.dim_size()) return;
  std::optional<int64_t> length = 0;
  for (size_t i = 2; i < context.getNumInputs(); i += 3) {
    if (!hasShape(context, i) || onnx::getInputShape(context, i).dim_size() != result.dim_size()) return;
    const auto& dim = onnx::getInputShape(context, i).dim(static_cast<int>(axis));
    length = dim.has_dim_value() && length ? sumOf({*length, dim.dim_value()}) : std::nullopt;
  }
  setSize(*result.mutable_dim(static_cast<int>(axis)), length);
  setShape(context, result);
}

std::vector<int64_t> integers(onnx::InferenceContext& context, const char* name) {
  const auto* attribute = context.getAttribute(name);
  return attribute == nullptr ? std::vector<int64_t>{}
                              : std::vector<int64_t>(attribute->ints().begin(), attribute->ints().end());
}

// The size along one axis after a window has slid over it; nullopt: unknown.
std::optional<int64_t> slid(onnx::InferenceContext& context, int64_t input, int64_t kernel, size_t axis, size_t rank) {
  const auto at = [&](const char* name, int64_t otherwise, size_t place) {
    const auto values = integers(context, name);
    return values.size() > place ? values[place] : otherwise;
  };
  const int64_t stride = at("strides", 1, axis);
  if (stride < 1 || kernel < 1 || input < 0) return std::nullopt;
  const auto* attribute = context.getAttribute("auto_pad");
  const std::string mode = attribute == nullptr ? "NOTSET" : attribute->s();
  if (mode.starts_with("SAME")) return input / stride + (input % stride != 0 ? 1 : 0);
  // Rounding up depends on where the last window starts.
  if (integerAttribute(context, "ceil_mode") != 0) return std::nullopt;
  const bool isValid = mode == "VALID";
  const auto padded = sumOf({input, isValid ? 0 : at("pads", 0, axis), isValid ? 0 : at("pads", 0, axis + rank)});
  const auto reach = productOf(kernel - 1, at("dilations", 1, axis));  // to the window's last element
  if (!padded || !reach || *reach < 0 || *padded <= *reach) return std::nullopt;
  return (*padded - 1 - *reach) / stride + 1;
}

// [batch, channels, spatial...] or channels last; channels nullptr: those of the input.
void windowShape(onnx::InferenceContext& context, const std::vector<int64_t>& kernel,
                 const Shape::Dimension* channels) {
  Shape shape = onnx::getInputShape(context, 0);
  const int rank = shape.dim_size() - 2;
  if (rank < 1 || kernel.size() != static_cast<size_t>(rank)) return;
  const bool last = integerAttribute(context, "channels_last") != 0;
  if (channels != nullptr) *shape.mutable_dim(last ? rank + 1 : 1) = *channels;
  for (int axis = 0; axis < rank; ++axis) {
    auto* dim = shape.mutable_dim(axis + (last ? 1 : 2));
    if (!dim->has_dim_value()) {
      dim->Clear();
      continue;
    }
    setSize(*dim, slid(context, dim->dim_value(), kernel[static_cast<size_t>(axis)], static_cast<size_t>(axis),
                       static_cast<size_t>(rank)));
  }
  setShape(context, shape);
}

void convolution(onnx::InferenceContext& context) {
  typeLikeEither(context, 7, 0);
  if (!hasShape(context, 0) || !hasShape(context, 3)) return;
  const Shape& weights = onnx::getInputShape(context, 3);
  std::vector<int64_t> kernel;
  for (int i = 2; i < weights.dim_size(); ++i) {
    if (!weights.dim(i).has_dim_value()) return;
    kernel.push_back(weights.dim(i).dim_value());
  }
  if (!kernel.empty()) windowShape(context, kernel, &weights.dim(0));
}

void averagePool(onnx::InferenceContext& context) {
  typeLike(context, 0);
  if (hasShape(context, 0)) windowShape(context, integers(context, "kernel_shape"), nullptr);
}

void globalAveragePool(onnx::InferenceContext& context) {
  typeLike(context, 0);
  if (!hasShape(context, 0)) return;
  Shape shape = onnx::getInputShape(context, 0);
  const int first = integerAttribute(context, "channels_last") != 0 ? 1 : 2;
  for (int axis = first; axis < first + shape.dim_size() - 2; ++axis)
    shape.mutable_dim(axis)->set_dim_value(1);
  setShape(context, shape);
}

void reduceMean(onnx::InferenceContext& context) {
  typeLike(context, 0);
  if (!hasShape(context, 0)) return;
  const Shape& from = onnx::getInputShape(context, 0);
  const std::vector<int64_t> axes = integers(context, "axes");
  Shape shape;
  for (int axis = 0; axis < from.dim_size(); ++axis) {
    const bool reduced = axes.empty() || std::ranges::any_of(axes, [&](int64_t each) {
                           return each == axis || each + from.dim_size() == axis;
                         });
    if (!reduced)
      *shape.add_dim() = from.dim(axis);
    else if (integerAttribute(context, "keepdims", 1) != 0)
      shape.add_dim()->set_dim_value(1);
  }
  setShape(context, shape);
}

void quantize(onnx::InferenceContext& context) {
  if (known(context, 2))
    typeLike(context, 2);
  else
    setType(context, onnx::TensorProto::UINT8);
  if (hasShape(context, 0)) onnx::propagateShapeFromInputToOutput(context, 0, 0);
}

void dequantize(onnx::InferenceContext& context) {
  typeLike(context, 1);
  if (hasShape(context, 0)) onnx::propagateShapeFromInputToOutput(context, 0, 0);
}

constexpr auto kInt = AttributeKind::kInt;
constexpr auto kInts = AttributeKind::kInts;

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
      {"DynamicQuantizeMatMul", kMicrosoft, "A:T, B:Q, b_scale:T, b_zero_point?:Q, bias?:T -> Y:T", floatProduct, {}},
      {"MatMulIntegerToFloat",
       kMicrosoft,
       "A:Q, B:A, a_scale:T, b_scale:T, a_zero_point?:Q, b_zero_point?:A, bias?:T -> Y:T",
       floatProduct,
       {}},
      {"MatMulInteger16", kMicrosoft, "A:A, B:B -> Y:U", shortProduct, {}},
      {"QGemm",
       kMicrosoft,
       "A:Q, a_scale:T, a_zero_point:Q, B:A, b_scale:T, b_zero_point:A, C?:tensor(int32), y_scale?:T, y_zero_point?:B "
       "-> Y:U",
       quantizedGemm,
       {{"alpha", AttributeKind::kFloat}, {"transA", kInt}, {"transB", kInt}}},
      {"QAttention",
       kMicrosoft,
       "input:Q, weight:A, bias:T, input_scale:T, weight_scale:T, mask_index?:tensor(int32), input_zero_point?:Q, "
       "weight_zero_point?:A, past?:T -> output:T, present?:T",
       quantizedAttention,
       {{"num_heads", kInt, true},
        {"unidirectional", kInt},
        {"do_rotary", kInt},
        {"past_present_share_buffer", kInt},
        {"mask_filter_value", AttributeKind::kFloat},
        {"scale", AttributeKind::kFloat}}},
      {"QLinearAdd",
       kMicrosoft,
       "A:Q, A_scale:T, A_zero_point?:Q, B:Q, B_scale:T, B_zero_point?:Q, C_scale:T, C_zero_point?:Q -> C:Q",
       binary,
       {}},
      {"QLinearMul",
       kMicrosoft,
       "A:Q, A_scale:T, A_zero_point?:Q, B:Q, B_scale:T, B_zero_point?:Q, C_scale:T, C_zero_point?:Q -> C:Q",
       binary,
       {}},
      {"QLinearSigmoid",
       kMicrosoft,
       "X:Q, X_scale:T, X_zero_point?:Q, Y_scale:T, Y_zero_point?:Q -> Y:Q",
       likeFirst,
       {}},
      {"QLinearLeakyRelu",
       kMicrosoft,
       "X:Q, X_scale:T, X_zero_point?:Q, Y_scale:T, Y_zero_point?:Q -> Y:Q",
       likeFirst,
       {{"alpha", AttributeKind::kFloat}}},
      {"QLinearSoftmax",
       kMicrosoft,
       "X:Q, X_scale:T, x_zero_point?:Q, y_scale:T, y_zero_point:Q -> Y:Q",
       likeFirst,
       {{"axis", kInt}, {"opset", kInt, true}}},
      {"QLinearWhere",
       kMicrosoft,
       "condition:tensor(bool), X:Q, x_scale:T, x_zero_point:Q, Y:Q, y_scale:T, y_zero_point:Q, z_scale:T, "
       "z_zero_point:Q -> Z:Q",
       select,
       {}},
      {"QLinearConcat", kMicrosoft, "Y_scale:T, Y_zero_point:Q, inputs*:A -> Y:Q", concat, {{"axis", kInt, true}}},
      {"QLinearAveragePool",
       kMicrosoft,
       "X:Q, x_scale:T, x_zero_point?:Q, y_scale:T, y_zero_point?:Q -> Y:Q",
       averagePool,
       {{"auto_pad", AttributeKind::kString},
        {"ceil_mode", kInt},
        {"channels_last", kInt},
        {"count_include_pad", kInt},
        {"kernel_shape", kInts, true},
        {"pads", kInts},
        {"strides", kInts}}},
      {"QLinearGlobalAveragePool",
       kMicrosoft,
       "X:Q, x_scale:T, x_zero_point?:Q, y_scale:T, y_zero_point?:Q -> Y:Q",
       globalAveragePool,
       {{"channels_last", kInt}}},
      {"QLinearReduceMean",
       kMicrosoft,
       "data:Q, data_scale:T, data_zero_point?:Q, reduced_scale:T, reduced_zero_point?:Q -> reduced:Q",
       reduceMean,
       {{"axes", kInts}, {"keepdims", kInt}}},
      {"QLinearConv",
       kMicrosoft,
       "x:Q, x_scale:T, x_zero_point?:Q, w:A, w_scale:T, w_zero_point?:A, y_scale:T, y_zero_point?:B, B?:tensor(int32) "
       "-> y:B",
       convolution,
       {{"auto_pad", AttributeKind::kString},
        {"channels_last", kInt},
        {"dilations", kInts},
        {"group", kInt},
        {"kernel_shape", kInts},
        {"pads", kInts},
        {"strides", kInts}}},
      {"QuantizeLinear",
       kMicrosoft,
       "x:A, y_scale:T, y_zero_point?:B -> y:B",
       quantize,
       {{"axis", kInt}, {"block_size", kInt}}},
      {"DequantizeLinear",
       kMicrosoft,
       "x:A, x_scale:T, x_zero_point?:A -> y:T",
       dequantize,
       {{"axis", kInt}, {"block_size", kInt}}},
  };
  return rows;
}

}  // namespace

OwnOperators own_quantized() {
  return table();
}

}  // namespace cutaway::own
