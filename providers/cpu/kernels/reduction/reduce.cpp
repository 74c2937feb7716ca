// ReduceSum, -Mean, -Max, -Min, -Prod, -L1, -L2, -LogSum, -LogSumExp, -SumSquare.
//
// Axes come from an attribute or, later, from an input. A reduction over nothing gives the fold's identity (0, 1, -inf,
// +inf or the type's end); over no axes it still takes the other steps of a composite (the square of ReduceSumSquare,
// the logarithm of ReduceLogSum).

#include <algorithm>
#include <cmath>

#include "engine/base/parallel.h"
#include "engine/operators/reduction.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/reduction/reduction_loops.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;
using operators::AxisGroup;
using operators::ReductionPlan;

enum class Kind : uint8_t { kSum, kMean, kMax, kMin, kProd, kL1, kL2, kLogSum, kLogSumExp, kSumSquare };

using Types = Join<FloatTypes, TypeList<int32_t, uint32_t, int64_t, uint64_t, int8_t, uint8_t>>;
constexpr auto kNumeric = elementTypes(Types{});
constexpr auto kWithBool = elementTypes(Join<Types, TypeList<bool>>{});
constexpr TypeRule kRules[] = {{0, kNumeric}};
constexpr TypeRule kExtremeRules[] = {{0, kWithBool}};
constexpr int kAxesInput[] = {1};

constexpr Fold foldOf(Kind kind) {
  if (kind == Kind::kMax) return Fold::kMaximum;
  if (kind == Kind::kMin) return Fold::kMinimum;
  return kind == Kind::kProd ? Fold::kProduct : Fold::kSum;
}

constexpr Map mapOf(Kind kind) {
  if (kind == Kind::kL1) return Map::kSize;
  return kind == Kind::kL2 || kind == Kind::kSumSquare ? Map::kSquare : Map::kIdentity;
}

template <typename T>
T fromDouble(double value) {
  if constexpr (!std::is_integral_v<T>) {
    return narrow<T>(static_cast<Computed<T>>(value));
  } else {
    using Limits = std::numeric_limits<T>;
    if (!(value > static_cast<double>(Limits::min()))) return Limits::min();
    return value >= static_cast<double>(Limits::max()) ? Limits::max() : static_cast<T>(value);
  }
}

template <typename T>
T finished(Kind kind, Accumulator<T> total, int64_t count) {
  if (kind == Kind::kL2) return fromDouble<T>(std::sqrt(static_cast<double>(total)));
  if (kind == Kind::kLogSum) return fromDouble<T>(std::log(static_cast<double>(total)));
  if constexpr (std::is_integral_v<T>) {
    if (kind == Kind::kMean) return count == 0 ? T{0} : static_cast<T>(total / static_cast<Accumulator<T>>(count));
    return static_cast<T>(total);
  } else {
    return fromDouble<T>(kind == Kind::kMean ? total / static_cast<double>(count) : total);
  }
}

// One reduction of one tensor.
template <typename T>
class Reduction {
 public:
  Reduction(Kind kind, const ReductionPlan& plan, const T* x, T* y)
      : m_kind(kind), m_fold(foldOf(kind)), m_map(mapOf(kind)), m_plan(plan), m_x(x), m_y(y) {
    const size_t inner = plan.rowsReduced && plan.reducedGroups > 0 ? 1 : 0;
    m_rowLength = inner == 1 ? plan.reduced[plan.reducedGroups - 1].extent : 1;
    m_outer = std::span(plan.reduced.data(), plan.reducedGroups - inner);
    m_rows = plan.reducedCount / std::max<int64_t>(m_rowLength, 1);
    m_chunks = (m_rowLength + kChunk - 1) / kChunk;
  }

  Result<void> run(KernelContext& context) {
    if (m_plan.outputCount == 0) return {};
    if (m_plan.reducedCount == 0) return fillEmpty();
    if (!m_plan.rowsReduced) return columns();
    const int64_t segments = m_rows * m_chunks;
    // Few outputs over many elements: segments go to threads. The result is the same, because segments are folded in
    // order either way.
    if (m_kind != Kind::kLogSumExp && m_plan.outputCount < 64 && segments > 1 &&
        m_plan.outputCount * m_plan.reducedCount >= 2 * kChunk)
      return segmented(context, segments);
    parallelFor(m_plan.outputCount, std::max<int64_t>(1, kChunk / m_plan.reducedCount),
                [&](int64_t begin, int64_t end) {
                  for (int64_t output = begin; output < end; ++output)
                    m_y[output] = m_kind == Kind::kLogSumExp
                                      ? logSumExp(output)
                                      : finished<T>(m_kind, foldOutput(m_fold, m_map, output), m_plan.reducedCount);
                });
    return {};
  }

