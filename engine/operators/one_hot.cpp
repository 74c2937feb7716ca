#include "engine/operators/one_hot.h"

#include "engine/operators/axes.h"
#include "engine/operators/dims.h"
#include "engine/operators/integer_list.h"

namespace cutaway::operators {

Result<void> checkOneHotOperands(const Tensor& depth, const Tensor& values) {
  if (depth.elementCount() != 1 || values.elementCount() != 2)
    return fail(ErrorCode::kInvalidArgument, "OneHot needs one depth and two values");
  return {};
}

Result<OneHotPlacement> placeOneHot(std::span<const int64_t> indices, int64_t axis, int64_t depth) {
  if (depth < 0) return fail(ErrorCode::kInvalidArgument, "the depth of OneHot is {}", depth);
  CUTAWAY_TRY(const int64_t resolved, resolveAxis(axis, indices.size() + 1));
  OneHotPlacement placed{.axis = static_cast<size_t>(resolved), .dims = filledList(indices.size() + 1, depth)};
  for (size_t i = 0; i < indices.size(); ++i)
    placed.dims[i < placed.axis ? i : i + 1] = indices[i];
  placed.inner = productOf(indices, placed.axis, indices.size());
  return placed;
}

}  // namespace cutaway::operators
