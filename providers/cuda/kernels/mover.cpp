#include "providers/cuda/kernels/mover.h"

#include <algorithm>
#include <cstring>

#include "providers/cuda/functors/move_functors.h"

namespace cutaway::cuda {
namespace {

// Every axis that is left has at least two elements, and a tensor has fewer than 2^63.
constexpr size_t kMostAxes = 64;
// Sides shorter than this leave most of a square empty: words moved one by one, through the cache, are faster.
constexpr int64_t kShortestSide = 8;

struct Axis {
  int64_t count = 0, from = 0, to = 0;  // strides in bytes
};

}  // namespace

// A move with the axes of one element dropped and neighbours that step as one joined.
struct Mover::Plan {
  std::array<Axis, kMostAxes> axes;
  size_t rank = 0;
  int64_t unitBytes = 0;

  static Plan of(int64_t unitBytes, const StridedMove& move) {
    Plan plan;
    plan.unitBytes = unitBytes;
    for (size_t i = 0; i < move.dims.size(); ++i) {
      if (move.dims[i] == 1) continue;
      const Axis axis{move.dims[i], move.fromStrides[i] * unitBytes, move.toStrides[i] * unitBytes};
      Axis* last = plan.rank == 0 ? nullptr : &plan.axes[plan.rank - 1];
      if (last != nullptr && last->from == axis.from * axis.count && last->to == axis.to * axis.count)
        *last = {last->count * axis.count, axis.from, axis.to};
      else
        plan.axes[plan.rank++] = axis;
    }
    return plan;
  }
  const Axis& last() const { return axes[rank - 1]; }
  bool lastIsDense() const { return rank > 0 && last().from == unitBytes && last().to == unitBytes; }

  // Dense runs move as the widest words that all places allow.
  void widen(const void* from, const void* to) {
    if (!lastIsDense()) return;
    WordWidth width;
    width.fits(from).fits(to).fits(last().count * unitBytes);
    for (size_t i = 0; i + 1 < rank; ++i)
      width.fits(axes[i].from).fits(axes[i].to);
    const int64_t word = width.bytes();
    if (word <= unitBytes) return;
    axes[rank - 1] = {last().count * unitBytes / word, word, word};
    unitBytes = word;
    if (last().count == 1) --rank;
  }