 private:
  using A = Accumulator<T>;
  static constexpr int64_t kChunk = 32768;

  Result<void> fillEmpty() {
    const T value = m_kind == Kind::kLogSumExp ? fromDouble<T>(-std::numeric_limits<double>::infinity())
                                               : finished<T>(m_kind, foldIdentity<T>(m_fold), 0);
    std::fill_n(m_y, m_plan.outputCount, value);
    return {};
  }

  int64_t outputBase(int64_t output) const {
    return ReductionPlan::offsetOf({m_plan.kept.data(), m_plan.keptGroups}, output);
  }

  A foldSegment(Fold fold, Map map, int64_t base, int64_t index) const {
    const int64_t begin = index % m_chunks * kChunk;
    const T* row = m_x + base + ReductionPlan::offsetOf(m_outer, index / m_chunks);
    return segment<T>(fold, map, row + begin, std::min(kChunk, m_rowLength - begin));
  }

  A foldOutput(Fold fold, Map map, int64_t output) const {
    const int64_t base = outputBase(output);
    A total = foldIdentity<T>(fold);
    for (int64_t index = 0; index < m_rows * m_chunks; ++index)
      total = foldPair(fold, total, foldSegment(fold, map, base, index));
    return total;
  }

  Result<void> segmented(KernelContext& context, int64_t segments) {
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(static_cast<size_t>(m_plan.outputCount * segments) * sizeof(A)));
    A* partial = reinterpret_cast<A*>(memory.data());
    const int64_t grain = std::max<int64_t>(1, kChunk / std::min(kChunk, m_rowLength));
    parallelFor(m_plan.outputCount * segments, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        partial[i] = foldSegment(m_fold, m_map, outputBase(i / segments), i % segments);
    });
    for (int64_t output = 0; output < m_plan.outputCount; ++output) {
      A total = foldIdentity<T>(m_fold);
      for (int64_t i = 0; i < segments; ++i)
        total = foldPair(m_fold, total, partial[output * segments + i]);
      m_y[output] = finished<T>(m_kind, total, m_plan.reducedCount);
    }
    return {};
  }

  T logSumExp(int64_t output) const {
    const double largest = static_cast<double>(foldOutput(Fold::kMaximum, Map::kIdentity, output));
    if (!std::isfinite(largest)) return fromDouble<T>(largest);  // infinities and NaN are the answer themselves
    const int64_t base = outputBase(output);
    double total = 0;
    for (int64_t row = 0; row < m_rows; ++row)
      total += exponentialSum<T>(m_x + base + ReductionPlan::offsetOf(m_outer, row), m_rowLength, largest);
    return fromDouble<T>(std::log(total) + largest);
  }

  template <typename Visit>
  void forEachRow(const T* first, Visit&& visit) const {
    if (m_plan.reducedGroups == 0) return visit(first);
    const AxisGroup last = m_plan.reduced[m_plan.reducedGroups - 1];
    const std::span<const AxisGroup> outer(m_plan.reduced.data(), m_plan.reducedGroups - 1);
    const int64_t combinations = m_plan.reducedCount / last.extent;
    for (int64_t index = 0; index < combinations; ++index) {
      const T* row = first + ReductionPlan::offsetOf(outer, index);
      for (int64_t i = 0; i < last.extent; ++i)
        visit(row + i * last.stride);
    }
  }

  void columnTile(const T* first, T* target, int64_t width) const {
    ColumnFold<T> columns(m_kind == Kind::kLogSumExp ? Fold::kMaximum : m_fold, m_map, width);
    forEachRow(first, [&](const T* row) { columns.addRow(row); });
    columns.finish();
    if (m_kind != Kind::kLogSumExp) {
      for (int64_t i = 0; i < width; ++i)
        target[i] = finished<T>(m_kind, columns.totals()[i], m_plan.reducedCount);
      return;
    }
    double totals[kColumnTile] = {};
    forEachRow(first, [&](const T* row) { addExponentials<T>(row, columns.totals(), totals, width); });
    for (int64_t i = 0; i < width; ++i) {
      const double largest = static_cast<double>(columns.totals()[i]);
      target[i] = fromDouble<T>(std::isfinite(largest) ? std::log(totals[i]) + largest : largest);
    }
  }

  Result<void> columns() {
    const int64_t width = m_plan.kept[m_plan.keptGroups - 1].extent;
    const std::span<const AxisGroup> outer(m_plan.kept.data(), m_plan.keptGroups - 1);
    const int64_t tiles = (width + kColumnTile - 1) / kColumnTile;
    const int64_t grain = std::max<int64_t>(1, kChunk / (m_plan.reducedCount * std::min(width, kColumnTile)));
    parallelFor(m_plan.outputCount / width * tiles, grain, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t column = unit % tiles * kColumnTile;
        const T* first = m_x + ReductionPlan::offsetOf(outer, unit / tiles) + column;
        columnTile(first, m_y + unit / tiles * width + column, std::min(kColumnTile, width - column));
      }
    });
    return {};
  }

  Kind m_kind;
  Fold m_fold;
  Map m_map;
  const ReductionPlan& m_plan;
  const T* m_x;
  T* m_y;
  int64_t m_rowLength;
  std::span<const AxisGroup> m_outer;
  int64_t m_rows;
  int64_t m_chunks;
};

