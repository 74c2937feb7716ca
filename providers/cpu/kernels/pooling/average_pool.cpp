// AveragePool (all versions): with or without the padding counted.

#include "providers/cpu/kernels/pooling/average_cells.h"
#include "providers/cpu/kernels/pooling/pool_cells.h"
#include "providers/cpu/kernels/pooling/pool_rows.h"
#include "providers/cpu/kernels/pooling/prepared_pooling.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

// The library divides by the whole window when padding counts; ceil mode may let windows reach past the padding, which
// must not count.
bool libraryCounts(const Window& window, bool includePadding) {
  for (size_t axis = 0; axis < window.rank; ++axis) {
    if (includePadding && window.overhang(axis) > window.padsEnd[axis]) return false;
    if (window.dilations[axis] != 1) return false;
    // A window wholly in the padding has nothing to average.
    if (window.padsBegin[axis] >= window.kernel[axis] || window.overhang(axis) >= window.kernel[axis]) return false;
  }
  return true;
}

template <typename T>
class AveragePool final : public Kernel {
 public:
  AveragePool(WindowAttributes attributes, bool includePadding, Layout layout)
      : m_attributes(std::move(attributes)), m_includePadding(includePadding), m_layout(layout) {}
  std::string_view variant() const override {
    if (!std::is_same_v<T, float>) return "reference";
    return m_layout == Layout::kChannelsLast ? "highway" : "onednn";
  }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<PoolingState>(); }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(const Window window, placePool(m_attributes, x));
    CUTAWAY_TRY(Tensor * y, context.output(0, pooledDims(x, window).span()));
    if (y->elementCount() == 0) return {};
    if constexpr (std::is_same_v<T, float>) {
      if (m_layout == Layout::kChannelsLast) {
        averageCells(x.dims()[0], x.dims()[1], window, m_includePadding, x.span<T>().data(), y->span<T>().data());
        return {};
      }
      if (libraryCounts(window, m_includePadding)) {
        const auto kind = m_includePadding ? math::PoolingKind::kAverageIncludingPadding
                                           : math::PoolingKind::kAverageExcludingPadding;
        CUTAWAY_TRY(const bool done, runPooling(context, poolingShape(kind, x.dims(), window, m_layout), x, *y));
        if (done) return {};
      }
    }
    if (m_layout == Layout::kChannelsLast) {
      averagePoolCells<T>(x.dims()[0], x.dims()[1], window, m_includePadding, x.span<T>().data(), y->span<T>().data(),
                          meanOfCells<T>);
      return {};
    }
    if (m_layout != Layout::kPlain)
      return fail(ErrorCode::kNotImplemented, "this AveragePool does not run in a blocked layout");
    averagePoolRows<T>(x.dims()[0] * x.dims()[1], window, m_includePadding, x.span<T>().data(), y->span<T>().data());
    return {};
  }

 private:
  WindowAttributes m_attributes;
  bool m_includePadding;
  Layout m_layout;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createAveragePool(const KernelInfo& info) {
  CUTAWAY_TRY(WindowAttributes attributes, readWindowAttributes(info.node()));
  if (attributes.kernel.empty()) return fail(ErrorCode::kInvalidArgument, "AveragePool needs kernel_shape");
  return std::make_unique<AveragePool<T>>(std::move(attributes), info.attribute<int64_t>("count_include_pad", 0) != 0,
                                          info.inputType(0).layout);
}

constexpr KernelRow kRows[] = {
    {.opType = "AveragePool",
     .versions = {1},
     .types = kFloatInput,
     .fastPath = "onednn",
     .create = createAveragePool<float>},
    {.opType = "AveragePool", .versions = {1}, .types = kDoubleInput, .create = createAveragePool<double>},
    {.opType = "AveragePool",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "onednn",
     .create = createThroughFloat<createAveragePool<float>>},
};

}  // namespace

KernelRows kernel_average_pool() {
  return kRows;
}

}  // namespace cutaway::cpu
