// GlobalAveragePool, GlobalMaxPool, GlobalLpPool: one value for each plane. The first two also read blocked layouts
// (their output is the same in both, as it has one cell a plane).

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/base/parallel.h"
#include "engine/math/exact_maximum.h"
#include "engine/math/memory_layout.h"
#include "providers/cpu/kernels/spatial_window.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

enum class GlobalKind { kAverage, kMax, kLp };
constexpr int64_t kLanes = 16;
constexpr int64_t kSubtotal = 16, kWidth = 64;  // cells and channels that are summed together

// Folds `cells` x `block` numbers, cell by cell, into `block` results. A plain plane (block 1) is folded in lanes, so
// that the loop vectorises in a fixed order.
template <typename T, typename Fold>
void foldPlane(const T* source, int64_t cells, int64_t block, T start, Fold fold, T* result) {
  std::array<T, kLanes> lanes;
  lanes.fill(start);
  const int64_t width = block == 1 ? kLanes : block;
  const int64_t count = cells * block, whole = count / width * width;
  for (int64_t at = 0; at < whole; at += width) {
    for (int64_t lane = 0; lane < width; ++lane)
      lanes[lane] = fold(lanes[lane], source[at + lane]);
  }
  for (int64_t at = whole; at < count; ++at)
    lanes[at - whole] = fold(lanes[at - whole], source[at]);
  if (block == 1) {
    T total = lanes[0];
    for (int64_t lane = 1; lane < kLanes; ++lane)
      total = fold(total, lanes[lane]);
    lanes[0] = total;
  }
  std::copy_n(lanes.begin(), block, result);
}

