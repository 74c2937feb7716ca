// DynamicQuantizeLinear: the scale and zero point that map the input's own range, with zero in it, to 0..255; and the input mapped.

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/quantize/quantized_run.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway {
namespace {

class DynamicQuantizeLinearKernel final : public Kernel {
 public:
  explicit DynamicQuantizeLinearKernel(const KernelInfo&) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    if (x->type() != ElementType::kFloat) return fail(ErrorCode::kNotImplemented, "DynamicQuantizeLinear of {} is not covered", elementTypeName(x->type()));
    const std::span<const float> values = x->span<float>();
    float low = 0;
    float high = 0;
    for (const float value : values) {
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
    const QuantRange range = quantRange(ElementType::kUint8);
    const float scale = (high - low) / range.high;
    // A constant zero has no range; any scale maps it to the zero point.
    const float divisor = scale == 0 ? 1.0f : scale;
    const float zeroPoint = requantize(range.low - low / divisor, 0, range);
    CUTAWAY_TRY(Tensor * y, context.output(0, ElementType::kUint8, x->dims()));
    uint8_t* bytes = y->span<uint8_t>().data();
    constexpr int64_t kGrainElements = 1 << 14;
    parallelFor(x->elementCount(), kGrainElements, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) bytes[i] = static_cast<uint8_t>(static_cast<int32_t>(requantize(values[static_cast<size_t>(i)] / divisor, zeroPoint, range)));
    });
    if (context.hasOutput(1)) {
      CUTAWAY_TRY(Tensor * scaleOut, context.output(1, ElementType::kFloat, Dims{}));
      scaleOut->span<float>()[0] = scale;
    }
    if (context.hasOutput(2)) {
      CUTAWAY_TRY(Tensor * zeroPointOut, context.output(2, ElementType::kUint8, Dims{}));
      zeroPointOut->span<uint8_t>()[0] = static_cast<uint8_t>(static_cast<int32_t>(zeroPoint));
    }
    return {};
  }
};

constexpr KernelRow kRows[] = {
    {.opType = "DynamicQuantizeLinear", .versions = {11}, .create = makeKernel<DynamicQuantizeLinearKernel>},
};

}  // namespace

KernelRows kernel_dynamic_quantize_linear() { return kRows; }

}  // namespace cutaway
