#pragma once
// Gather, GatherElements and GatherND: which shapes fit each other, and what comes out.

#include "engine/base/result.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

// INVALID_ARGUMENT for indices of another type than int32 and int64.
Result<void> checkIndexType(const Tensor& indices);

// Of Gather: the data's dims with those of the indices in place of `axis`.
Dims gatheredDims(std::span<const int64_t> data, std::span<const int64_t> indices, size_t axis);

// Of GatherElements and ScatterElements: every index stands for the coordinate on `axis`; the others are those of the
// index itself, which must exist in dims.
Result<void> checkElementIndices(const Tensor& indices, std::span<const int64_t> dims, size_t axis);

// Of GatherND: tuples along the last axis of the indices are coordinates in the data from batchDims on.
struct TupleGather {
  size_t batchDims = 0;
  size_t tupleAxis = 0;  // of the indices
  size_t sliceAxis = 0;  // of the data: the first that a tuple leaves open
  Dims dims;             // of the output
};
Result<TupleGather> placeTupleGather(const Tensor& data, const Tensor& indices, int64_t batchDims);

}  // namespace cutaway::operators
