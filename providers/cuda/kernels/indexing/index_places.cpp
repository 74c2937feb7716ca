#include "providers/cuda/kernels/indexing/index_places.h"

#include "engine/operators/gather.h"
#include "providers/cuda/kernels/index_plan.h"

namespace cutaway::cuda {

Result<IndexList> indexList(const Tensor& indices) {
  CUTAWAY_CHECK(operators::checkIndexType(indices));
  return IndexList{indices.data(), indices.type() == ElementType::kInt64};
}

Result<ElementPlaces> elementPlaces(const Tensor& indices, std::span<const int64_t> dims, size_t axis,
                                    const FaultPlace& fault) {
  CUTAWAY_CHECK(operators::checkElementIndices(indices, dims, axis));
  CUTAWAY_TRY(const IndexList list, indexList(indices));
  Dims strides = rowMajorStrides(dims);
  ElementPlaces places{.indices = list, .map = {}, .stride = strides[axis], .length = dims[axis], .fault = fault};
  strides[axis] = 0;
  CUTAWAY_TRY(places.map, indexMap<1>(indices.dims(), {std::span<const int64_t>(strides)}));
  return places;
}

Result<TuplePlaces> tuplePlaces(const Tensor& indices, std::span<const int64_t> dims, size_t batchDims,
                                const FaultPlace& fault) {
  const int64_t width = indices.dims()[indices.rank() - 1];
  if (width > kMaximumRank)
    return fail(ErrorCode::kNotImplemented, "index tuples of more than {} numbers", kMaximumRank);
  CUTAWAY_TRY(const IndexList list, indexList(indices));
  TuplePlaces places{.indices = list, .width = static_cast<int32_t>(width), .fault = fault};
  for (int64_t k = 0; k < width; ++k)
    places.lengths[k] = dims[batchDims + static_cast<size_t>(k)];
  if (batchDims > 0) {
    places.batchTuples = productOf(indices.dims(), batchDims, indices.rank() - 1);
    places.batchSlices = productOf(dims, batchDims, batchDims + static_cast<size_t>(width));
  }
  return places;
}

}  // namespace cutaway::cuda
