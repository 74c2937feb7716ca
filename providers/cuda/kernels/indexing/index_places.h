#pragma once
// What gathers and scatters share: lists of indexes on the device, and the places that they name, with shapes checked.
//
// Thread rule: pure functions.
// Example: CUTAWAY_TRY(const TuplePlaces places, tuplePlaces(*indices, data->dims(), 0, fault));

#include "providers/cuda/functors/indexing_functors.h"
#include "providers/cuda/kernels/axis_list.h"
#include "providers/cuda/kernels/node_words.h"

namespace cutaway::cuda {

inline constexpr ElementType kIndexTypes[] = {ElementType::kInt64, ElementType::kInt32};
inline constexpr TypeRule kMovableByIndex[] = {{0, kMovable}, {1, kIndexTypes}};

// INVALID_ARGUMENT for indexes of another type than int32 and int64.
Result<IndexList> indexList(const Tensor& indices);
// The index stands for the coordinate on `axis`. INVALID_ARGUMENT when the indices reach beyond the data on another
// axis; NOT_IMPLEMENTED for more than kMaximumRank axes that cannot be merged.
Result<ElementPlaces> elementPlaces(const Tensor& indices, std::span<const int64_t> dims, size_t axis,
                                    const FaultPlace& fault);
// Tuples along the last axis of the indices are coordinates in dims from batchDims on.
Result<TuplePlaces> tuplePlaces(const Tensor& indices, std::span<const int64_t> dims, size_t batchDims,
                                const FaultPlace& fault);

}  // namespace cutaway::cuda
