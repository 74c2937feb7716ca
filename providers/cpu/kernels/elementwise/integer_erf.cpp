// Erf of integers, which versions 9 to 12 allow: the error function in double, its fraction dropped as a cast drops it.

#include <cmath>

#include "engine/base/parallel.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {
namespace {

using namespace cpu;

constexpr int64_t kGrain = 4096;
constexpr auto kIntegers = elementTypes(IntegerTypes{});
constexpr TypeRule kRules[] = {{0, kIntegers}};
constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0, .kind = AliasKind::kMayInplace}};

class IntegerErf final : public Kernel {
 public:
  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(Tensor * y, context.output(0, x.dims()));
    dispatchType(IntegerTypes{}, x.type(), [&]<typename T>(TypeTag<T>) {
      const T* from = x.span<T>().data();
      T* to = y->span<T>().data();
      parallelFor(x.elementCount(), kGrain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          to[i] = static_cast<T>(std::erf(static_cast<double>(from[i])));
      });
    });
    return {};
  }
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo&) {
  return std::make_unique<IntegerErf>();
}

}  // namespace

KernelRows kernel_integer_erf() {
  static constexpr KernelRow rows[] = {
      {.opType = "Erf", .versions = {9, 12}, .types = kRules, .inplace = kInplace, .create = create}};
  return rows;
}

}  // namespace cutaway::cpu
