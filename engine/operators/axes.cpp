#include "engine/operators/axes.h"

namespace cutaway::operators {

Result<int64_t> resolveAxis(int64_t axis, size_t rank) {
  const int64_t bound = static_cast<int64_t>(rank);
  if (axis < -bound || axis >= bound) {
    return fail(ErrorCode::kInvalidArgument, "axis {} is outside [{}, {}] of a tensor of rank {}", axis, -bound,
                bound - 1, rank);
  }
  return axis < 0 ? axis + bound : axis;
}

Result<Dims> resolveAxes(std::span<const int64_t> axes, size_t rank) {
  if (axes.size() > rank)
    return fail(ErrorCode::kInvalidArgument, "{} axes are given for a tensor of rank {}", axes.size(), rank);
  Dims resolved(axes);
  for (size_t i = 0; i < axes.size(); ++i) {
    CUTAWAY_TRY(resolved[i], resolveAxis(axes[i], rank));
    for (size_t j = 0; j < i; ++j) {
      if (resolved[j] == resolved[i]) return fail(ErrorCode::kInvalidArgument, "axis {} is given twice", resolved[i]);
    }
  }
  return resolved;
}

}  // namespace cutaway::operators
