// Optional, OptionalGetElement, OptionalHasElement. An empty optional is an absent value; a full one is the value
// itself.

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

const RuntimeValue* optionalInput(const KernelContext& context) {
  return context.inputCount() > 0 ? context.inputValue(0) : nullptr;
}

class OptionalKernel final : public Kernel {
 public:
  explicit OptionalKernel(const KernelInfo&) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    RuntimeValue* output = context.outputValue(0);
    if (output == nullptr) return {};
    const RuntimeValue* value = optionalInput(context);
    if (value == nullptr) {
      output->reset();
      return {};
    }
    if (value->isTensor()) return copyReshaped(context, value->tensor(), value->tensor().dims());
    *output = *value;
    return {};
  }
};

class OptionalGetElementKernel final : public Kernel {
 public:
  explicit OptionalGetElementKernel(const KernelInfo&) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    const RuntimeValue* value = optionalInput(context);
    if (value == nullptr || value->empty()) return fail(ErrorCode::kInvalidArgument, "the optional is empty");
    if (value->isTensor()) return copyReshaped(context, value->tensor(), value->tensor().dims());
    if (RuntimeValue* output = context.outputValue(0)) *output = *value;
    return {};
  }
};

class OptionalHasElementKernel final : public Kernel {
 public:
  explicit OptionalHasElementKernel(const KernelInfo&) {}

  Result<void> run(KernelContext& context) const override {
    const RuntimeValue* value = optionalInput(context);
    CUTAWAY_TRY(Tensor * output, context.output(0, ElementType::kBool, Dims{}));
    output->span<bool>()[0] = value != nullptr && !value->empty();
    return {};
  }
};

constexpr int kOnlyPresence[] = {0};
constexpr InplaceHint kView[] = {{0, 0, AliasKind::kAlias}};
constexpr KernelRow kRows[] = {
    {.opType = "Optional",
     .versions = {15},
     .inplace = kView,
     .fastPath = "copy",
     .create = makeKernel<OptionalKernel>},
    {.opType = "OptionalGetElement",
     .versions = {15},
     .inplace = kView,
     .fastPath = "copy",
     .create = makeKernel<OptionalGetElementKernel>},
    {.opType = "OptionalHasElement",
     .versions = {15},
     .hostOutputs = kOnlyPresence,
     .shapeOnlyInputs = kOnlyPresence,
     .create = makeKernel<OptionalHasElementKernel>},
};

}  // namespace

KernelRows kernel_optional() {
  return kRows;
}

}  // namespace cutaway::cpu
