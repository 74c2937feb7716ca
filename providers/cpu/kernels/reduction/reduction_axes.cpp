#include "providers/cpu/kernels/reduction/reduction_axes.h"

#include <algorithm>
#include <vector>

namespace cutaway::cpu {

Result<AxisSet> axisSet(std::span<const int64_t> axes, size_t rank) {
  AxisSet set;
  const int64_t signedRank = static_cast<int64_t>(rank);
  if (rank > kMaxReductionRank)
    return fail(ErrorCode::kNotImplemented, "reductions over more than {} axes", kMaxReductionRank);
  for (const int64_t axis : axes) {
    if (axis < -signedRank || axis >= signedRank)
      return fail(ErrorCode::kInvalidArgument, "axis {} is out of range for rank {}", axis, rank);
    set.set(static_cast<size_t>(axis < 0 ? axis + signedRank : axis));
  }
  return set;
}

namespace {

Dims dimsAfter(const Dims& dims, const AxisSet& axes, bool keepDims) {
  if (keepDims) {
    Dims result = dims;
    for (size_t axis = 0; axis < dims.size(); ++axis) {
      if (axes.test(axis)) result[axis] = 1;
    }
    return result;
  }
  std::array<int64_t, kMaxReductionRank> left{};
  size_t count = 0;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (!axes.test(axis)) left[count++] = dims[axis];
  }
  return Dims(std::span<const int64_t>(left.data(), count));
}

}  // namespace

Result<ReductionPlan> ReductionPlan::make(const Dims& dims, const AxisSet& axes, bool keepDims) {
  if (dims.size() > kMaxReductionRank)
    return fail(ErrorCode::kNotImplemented, "reductions over more than {} axes", kMaxReductionRank);
  ReductionPlan plan;
  plan.outputDims = dimsAfter(dims, axes, keepDims);
  for (size_t axis = 0; axis < dims.size(); ++axis)
    (axes.test(axis) ? plan.reducedCount : plan.outputCount) *= dims[axis];
  if (plan.outputCount == 0 || plan.reducedCount == 0) return plan;

  // Innermost first, then turned round.
  int64_t stride = 1;
  int last = -1;  // kind of the group inside: -1 none, 0 kept, 1 reduced
  for (size_t axis = dims.size(); axis-- > 0;) {
    const int64_t extent = dims[axis];
    if (extent == 1) continue;
    const int kind = axes.test(axis) ? 1 : 0;
    auto& groups = kind == 1 ? plan.reduced : plan.kept;
    size_t& count = kind == 1 ? plan.reducedGroups : plan.keptGroups;
    if (last == -1) plan.rowsReduced = kind == 1;
    if (kind == last) {
      groups[count - 1].extent *= extent;
    } else {
      if (count == kMaxGroups)
        return fail(ErrorCode::kNotImplemented, "a reduction over more than {} groups of axes", kMaxGroups);
      groups[count++] = {extent, stride};
    }
    last = kind;
    stride *= extent;
  }
  std::reverse(plan.kept.begin(), plan.kept.begin() + static_cast<std::ptrdiff_t>(plan.keptGroups));
  std::reverse(plan.reduced.begin(), plan.reduced.begin() + static_cast<std::ptrdiff_t>(plan.reducedGroups));
  return plan;
}

int64_t ReductionPlan::offsetOf(std::span<const AxisGroup> groups, int64_t index) {
  int64_t offset = 0;
  for (size_t k = groups.size(); k-- > 0;) {
    offset += index % groups[k].extent * groups[k].stride;
    index /= groups[k].extent;
  }
  return offset;
}

}  // namespace cutaway::cpu
