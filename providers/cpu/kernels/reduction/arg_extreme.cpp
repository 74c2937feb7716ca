// ArgMax and ArgMin: the position of the largest or smallest element along one axis. A NaN is both; the first (or last)
// one wins.

#include <algorithm>
#include <limits>

#include "engine/base/parallel.h"
#include "engine/operators/reduction.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/reduction/reduction_loops.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr auto kTypes = elementTypes(NumericTypes{});
constexpr TypeRule kRules[] = {{0, kTypes}};

// Does `candidate` take the place of `best`, which stands before it?
template <bool largest, typename T>
bool beats(T candidate, T best, bool selectLast) {
  // Without branches: places are worked on side by side.
  bool wins = (largest ? candidate > best : candidate < best) | (selectLast & (candidate == best));
  if constexpr (std::is_floating_point_v<T>) wins |= (candidate != candidate) & ((best == best) | selectLast);
  return wins;
}

// Neighbouring places together, in memory order: extremes along an axis that is not the last.
constexpr int64_t kBlock = 256;

template <bool largest, typename T>
void findBlock(const T* data, int64_t extent, int64_t inner, int64_t count, bool selectLast, int64_t* y) {
  // Positions as wide as the elements, so that both fit the same vectors.
  using Number = decltype(widen(*data));
  using Position = std::conditional_t<sizeof(Number) == 8, int64_t, int32_t>;
  Number best[kBlock];
  Position positions[kBlock] = {};
  for (int64_t j = 0; j < count; ++j)
    best[j] = widen(data[j]);
  for (int64_t i = 1; i < extent; ++i) {
    const T* row = data + i * inner;
    if constexpr (std::is_same_v<T, float>) {
      vectorArgRow(largest, row, best, positions, static_cast<int32_t>(i), count, selectLast);
      continue;
    }
    for (int64_t j = 0; j < count; ++j) {
      const auto candidate = widen(row[j]);
      const bool wins = beats<largest>(candidate, best[j], selectLast);
      best[j] = wins ? candidate : best[j];
      positions[j] = wins ? static_cast<Position>(i) : positions[j];
    }
  }
  std::copy_n(positions, count, y);
}

template <bool largest, typename T>
void findPositions(const Tensor& x, int64_t extent, int64_t inner, bool selectLast, int64_t* y) {
  const T* data = x.span<T>().data();
  const int64_t outputs = x.elementCount() / extent;
  if (inner > 1 && extent <= std::numeric_limits<int32_t>::max()) {
    const int64_t blocks = (inner + kBlock - 1) / kBlock;
    parallelFor(outputs / inner * blocks, std::max<int64_t>(1, 16384 / (extent * std::min(inner, kBlock))),
                [&](int64_t begin, int64_t end) {
                  for (int64_t unit = begin; unit < end; ++unit) {
                    const int64_t outer = unit / blocks;
                    const int64_t first = unit % blocks * kBlock;
                    findBlock<largest, T>(data + outer * extent * inner + first, extent, inner,
                                          std::min(kBlock, inner - first), selectLast, y + outer * inner + first);
                  }
                });
    return;
  }
  parallelFor(outputs, std::max<int64_t>(1, 16384 / extent), [&](int64_t begin, int64_t end) {
    for (int64_t output = begin; output < end; ++output) {
      if constexpr (std::is_same_v<T, float>) {
        if (inner == 1) {
          y[output] = vectorArgExtreme(largest, data + output * extent, extent, selectLast);
          continue;
        }
      }
      const T* element = data + output / inner * extent * inner + output % inner;
      auto best = widen(*element);
      int64_t position = 0;
      for (int64_t i = 1; i < extent; ++i) {
        const auto candidate = widen(element[i * inner]);
        if (!beats<largest>(candidate, best, selectLast)) continue;
        best = candidate;
        position = i;
      }
      y[output] = position;
    }
  });
}

template <bool largest>
class ArgExtremeKernel final : public Kernel {
 public:
  explicit ArgExtremeKernel(const KernelInfo& info)
      : m_settings(operators::readArgExtreme(info.node())), m_floats(info.inputElement(0) == ElementType::kFloat) {}
  std::string_view variant() const override { return m_floats ? "highway" : "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(const operators::ArgExtremeSizes sizes, operators::argExtremeSizes(m_settings, x.dims()));
    CUTAWAY_TRY(Tensor * y, context.output(0, ElementType::kInt64, sizes.outputDims));
    if (sizes.outputs == 0) return {};
    dispatchType(NumericTypes{}, x.type(), [&]<typename T>(TypeTag<T>) {
      findPositions<largest, T>(x, sizes.length, sizes.inner, m_settings.selectLast, y->span<int64_t>().data());
    });
    return {};
  }

 private:
  operators::ArgExtremeSettings m_settings;
  bool m_floats;
};

template <bool largest>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  return std::make_unique<ArgExtremeKernel<largest>>(info);
}

}  // namespace

KernelRows kernel_arg_extreme() {
  static constexpr KernelRow rows[] = {
      {.opType = "ArgMax", .versions = {1}, .types = kRules, .fastPath = "highway", .create = create<true>},
      {.opType = "ArgMin", .versions = {1}, .types = kRules, .fastPath = "highway", .create = create<false>},
  };
  return rows;
}

}  // namespace cutaway::cpu
