#pragma once
// OneHot: where the axis of the depth goes.

#include "engine/base/result.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

// INVALID_ARGUMENT unless there are one depth and two values (off, on).
Result<void> checkOneHotOperands(const Tensor& depth, const Tensor& values);

struct OneHotPlacement {
  size_t axis = 0;    // of the output
  int64_t inner = 1;  // elements from one step on that axis to the next
  Dims dims;
};
// axis counts in the output, which has one more than the indices.
Result<OneHotPlacement> placeOneHot(std::span<const int64_t> indices, int64_t axis, int64_t depth);

}  // namespace cutaway::operators
