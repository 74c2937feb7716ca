#pragma once
// Products and strides of the dims of an existing tensor, whose element count is known to fit.

#include <cstdint>
#include <span>

#include "engine/tensor/tensor.h"

namespace cutaway::operators {

// Product of dims[begin, end); 1 where that is empty.
int64_t productOf(std::span<const int64_t> dims, size_t begin, size_t end);

// Row-major strides of dims, in elements.
Dims rowMajorStrides(std::span<const int64_t> dims);

}  // namespace cutaway::operators
