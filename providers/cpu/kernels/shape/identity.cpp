// Identity: any value as it is. Tensors share the input's buffer where the plan says so; sequences, optionals and maps
// are shared anyway.

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class IdentityKernel final : public Kernel {
 public:
  explicit IdentityKernel(const KernelInfo&) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    const RuntimeValue* value = context.inputValue(0);
    if (value != nullptr && value->isTensor()) return copyReshaped(context, value->tensor(), value->tensor().dims());
    RuntimeValue* output = context.outputValue(0);
    if (output == nullptr) return {};
    if (value == nullptr) {
      output->reset();
    } else {
      *output = *value;
    }
    return {};
  }
};

constexpr InplaceHint kView[] = {{0, 0, AliasKind::kAlias}};
constexpr KernelRow kRows[] = {
    {.opType = "Identity", .versions = {1}, .inplace = kView, .fastPath = "copy", .create = makeKernel<IdentityKernel>},
};

}  // namespace

KernelRows kernel_identity() {
  return kRows;
}

}  // namespace cutaway::cpu
