#include "engine/operators/repeat.h"

#include <algorithm>

#include "engine/base/checked_math.h"
#include "engine/operators/dims.h"
#include "engine/operators/integer_list.h"

namespace cutaway::operators {

Result<Dims> expandedDims(std::span<const int64_t> dims, std::span<const int64_t> wanted) {
  const size_t rank = std::max(dims.size(), wanted.size());
  Dims expanded = filledList(rank, 1);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t left = i + dims.size() < rank ? 1 : dims[i + dims.size() - rank];
    const int64_t right = i + wanted.size() < rank ? 1 : wanted[i + wanted.size() - rank];
    if (right < 0 || (left != right && left != 1 && right != 1))
      return fail(ErrorCode::kInvalidArgument, "{} cannot be expanded to {}", dimsToText(dims), dimsToText(wanted));
    expanded[i] = left == 1 ? right : left;
  }
  return expanded;
}

StridedMove expandMove(std::span<const int64_t> dims, std::span<const int64_t> expanded) {
  const Dims strides = rowMajorStrides(dims);
  StridedMove move{Dims(expanded), filledList(expanded.size(), 0), rowMajorStrides(expanded)};
  const size_t added = expanded.size() - dims.size();
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != 1) move.fromStrides[added + i] = strides[i];
  }
  return move;
}

Result<Dims> tiledDims(std::span<const int64_t> dims, std::span<const int64_t> repeats) {
  if (repeats.size() != dims.size()) {
    return fail(ErrorCode::kInvalidArgument, "{} repeats are given for an input of rank {}", repeats.size(),
                dims.size());
  }
  Dims tiled(dims);
  for (size_t i = 0; i < dims.size(); ++i) {
    if (repeats[i] < 0) return fail(ErrorCode::kInvalidArgument, "axis {} is repeated {} times", i, repeats[i]);
    CUTAWAY_TRY(tiled[i], checkedMultiply(dims[i], repeats[i]));
  }
  return tiled;
}

StridedMove tileMove(std::span<const int64_t> dims, std::span<const int64_t> repeats, std::span<const int64_t> tiled) {
  const size_t rank = dims.size();
  const Dims strides = rowMajorStrides(dims), tiledStrides = rowMajorStrides(tiled);
  StridedMove move{filledList(2 * rank, 0), filledList(2 * rank, 0), filledList(2 * rank, 0)};
  for (size_t i = 0; i < rank; ++i) {
    move.dims[2 * i] = repeats[i];
    move.dims[2 * i + 1] = dims[i];
    move.fromStrides[2 * i + 1] = strides[i];
    move.toStrides[2 * i] = tiledStrides[i] * dims[i];
    move.toStrides[2 * i + 1] = tiledStrides[i];
  }
  return move;
}

}  // namespace cutaway::operators