  int64_t count() const {
    int64_t product = 1;
    for (size_t i = 0; i < rank; ++i)
      product *= axes[i].count;
    return product;
  }
};

Result<void> WordKernels::prepare(const GpuResources& resources, std::string_view stem, std::string_view suffix) {
  for (size_t i = 0; i < m_kernels.size(); ++i) {
    CUTAWAY_TRY(m_kernels[i], resources.find(fmt::format("{}.{}{}", stem, 1 << i, suffix)));
  }
  return {};
}

Result<void> Mover::prepare(const GpuResources& resources) {
  CUTAWAY_CHECK(m_strided.prepare(resources, "move.strided"));
  CUTAWAY_CHECK(m_stridedLong.prepare(resources, "move.strided", ".long"));
  CUTAWAY_CHECK(m_turn.prepare(resources, "move.turn"));
  return m_fill.prepare(resources, "move.fill");
}

Result<void> Mover::move(GpuCall& call, int64_t unitBytes, const StridedMove& move, const void* from, void* to) const {
  if (std::ranges::find(move.dims, 0) != move.dims.end()) return {};
  Plan plan = Plan::of(unitBytes, move);
  if (plan.rank == 0) return call.copy(to, from, static_cast<size_t>(unitBytes));
  if (plan.rank == 1 && plan.lastIsDense())
    return call.copy(to, from, static_cast<size_t>(plan.last().count * unitBytes));
  plan.widen(from, to);
  return moveMerged(call, plan, from, to);
}

Result<void> Mover::moveMerged(GpuCall& call, const Plan& plan, const void* from, void* to) const {
  if (plan.rank > static_cast<size_t>(kMaximumRank)) {
    // More axes than a parameter block holds: one launch for each place of the first.
    Plan rest = plan;
    std::copy(plan.axes.begin() + 1, plan.axes.begin() + static_cast<std::ptrdiff_t>(plan.rank), rest.axes.begin());
    --rest.rank;
    for (int64_t i = 0; i < plan.axes[0].count; ++i)
      CUTAWAY_CHECK(moveMerged(call, rest, bytesAt(from, i * plan.axes[0].from), bytesAt(to, i * plan.axes[0].to)));
    return {};
  }
  CUTAWAY_TRY(const bool turned, turn(call, plan, from, to));
  if (turned) return {};
  StridedParameters parameters{.from = from, .to = to, .count = plan.count()};
  parameters.map.rank = static_cast<int32_t>(plan.rank);
  for (size_t i = 0; i < plan.rank; ++i) {
    parameters.map.dims[i] = plan.axes[i].count;
    parameters.map.strides[0][i] = plan.axes[i].from / plan.unitBytes;
    parameters.map.strides[1][i] = plan.axes[i].to / plan.unitBytes;
  }
  return call.launch((parameters.count < kNarrowCount ? m_strided : m_stridedLong)[plan.unitBytes], parameters);
}

// True: enqueued. The last axis must be dense in `to`, another one in `from`.
Result<bool> Mover::turn(GpuCall& call, const Plan& plan, const void* from, void* to) const {
  const int64_t unit = plan.unitBytes;
  if (plan.rank < 2 || plan.last().to != unit || plan.last().from == unit || plan.last().from == 0 ||
      plan.last().count < kShortestSide)
    return false;
  size_t dense = plan.rank;
  for (size_t i = 0; i + 1 < plan.rank; ++i) {
    if (plan.axes[i].from == unit) dense = i;
  }
  if (dense == plan.rank || plan.axes[dense].count < kShortestSide) return false;
  const Axis &columns = plan.last(), &rows = plan.axes[dense];
  TurnParameters parameters{.from = from,
                            .to = to,
                            .rows = rows.count,
                            .columns = columns.count,
                            .fromColumn = columns.from / unit,
                            .toRow = rows.to / unit};
  parameters.rowTiles = (rows.count + kTurnTile - 1) / kTurnTile;
  parameters.columnTiles = (columns.count + kTurnTile - 1) / kTurnTile;
  parameters.matrices = plan.count() / rows.count / columns.count;
  for (size_t i = 0; i + 1 < plan.rank; ++i) {
    if (i == dense) continue;
    const int rank = parameters.outer.rank++;
    parameters.outer.dims[rank] = plan.axes[i].count;
    parameters.outer.strides[0][rank] = plan.axes[i].from / unit;
    parameters.outer.strides[1][rank] = plan.axes[i].to / unit;
  }
  CUTAWAY_CHECK(call.launch(m_turn[unit], parameters));
  return true;
}

Result<void> Mover::fill(GpuCall& call, int64_t unitBytes, const void* value, void* to, int64_t count,
                         int64_t step) const {
  if (count == 0) return {};
  FillParameters parameters{.to = to, .count = count, .step = step};
  for (int64_t i = 0; i < 16; i += unitBytes)
    std::memcpy(parameters.value + i, value, static_cast<size_t>(unitBytes));
  if (step != 1) return call.launch(m_fill[unitBytes], parameters);
  if (std::ranges::all_of(parameters.value, [&](unsigned char byte) { return byte == parameters.value[0]; }))
    return call.fill(to, parameters.value[0], static_cast<size_t>(count * unitBytes));
  const int64_t word = std::max(unitBytes, WordWidth().fits(to).fits(count * unitBytes).bytes());
  parameters.count = count * unitBytes / word;
  return call.launch(m_fill[word], parameters);
}

}  // namespace cutaway::cuda
