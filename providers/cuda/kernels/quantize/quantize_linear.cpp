// QuantizeLinear and DequantizeLinear: per tensor, per axis and in blocks. Scales and zero points stay on the device.

#include "engine/operators/quantize_linear.h"

#include <optional>

#include "providers/cuda/functors/quantize_functors.h"
#include "providers/cuda/functors/word.h"
#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

std::optional<NumberKind> kindOf(ElementType type) {
  switch (type) {
    case ElementType::kFloat:
      return NumberKind::kFloat;
    case ElementType::kFloat16:
      return NumberKind::kHalf;
    case ElementType::kBfloat16:
      return NumberKind::kBrain;
    case ElementType::kInt8:
      return NumberKind::kInt8;
    case ElementType::kUint8:
      return NumberKind::kUint8;
    case ElementType::kInt16:
      return NumberKind::kInt16;
    case ElementType::kUint16:
      return NumberKind::kUint16;
    case ElementType::kInt32:
      return NumberKind::kInt32;
    case ElementType::kInt4:
      return NumberKind::kInt4;
    case ElementType::kUint4:
      return NumberKind::kUint4;
    default:
      return std::nullopt;
  }
}

bool isReal(ElementType type) {
  return type == ElementType::kFloat || type == ElementType::kFloat16 || type == ElementType::kBfloat16;
}
bool isPacked(ElementType type) {
  return type == ElementType::kInt4 || type == ElementType::kUint4;
}

const char* partName(ElementType type) {
  return isPacked(type) ? "packed" : functorType(type);
}

ScaleMap scaleMap(const operators::ScaleBlocks& blocks, int64_t count) {
  ScaleMap map{.narrow = count < kNarrowCount};
  if (blocks.block == 0) return map;
  map.length = blocks.length;
  map.inner = blocks.inner;
  map.block = blocks.block;
  if (blocks.blocked) map.blocks = blocks.blocks();
  return map;
}

class LinearKernel final : public GpuKernel {
 public:
  LinearKernel(const KernelInfo& info, ElementType result, QuotientRounding rounding, bool quantizes)
      : m_settings(operators::readQuantizeLinear(info.node())),
        m_result(result),
        m_rounding(rounding),
        m_quantizes(quantizes),
        m_functor(fmt::format("{}.{}.{}", quantizes ? "quantize" : "dequantize", partName(info.inputElement(0)),
                              partName(result))) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }
  std::string_view variant() const override { return m_functor; }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* scale, requireTensor(call, 1));
    const Tensor* zero = optionalTensor(call, 2);
    CUTAWAY_TRY(const operators::ScaleBlocks blocks,
                operators::scaleBlocks(x->dims(), scale->dims(), m_settings.axis, m_settings.blockSize));
    if (zero != nullptr) CUTAWAY_CHECK(operators::checkZeroPointCount(*zero, *scale));
    CUTAWAY_TRY(Tensor * y, call.context().output(0, m_result, x->dims()));
    if (x->elementCount() == 0) return {};
    const ElementType whole = m_quantizes ? m_result : x->type();
    QuantizeParameters parameters{.x = x->data(),
                                  .scale = scale->data(),
                                  .zero = zero == nullptr ? nullptr : zero->data(),
                                  .y = y->mutableData(),
                                  .count = x->elementCount(),
                                  .map = scaleMap(blocks, x->elementCount()),
                                  .rounding = m_rounding};
    parameters.scaleKind = kindOf(scale->type()).value_or(NumberKind::kFloat);
    parameters.zeroKind = kindOf(whole).value_or(NumberKind::kUint8);
    parameters.low = m_result == ElementType::kInt4 ? -8.0f : 0.0f;
    parameters.high = m_result == ElementType::kInt4 ? 7.0f : 15.0f;
    parameters.aligned = WordWidth().fits(x->data()).fits(y->data()).bytes() == 16;
    return call.launch(m_kernel, parameters);
  }

 private:
  operators::QuantizeLinearSettings m_settings;
  ElementType m_result;
  QuotientRounding m_rounding;
  bool m_quantizes;
  std::string m_functor;
  DeviceKernel m_kernel;
};

Result<void> checkTypes(const KernelInfo& info, ElementType real, ElementType whole) {
  if (!isReal(real) || !kindOf(whole) || isReal(whole))
    return fail(ErrorCode::kNotImplemented,
                "{} from {} to {}: floats of 32 and 16 bits and integers of 4 to 16 bits (and 32 to floats) run here",
                info.node().opType, elementTypeName(info.inputElement(0)), elementTypeName(info.outputType(0).element));
  if (!isReal(info.inputElement(1)))
    return fail(ErrorCode::kNotImplemented, "scales of type {}", elementTypeName(info.inputElement(1)));
  return {};
}

Result<std::unique_ptr<GpuKernel>> makeQuantize(const KernelInfo& info) {
  const operators::QuantizeLinearSettings settings = operators::readQuantizeLinear(info.node());
  CUTAWAY_TRY(const ElementType type, operators::quantizedType(settings, info.inputElement(2)));
  CUTAWAY_CHECK(checkTypes(info, info.inputElement(0), type));
  if (type == ElementType::kInt32) return fail(ErrorCode::kNotImplemented, "QuantizeLinear to int32");
  // The quotient has the scale's precision where the node names none.
  const ElementType takes = settings.precision == ElementType::kUndefined ? info.inputElement(1) : settings.precision;
  const QuotientRounding rounding = takes == ElementType::kFloat16    ? QuotientRounding::kHalf
                                    : takes == ElementType::kBfloat16 ? QuotientRounding::kBrain
                                                                      : QuotientRounding::kNone;
  return std::make_unique<LinearKernel>(info, type, rounding, true);
}

Result<std::unique_ptr<GpuKernel>> makeDequantize(const KernelInfo& info) {
  const ElementType named = operators::readQuantizeLinear(info.node()).outputType,
                    type = named == ElementType::kUndefined ? info.inputElement(1) : named;
  CUTAWAY_CHECK(checkTypes(info, type, info.inputElement(0)));
  if (info.hasInput(2)) CUTAWAY_CHECK(operators::checkDequantizedZeroPoint(info.inputElement(0), info.inputElement(2)));
  return std::make_unique<LinearKernel>(info, type, QuotientRounding::kNone, false);
}

}  // namespace

KernelRows kernel_quantize_linear() {
  static constexpr KernelRow rows[] = {
      {.opType = "QuantizeLinear", .versions = {10}, .fastPath = "cuda", .create = gpuKernel<makeQuantize>},
      {.opType = "DequantizeLinear", .versions = {10}, .fastPath = "cuda", .create = gpuKernel<makeDequantize>},
      {.opType = "QuantizeLinear",
       .domain = "com.microsoft",
       .versions = {1},
       .fastPath = "cuda",
       .create = gpuKernel<makeQuantize>},
      {.opType = "DequantizeLinear",
       .domain = "com.microsoft",
       .versions = {1},
       .fastPath = "cuda",
       .create = gpuKernel<makeDequantize>},
  };
  return rows;
}

}  // namespace cutaway::cuda
