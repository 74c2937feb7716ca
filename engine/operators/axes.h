#pragma once
// Axes as ONNX writes them: negative ones count from the end.
//
// Axes come from files and from run-time inputs: INVALID_ARGUMENT names the axis and its bounds.

#include <cstdint>
#include <span>

#include "engine/base/result.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

// -rank..rank-1 becomes 0..rank-1.
Result<int64_t> resolveAxis(int64_t axis, size_t rank);
// The same for a list without duplicates, in the given order.
Result<Dims> resolveAxes(std::span<const int64_t> axes, size_t rank);

}  // namespace cutaway::operators
