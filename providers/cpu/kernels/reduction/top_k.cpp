// TopK along one axis. Equal elements: the lower position first. A NaN counts as larger than every number.
//
// Positions of one line are partitioned and sorted in scratch memory, one line at a time a thread's range; k is an
// attribute in version 1 and an input since 10.

#include "engine/operators/top_k.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>

#include "engine/base/parallel.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/line_ranges.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr auto kTypes = elementTypes(NumericTypes{});
constexpr TypeRule kRules[] = {{0, kTypes}};
constexpr int kCountInput[] = {1};

// Strict order in which results stand.
template <bool largest, typename T>
struct Before {
  const T* line;
  int64_t step;

  bool operator()(int64_t a, int64_t b) const {
    const auto left = widen(line[a * step]);
    const auto right = widen(line[b * step]);
    if constexpr (std::is_floating_point_v<Computed<T>>) {
      const bool leftNan = left != left;
      const bool rightNan = right != right;
      if (leftNan || rightNan) return leftNan == rightNan ? a < b : leftNan == largest;
    }
    if (left != right) return largest ? left > right : left < right;
    return a < b;
  }
};

struct Problem {
  int64_t extent;
  int64_t inner;
  int64_t k;
  int64_t lines;
  bool largest;
};

// Elements of up to 32 bits and their places as one number, so that the larger number comes first.
template <bool largest, typename T>
uint64_t rankOf(T element, int64_t place) {
  uint32_t ordered = 0;
  if constexpr (std::is_floating_point_v<Computed<T>>) {
    const float x = widen(element) + 0.0f;  // -0 is 0
    const auto bits = std::bit_cast<uint32_t>(x);
    ordered = (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
    ordered = x != x ? 0xffffffffu : ordered;
  } else if constexpr (std::is_signed_v<T>) {
    ordered = static_cast<uint32_t>(static_cast<int32_t>(element)) ^ 0x80000000u;
  } else {
    ordered = element;
  }
  return (uint64_t{largest ? ordered : ~ordered} << 32) | ~static_cast<uint32_t>(place);
}

// The best k of many: a heap with the worst of them on top, and a first look at the element itself, which most do not
// pass.
template <bool largest, typename T>
void keepBest(const T* x, const Problem& problem, uint64_t* heap) {
  for (int64_t i = 0; i < problem.k; ++i)
    heap[i] = rankOf<largest>(x[i * problem.inner], i);
  uint64_t* end = heap + problem.k;
  std::make_heap(heap, end, std::greater<>());
  const auto worstElement = [&] {
    return widen(x[static_cast<int64_t>(~static_cast<uint32_t>(heap[0])) * problem.inner]);
  };
  auto worst = worstElement();
  for (int64_t i = problem.k; i < problem.extent; ++i) {
    const auto element = widen(x[i * problem.inner]);
    if (largest ? element < worst : element > worst) continue;
    const uint64_t rank = rankOf<largest>(x[i * problem.inner], i);
    if (rank < heap[0]) continue;
    std::pop_heap(heap, end, std::greater<>());
    end[-1] = rank;
    std::push_heap(heap, end, std::greater<>());
    worst = worstElement();
  }
  std::sort(heap, end, std::greater<>());
}

template <bool largest, typename T>
void chooseRanked(const T* x, const Problem& problem, uint64_t* ranks, T* values, int64_t* indices) {
  if (problem.k * 8 < problem.extent) {
    keepBest<largest>(x, problem, ranks);
  } else {
    for (int64_t i = 0; i < problem.extent; ++i)
      ranks[i] = rankOf<largest>(x[i * problem.inner], i);
    uint64_t* end = ranks + problem.extent;
    if (problem.k < problem.extent) std::nth_element(ranks, ranks + problem.k, end, std::greater<>());
    std::sort(ranks, ranks + problem.k, std::greater<>());
  }
  for (int64_t i = 0; i < problem.k; ++i) {
    const auto place = static_cast<int64_t>(~static_cast<uint32_t>(ranks[i]));
    values[i * problem.inner] = x[place * problem.inner];
    indices[i * problem.inner] = place;
  }
}

template <bool largest, typename T>
void chooseLine(const T* x, const Problem& problem, int64_t* positions, T* values, int64_t* indices) {
  if constexpr (sizeof(T) <= 4) {
    if (problem.extent <= std::numeric_limits<uint32_t>::max())
      return chooseRanked<largest>(x, problem, reinterpret_cast<uint64_t*>(positions), values, indices);
  }
  const Before<largest, T> before{x, problem.inner};
  std::iota(positions, positions + problem.extent, int64_t{0});
  if (problem.k * 8 < problem.extent) {
    std::partial_sort(positions, positions + problem.k, positions + problem.extent, before);
  } else {
    if (problem.k < problem.extent)
      std::nth_element(positions, positions + problem.k, positions + problem.extent, before);
    std::sort(positions, positions + problem.k, before);
  }
  for (int64_t i = 0; i < problem.k; ++i) {
    values[i * problem.inner] = x[positions[i] * problem.inner];
    indices[i * problem.inner] = positions[i];
  }
}

class TopKKernel final : public Kernel {
 public:
  TopKKernel(const operators::TopKSettings& settings, bool countFromInput)
      : m_settings(settings), m_countFromInput(countFromInput) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(const operators::TopKPlacement placed,
                m_settings.place(x.dims(), m_countFromInput ? context.input(1) : nullptr));
    const Dims& dims = placed.dims;
    Problem problem{x.dims()[placed.axis], placed.inner, placed.k, 1, m_settings.largest()};
    CUTAWAY_TRY(Tensor * values, context.output(0, x.type(), dims));
    CUTAWAY_TRY(Tensor * indices, context.output(1, ElementType::kInt64, dims));
    if (values->elementCount() == 0) return {};
    problem.lines = x.elementCount() / problem.extent;
    return choose(context, problem, x, *values, *indices);
  }

 private:
  static Result<void> choose(KernelContext& context, const Problem& problem, const Tensor& x, Tensor& values,
                             Tensor& indices) {
    // Each range has positions of its own.
    const int64_t work = problem.lines * problem.extent;
    const int64_t ranges =
        lineRanges(problem.lines, work / 8192, problem.extent * static_cast<int64_t>(sizeof(int64_t)));
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(static_cast<size_t>(ranges * problem.extent) * sizeof(int64_t)));
    auto* positions = reinterpret_cast<int64_t*>(memory.data());
    dispatchType(NumericTypes{}, x.type(), [&]<typename T>(TypeTag<T>) {
      const T* from = x.span<T>().data();
      T* to = values.span<T>().data();
      int64_t* at = indices.span<int64_t>().data();
      parallelFor(ranges, 1, [&](int64_t begin, int64_t end) {
        for (int64_t range = begin; range < end; ++range) {
          for (int64_t line = problem.lines * range / ranges; line < problem.lines * (range + 1) / ranges; ++line) {
            const int64_t outer = line / problem.inner;
            const int64_t column = line % problem.inner;
            const T* source = from + outer * problem.extent * problem.inner + column;
            const int64_t target = outer * problem.k * problem.inner + column;
            const auto chosen = problem.largest ? &chooseLine<true, T> : &chooseLine<false, T>;
            chosen(source, problem, positions + range * problem.extent, to + target, at + target);
          }
        }
      });
    });
    return {};
  }

  operators::TopKSettings m_settings;
  bool m_countFromInput;
};

template <bool countFromInput>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::TopKSettings settings, operators::TopKSettings::read(info.node()));
  return std::make_unique<TopKKernel>(settings, countFromInput);
}

}  // namespace

KernelRows kernel_top_k() {
  static constexpr KernelRow rows[] = {
      {.opType = "TopK", .versions = {1, 9}, .types = kRules, .fastPath = "threads", .create = create<false>},
      {.opType = "TopK",
       .versions = {10},
       .types = kRules,
       .hostInputs = kCountInput,
       .fastPath = "threads",
       .create = create<true>},
  };
  return rows;
}

}  // namespace cutaway::cpu
