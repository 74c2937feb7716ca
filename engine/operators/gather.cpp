#include "engine/operators/gather.h"

#include "engine/operators/integer_list.h"

namespace cutaway::operators {

Result<void> checkIndexType(const Tensor& indices) {
  if (indices.type() != ElementType::kInt64 && indices.type() != ElementType::kInt32)
    return fail(ErrorCode::kInvalidArgument, "indices have elements of type {}", elementTypeName(indices.type()));
  return {};
}

Dims gatheredDims(std::span<const int64_t> data, std::span<const int64_t> indices, size_t axis) {
  Dims dims = filledList(data.size() - 1 + indices.size(), 0);
  size_t next = 0;
  for (size_t i = 0; i < axis; ++i)
    dims[next++] = data[i];
  for (const int64_t n : indices)
    dims[next++] = n;
  for (size_t i = axis + 1; i < data.size(); ++i)
    dims[next++] = data[i];
  return dims;
}

Result<void> checkElementIndices(const Tensor& indices, std::span<const int64_t> dims, size_t axis) {
  if (indices.rank() != dims.size())
    return fail(ErrorCode::kInvalidArgument, "indices of rank {} cannot index a tensor of rank {}", indices.rank(),
                dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i != axis && indices.dims()[i] > dims[i])
      return fail(ErrorCode::kInvalidArgument, "indices {} reach beyond {} on axis {}", dimsToText(indices.dims()),
                  dimsToText(dims), i);
  }
  return {};
}

Result<TupleGather> placeTupleGather(const Tensor& data, const Tensor& indices, int64_t batchDims) {
  const int64_t dataRank = static_cast<int64_t>(data.rank()), indexRank = static_cast<int64_t>(indices.rank());
  if (indexRank < 1 || batchDims < 0 || batchDims >= indexRank || batchDims > dataRank) {
    return fail(ErrorCode::kInvalidArgument, "batch_dims {} does not fit data {} and indices {}", batchDims,
                dimsToText(data.dims()), dimsToText(indices.dims()));
  }
  TupleGather placed{.batchDims = static_cast<size_t>(batchDims), .tupleAxis = indices.rank() - 1, .dims = {}};
  for (size_t i = 0; i < placed.batchDims; ++i) {
    if (data.dims()[i] != indices.dims()[i])
      return fail(ErrorCode::kInvalidArgument, "batch axis {} differs: data {}, indices {}", i, dimsToText(data.dims()),
                  dimsToText(indices.dims()));
  }
  const int64_t width = indices.dims()[placed.tupleAxis];
  if (width > dataRank - batchDims)
    return fail(ErrorCode::kInvalidArgument, "index tuples of {} numbers cannot index {}", width,
                dimsToText(data.dims()));
  placed.sliceAxis = placed.batchDims + static_cast<size_t>(width);
  placed.dims = filledList(placed.tupleAxis + data.rank() - placed.sliceAxis, 0);
  for (size_t i = 0; i < placed.tupleAxis; ++i)
    placed.dims[i] = indices.dims()[i];
  for (size_t i = placed.sliceAxis; i < data.rank(); ++i)
    placed.dims[placed.tupleAxis + i - placed.sliceAxis] = data.dims()[i];
  return placed;
}

}  // namespace cutaway::operators
