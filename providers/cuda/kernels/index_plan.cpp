#include "providers/cuda/kernels/index_plan.h"

namespace cutaway::cuda {

void broadcastStrides(std::span<const int64_t> dims, std::span<const int64_t> target, int64_t* strides) {
  const size_t missing = target.size() - dims.size();
  int64_t step = 1;
  for (size_t i = target.size(); i-- > 0;) {
    const int64_t own = i < missing ? 1 : dims[i - missing];
    strides[i] = own == 1 ? 0 : step;
    step *= own;
  }
}

Result<int> mergeAxes(std::span<const int64_t> dims, std::span<const std::span<const int64_t>> strides,
                      int64_t* mergedDims, std::span<int64_t* const> mergedStrides) {
  int rank = 0;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis] == 1) continue;
    bool merges = rank > 0;
    for (size_t o = 0; merges && o < strides.size(); ++o)
      merges = mergedStrides[o][rank - 1] == strides[o][axis] * dims[axis];
    if (merges) {
      mergedDims[rank - 1] *= dims[axis];
    } else {
      if (rank == kMaximumRank)
        return fail(ErrorCode::kNotImplemented, "more than {} axes that cannot be merged", kMaximumRank);
      mergedDims[rank++] = dims[axis];
    }
    for (size_t o = 0; o < strides.size(); ++o)
      mergedStrides[o][rank - 1] = strides[o][axis];
  }
  return rank;
}

}  // namespace cutaway::cuda
