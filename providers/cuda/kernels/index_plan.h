#pragma once
// Makes IndexMaps: how operands of other shapes lie under an output's indexes, with neighbouring axes merged.
//
// Thread rule: pure. Example: CUTAWAY_TRY(const IndexMap<2> map, broadcastMap<2>(y.dims(), {a.dims(), b.dims()}));

#include <array>
#include <span>

#include "engine/base/result.h"
#include "providers/cuda/functors/shared.h"

namespace cutaway::cuda {

// Axes of `dims` with the strides (elements) of each operand along them; axes of size 1 are dropped and neighbours
// merged where every operand allows. rank 0: one element. NOT_IMPLEMENTED when more than kMaximumRank axes are left.
Result<int> mergeAxes(std::span<const int64_t> dims, std::span<const std::span<const int64_t>> strides,
                      int64_t* mergedDims, std::span<int64_t* const> mergedStrides);
// Strides of a dense operand that is broadcast to `target`; `dims` has at most as many axes.
void broadcastStrides(std::span<const int64_t> dims, std::span<const int64_t> target, int64_t* strides);

template <int operands>
Result<IndexMap<operands>> indexMap(std::span<const int64_t> dims,
                                    const std::array<std::span<const int64_t>, operands>& strides) {
  IndexMap<operands> map;
  std::array<int64_t*, operands> targets{};
  for (int o = 0; o < operands; ++o)
    targets[static_cast<size_t>(o)] = map.strides[o];
  CUTAWAY_TRY(map.rank, mergeAxes(dims, strides, map.dims, targets));
  return map;
}

template <int operands>
Result<IndexMap<operands>> broadcastMap(std::span<const int64_t> target,
                                        const std::array<std::span<const int64_t>, operands>& dims) {
  constexpr size_t kMostAxes = 64;
  if (target.size() > kMostAxes) return fail(ErrorCode::kNotImplemented, "a tensor of {} axes", target.size());
  int64_t strides[operands][kMostAxes];
  std::array<std::span<const int64_t>, operands> views;
  for (size_t o = 0; o < operands; ++o) {
    broadcastStrides(dims[o], target, strides[o]);
    views[o] = {strides[o], target.size()};
  }
  return indexMap<operands>(target, views);
}

}  // namespace cutaway::cuda
