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

// Of Shape: the dims from axis `start` up to but not including `end`; both may count from the end and are clamped.
std::span<const int64_t> dimsBetween(std::span<const int64_t> dims, int64_t start, int64_t end);

}  // namespace cutaway::operators
