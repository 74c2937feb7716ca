// DynamicQuantizeLinear: the scale and zero point that map the input's own range, with zero in it, to 0..255; and the
// input mapped.

#include "providers/cpu/kernels/quantize/dynamic_scale.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

class DynamicQuantizeLinearKernel final : public Kernel {
 public:
  explicit DynamicQuantizeLinearKernel(const KernelInfo&) {}
  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    if (x->type() != ElementType::kFloat)
      return fail(ErrorCode::kNotImplemented, "DynamicQuantizeLinear of {} is not covered", elementTypeName(x->type()));
    const float* values = x->span<float>().data();
    const cpu::DynamicScale dynamic = cpu::dynamicScale(values, x->elementCount());
    CUTAWAY_TRY(Tensor * y, context.output(0, ElementType::kUint8, x->dims()));
    uint8_t* bytes = y->span<uint8_t>().data();
    cpu::quantizeDynamic(values, x->elementCount(), dynamic, bytes);
    if (context.hasOutput(1)) {
      CUTAWAY_TRY(Tensor * scaleOut, context.output(1, ElementType::kFloat, Dims{}));
      scaleOut->span<float>()[0] = dynamic.scale;
    }
    if (context.hasOutput(2)) {
      CUTAWAY_TRY(Tensor * zeroPointOut, context.output(2, ElementType::kUint8, Dims{}));
      zeroPointOut->span<uint8_t>()[0] = dynamic.zeroPoint;
    }
    return {};
  }
};

constexpr KernelRow kRows[] = {
    {.opType = "DynamicQuantizeLinear",
     .versions = {11},
     .fastPath = "highway",
     .create = makeKernel<DynamicQuantizeLinearKernel>},
};

}  // namespace

KernelRows kernel_dynamic_quantize_linear() {
  return kRows;
}

}  // namespace cutaway::cpu