class ReduceKernel final : public Kernel {
 public:
  ReduceKernel(Kind kind, const KernelInfo& info, bool axesFromInput)
      : m_kind(kind), m_settings(operators::readReduction(info.node())), m_axesFromInput(axesFromInput) {}

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(const operators::AxisSet set,
                operators::reducedAxes(m_settings, m_axesFromInput ? context.input(1) : nullptr, x.rank()));
    CUTAWAY_TRY(const ReductionPlan plan, ReductionPlan::make(x.dims(), set, m_settings.keepDims));
    CUTAWAY_TRY(Tensor * y, context.output(0, x.type(), plan.outputDims));
    Result<void> done =
        fail(ErrorCode::kInvalidArgument, "reductions of {} are not covered", elementTypeName(x.type()));
    const ElementType type = x.type() == ElementType::kBool ? ElementType::kUint8 : x.type();
    dispatchType(Types{}, type, [&]<typename T>(TypeTag<T>) {
      done =
          Reduction<T>(m_kind, plan, static_cast<const T*>(x.data()), static_cast<T*>(y->mutableData())).run(context);
    });
    // An empty minimum of uint8 is 255; of bool it is true.
    if (x.type() == ElementType::kBool && plan.reducedCount == 0)
      std::ranges::fill(y->span<bool>(), m_kind == Kind::kMin);
    return done;
  }
  std::string_view variant() const override { return "highway"; }

 private:
  Kind m_kind;
  operators::ReductionSettings m_settings;
  bool m_axesFromInput;
};

template <Kind kind, bool axesFromInput>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  return std::make_unique<ReduceKernel>(kind, info, axesFromInput);
}

template <Kind kind>
constexpr KernelRow fromAttribute(std::string_view opType) {
  return {.opType = opType,
          .versions = {1, kind == Kind::kSum ? 12 : 17},
          .types = kind == Kind::kMax || kind == Kind::kMin ? kExtremeRules : kRules,
          .fastPath = "highway",
          .create = create<kind, false>};
}

template <Kind kind>
constexpr KernelRow fromInput(std::string_view opType) {
  return {.opType = opType,
          .versions = {kind == Kind::kSum ? 13 : 18},
          .types = kind == Kind::kMax || kind == Kind::kMin ? kExtremeRules : kRules,
          .hostInputs = kAxesInput,
          .fastPath = "highway",
          .create = create<kind, true>};
}

}  // namespace

KernelRows kernel_reduce() {
#define CUTAWAY_REDUCE(name, kind) fromAttribute<Kind::kind>(name), fromInput<Kind::kind>(name)
  static constexpr KernelRow rows[] = {
      CUTAWAY_REDUCE("ReduceSum", kSum),
      CUTAWAY_REDUCE("ReduceMean", kMean),
      CUTAWAY_REDUCE("ReduceMax", kMax),
      CUTAWAY_REDUCE("ReduceMin", kMin),
      CUTAWAY_REDUCE("ReduceProd", kProd),
      CUTAWAY_REDUCE("ReduceL1", kL1),
      CUTAWAY_REDUCE("ReduceL2", kL2),
      CUTAWAY_REDUCE("ReduceLogSum", kLogSum),
      CUTAWAY_REDUCE("ReduceLogSumExp", kLogSumExp),
      CUTAWAY_REDUCE("ReduceSumSquare", kSumSquare),
  };
#undef CUTAWAY_REDUCE
  return rows;
}

}  // namespace cutaway::cpu
