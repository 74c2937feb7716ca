#pragma once
// Lists of integers that operators take: as attributes, and as tensors in host memory.

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

// A list of `count` numbers, without heap memory while it is short.
Dims filledList(size_t count, int64_t value);

// Elements of an integer tensor (int32 or int64) in order. INVALID_ARGUMENT for other types.
Result<Dims> readIntegers(const Tensor& tensor);
// The one element of an integer tensor. INVALID_ARGUMENT where there are more or fewer.
Result<int64_t> readInteger(const Tensor& tensor);

// Of CumSum and others whose axis is an input: one integer that counts axes from either end, as 0..rank-1.
Result<size_t> readAxis(const Tensor& tensor, size_t rank);

// The integer list attribute, or an empty list.
Dims listAttribute(const Node& node, std::string_view name);

}  // namespace cutaway::operators
