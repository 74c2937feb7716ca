#pragma once
// Which axes a reduction removes, and the collapsed form it is computed in.
//
// Neighbouring axes of one kind (kept or reduced) are merged and axes of extent 1 dropped, so that the groups
// alternate. The innermost group decides the loop: reduced (rows are summed) or kept (columns are summed). Thread rule:
// plain values. Example: CUTAWAY_TRY(const ReductionPlan plan, ReductionPlan::make(x.dims(), axes, true));

#include <array>
#include <bitset>
#include <span>

#include "engine/base/result.h"
#include "engine/tensor/tensor.h"

namespace cutaway::cpu {

// Bit per axis.
inline constexpr size_t kMaxReductionRank = 64;
using AxisSet = std::bitset<kMaxReductionRank>;

// INVALID_ARGUMENT for an axis out of [-rank, rank).
Result<AxisSet> axisSet(std::span<const int64_t> axes, size_t rank);

// A group of merged axes: how many elements, and how far apart in the input.
struct AxisGroup {
  int64_t extent = 1;
  int64_t stride = 1;
};

struct ReductionPlan {
  static constexpr size_t kMaxGroups = 16;

  Dims outputDims;
  std::array<AxisGroup, kMaxGroups> kept;     // outermost first
  std::array<AxisGroup, kMaxGroups> reduced;  // outermost first
  size_t keptGroups = 0;
  size_t reducedGroups = 0;
  int64_t outputCount = 1;
  int64_t reducedCount = 1;  // elements behind each output
  bool rowsReduced = true;   // the innermost group is reduced

  static Result<ReductionPlan> make(const Dims& dims, const AxisSet& axes, bool keepDims);
  // Input offset of the index-th combination of a list of groups.
  static int64_t offsetOf(std::span<const AxisGroup> groups, int64_t index);
};

}  // namespace cutaway::cpu