template <typename T>
class GlobalPool final : public Kernel {
 public:
  GlobalPool(GlobalKind kind, T p, Layout layout)
      : m_kind(kind), m_p(p), m_block(math::channelBlock(layout)), m_channelsLast(layout == Layout::kChannelsLast) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const std::span<const int64_t> dims = x.dims();
    if (dims.size() < 2 || dims.size() > kMaxWindowRank + 2)
      return fail(ErrorCode::kInvalidArgument, "global pooling of {}", dimsToText(dims));
    std::array<int64_t, kMaxWindowRank + 2> pooled{};
    pooled.fill(1);
    std::copy_n(dims.begin(), 2, pooled.begin());
    CUTAWAY_TRY(Tensor * y, context.output(0, std::span<const int64_t>(pooled.data(), dims.size())));
    if (y->elementCount() == 0) return {};
    if (dims[1] % m_block != 0)
      return fail(ErrorCode::kNotImplemented, "{} channels in blocks of {}", dims[1], m_block);
    const int64_t cells = elementCount(dims.subspan(2));
    const T* source = x.span<T>().data();
    T* target = y->span<T>().data();
    if (m_channelsLast) {
      if (m_kind == GlobalKind::kAverage && cells >= 2 * kSubtotal && currentThreads() > 1)
        return averageCells(context, source, {dims[0], dims[1], cells}, target);
      poolCells(source, {dims[0], dims[1], cells}, target);
      return {};
    }
    // A range below some ten thousand elements is done before another thread has woken.
    const int64_t grain = std::max<int64_t>(4, (int64_t{1} << 14) / std::max<int64_t>(1, cells * m_block));
    parallelFor(dims[0] * dims[1] / m_block, grain, [&](int64_t begin, int64_t end) {
      for (int64_t plane = begin; plane < end; ++plane)
        pool(source + plane * cells * m_block, cells, target + plane * m_block);
    });
    return {};
  }

 private:
  void pool(const T* source, int64_t cells, T* target) const {
    switch (m_kind) {
      case GlobalKind::kAverage:
        foldPlane(source, cells, m_block, T(0), [](T sum, T value) { return sum + value; }, target);
        for (int64_t i = 0; i < m_block; ++i)
          target[i] /= static_cast<T>(cells);
        break;
      case GlobalKind::kMax:
        foldPlane(
            source, cells, m_block, math::kLowestMaximum<T>,
            [](T best, T value) { return math::isNewMaximum(value, best) ? value : best; }, target);
        break;
      case GlobalKind::kLp: {
        T sum = 0;
        for (int64_t i = 0; i < cells; ++i)
          sum += std::pow(std::abs(source[i]), m_p);
        *target = std::pow(sum, T(1) / m_p);
        break;
      }
    }
  }

  struct Images {
    int64_t count, channels, cells;
  };

  // Channels last: cell after cell is folded into the results. Sums are of kSubtotal cells each first, so that large
  // planes lose no more than small ones.
  void poolCells(const T* x, const Images& of, T* y) const {
    const auto [images, channels, cells] = of;
    const int64_t columns = (channels + kWidth - 1) / kWidth;
    const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 14) / std::max<int64_t>(1, cells * kWidth));
    parallelFor(images * columns, grain, [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part) {
        const int64_t first = part % columns * kWidth, width = std::min(kWidth, channels - first);
        const T* source = x + part / columns * cells * channels + first;
        T* target = y + part / columns * channels + first;
        std::fill_n(target, width, m_kind == GlobalKind::kMax ? math::kLowestMaximum<T> : T(0));
        for (int64_t cell = 0; cell < cells; cell += kSubtotal)
          foldCells(source + cell * channels, std::min(kSubtotal, cells - cell), channels, width, target);
        if (m_kind != GlobalKind::kAverage) continue;
        for (int64_t i = 0; i < width; ++i)
          target[i] /= static_cast<T>(cells);
      }
    });
  }

  // The same sums in the same order, with the cells shared by the threads: each finds in its core's cache what it wrote
  // there when the operator before shared them alike.
  Result<void> averageCells(KernelContext& context, const T* x, const Images& of, T* y) const {
    const auto [images, channels, cells] = of;
    const int64_t blocks = (cells + kSubtotal - 1) / kSubtotal;
    CUTAWAY_TRY(const std::span<std::byte> scratch,
                context.scratch(static_cast<size_t>(images * blocks * channels) * sizeof(T)));
    T* const subtotals = reinterpret_cast<T*>(scratch.data());
    const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 14) / (kSubtotal * channels));
    parallelFor(images * blocks, grain, [&](int64_t begin, int64_t end) {
      for (int64_t block = begin; block < end; ++block) {
        const int64_t cell = block % blocks * kSubtotal, count = std::min(kSubtotal, cells - cell);
        const T* source = x + (block / blocks * cells + cell) * channels;
        T* target = subtotals + block * channels;
        std::fill_n(target, channels, T(0));
        for (int64_t first = 0; first < channels; first += kWidth)
          foldCells(source + first, count, channels, std::min(kWidth, channels - first), target + first);
      }
    });
    for (int64_t image = 0; image < images; ++image) {
      T* target = y + image * channels;
      std::fill_n(target, channels, T(0));
      const T* subtotal = subtotals + image * blocks * channels;
      for (int64_t block = 0; block < blocks; ++block, subtotal += channels) {
        for (int64_t i = 0; i < channels; ++i)
          target[i] += subtotal[i];
      }
      for (int64_t i = 0; i < channels; ++i)
        target[i] /= static_cast<T>(cells);
    }
    return {};
  }

  void foldCells(const T* source, int64_t cells, int64_t step, int64_t width, T* target) const {
    if (m_kind == GlobalKind::kMax) {
      for (int64_t cell = 0; cell < cells; ++cell, source += step) {
        for (int64_t i = 0; i < width; ++i)
          target[i] = math::isNewMaximum(source[i], target[i]) ? source[i] : target[i];
      }
      return;
    }
    std::array<T, kWidth> sums{};
    for (int64_t cell = 0; cell < cells; ++cell, source += step) {
      for (int64_t i = 0; i < width; ++i)
        sums[static_cast<size_t>(i)] += source[i];
    }
    for (int64_t i = 0; i < width; ++i)
      target[i] += sums[static_cast<size_t>(i)];
  }

  GlobalKind m_kind;
  T m_p;
  int64_t m_block;
  bool m_channelsLast;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createGlobalPool(const KernelInfo& info) {
  const std::string& name = info.node().opType;
  const GlobalKind kind = name == "GlobalAveragePool" ? GlobalKind::kAverage
                          : name == "GlobalMaxPool"   ? GlobalKind::kMax
                                                      : GlobalKind::kLp;
  const T p = info.node().sinceVersion == 1 ? static_cast<T>(info.attribute<float>("p", 2.0f))
                                            : static_cast<T>(info.attribute<int64_t>("p", 2));
  if (!(p > 0)) return fail(ErrorCode::kInvalidArgument, "GlobalLpPool: p is {}", p);
  const Layout layout = info.inputType(0).layout;
  if (kind == GlobalKind::kLp && layout != Layout::kPlain)
    return fail(ErrorCode::kNotImplemented, "GlobalLpPool does not run in a blocked layout");
  return std::make_unique<GlobalPool<T>>(kind, p, layout);
}

constexpr KernelRow kRows[] = {
    {.opType = "GlobalAveragePool",
     .versions = {1},
     .types = kFloatInput,
     .fastPath = "threads",
     .create = createGlobalPool<float>},
    {.opType = "GlobalAveragePool",
     .versions = {1},
     .types = kDoubleInput,
     .fastPath = "threads",
     .create = createGlobalPool<double>},
    {.opType = "GlobalAveragePool",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "threads",
     .create = createThroughFloat<createGlobalPool<float>>},
    {.opType = "GlobalMaxPool",
     .versions = {1},
     .types = kFloatInput,
     .fastPath = "threads",
     .create = createGlobalPool<float>},
    {.opType = "GlobalMaxPool",
     .versions = {1},
     .types = kDoubleInput,
     .fastPath = "threads",
     .create = createGlobalPool<double>},
    {.opType = "GlobalMaxPool",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "threads",
     .create = createThroughFloat<createGlobalPool<float>>},
    {.opType = "GlobalLpPool",
     .versions = {1},
     .types = kFloatInput,
     .fastPath = "threads",
     .create = createGlobalPool<float>},
    {.opType = "GlobalLpPool",
     .versions = {1},
     .types = kDoubleInput,
     .fastPath = "threads",
     .create = createGlobalPool<double>},
    {.opType = "GlobalLpPool",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "threads",
     .create = createThroughFloat<createGlobalPool<float>>},
};

}  // namespace

KernelRows kernel_global_pool() {
  return kRows;
}

}  // namespace cutaway::cpu
