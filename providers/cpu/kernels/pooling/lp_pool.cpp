// LpPool (all versions): the p-norm of each window.

#include "providers/cpu/kernels/pooling/pool_rows.h"
#include "providers/cpu/kernels/pooling/prepared_pooling.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

template <typename T>
class LpPool final : public Kernel {
 public:
  LpPool(WindowAttributes attributes, T p) : m_attributes(std::move(attributes)), m_p(p) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(const Window window, placePool(m_attributes, x));
    CUTAWAY_TRY(Tensor * y, context.output(0, pooledDims(x, window).span()));
    if (y->elementCount() == 0) return {};
    lpPoolRows<T>(x.dims()[0] * x.dims()[1], window, m_p, x.span<T>().data(), y->span<T>().data());
    return {};
  }

 private:
  WindowAttributes m_attributes;
  T m_p;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createLpPool(const KernelInfo& info) {
  CUTAWAY_TRY(WindowAttributes attributes, readWindowAttributes(info.node()));
  if (attributes.kernel.empty()) return fail(ErrorCode::kInvalidArgument, "LpPool needs kernel_shape");
  // A float in version 1, an integer later.
  const T p = info.node().sinceVersion == 1 ? static_cast<T>(info.attribute<float>("p", 2.0f))
                                            : static_cast<T>(info.attribute<int64_t>("p", 2));
  if (!(p > 0)) return fail(ErrorCode::kInvalidArgument, "LpPool: p is {}", p);
  return std::make_unique<LpPool<T>>(std::move(attributes), p);
}

constexpr KernelRow kRows[] = {
    {.opType = "LpPool", .versions = {1}, .types = kFloatInput, .fastPath = "threads", .create = createLpPool<float>},
    {.opType = "LpPool", .versions = {1}, .types = kDoubleInput, .fastPath = "threads", .create = createLpPool<double>},
    {.opType = "LpPool",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "threads",
     .create = createThroughFloat<createLpPool<float>>},
};

}  // namespace

KernelRows kernel_lp_pool() {
  return kRows;
}

}  // namespace cutaway::cpu
