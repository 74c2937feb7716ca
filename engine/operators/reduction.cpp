#include "engine/operators/reduction.h"

#include <algorithm>

namespace cutaway::operators {

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

ReductionSettings readReduction(const Node& node) {
  ReductionSettings settings{.keepDims = node.attributeOr<int64_t>("keepdims", 1) != 0,
                             .noopWithoutAxes = node.attributeOr<int64_t>("noop_with_empty_axes", 0) != 0};
  const int32_t inputSince = node.opType == "ReduceSum" ? 13 : 18;
  if (node.sinceVersion < inputSince) settings.axes = node.attributeOr<std::vector<int64_t>>("axes", {});
  return settings;
}

Result<AxisSet> reducedAxes(const ReductionSettings& settings, const Tensor* given, size_t rank) {
  std::span<const int64_t> axes = settings.axes;
  if (given != nullptr) {
    if (given->type() != ElementType::kInt64)
      return fail(ErrorCode::kInvalidArgument, "the axes of a reduction are int64, not {}",
                  elementTypeName(given->type()));
    axes = given->span<int64_t>();
  }
  CUTAWAY_TRY(AxisSet set, axisSet(axes, rank));
  for (size_t axis = 0; axes.empty() && !settings.noopWithoutAxes && axis < rank; ++axis)
    set.set(axis);
  return set;
}

ArgExtremeSettings readArgExtreme(const Node& node) {
  return {.axis = node.attributeOr<int64_t>("axis", 0),
          .keepDims = node.attributeOr<int64_t>("keepdims", 1) != 0,
          .selectLast = node.attributeOr<int64_t>("select_last_index", 0) != 0};
}

Result<ArgExtremeSizes> argExtremeSizes(const ArgExtremeSettings& settings, const Dims& dims) {
  const bool scalar = dims.size() == 0;
  CUTAWAY_TRY(const AxisSet set, axisSet(std::span(&settings.axis, 1), scalar ? 1 : dims.size()));
  ArgExtremeSizes sizes{.outputDims = dimsAfter(dims, set, settings.keepDims)};
  if (scalar) return sizes;
  const size_t axis =
      static_cast<size_t>(settings.axis < 0 ? settings.axis + static_cast<int64_t>(dims.size()) : settings.axis);
  sizes.length = dims[axis];
  for (size_t i = 0; i < dims.size(); ++i)
    sizes.outputs *= i == axis ? 1 : dims[i];
  for (size_t i = axis + 1; i < dims.size(); ++i)
    sizes.inner *= dims[i];
  if (sizes.outputs > 0 && sizes.length == 0)
    return fail(ErrorCode::kInvalidArgument, "axis {} of {} is empty: it has no extreme", settings.axis,
                dimsToText(dims));
  return sizes;
}

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

}  // namespace cutaway::operators
