#pragma once
// The one argument of a chain's kernel, whether compiled at run time or interpreted: where operands lie under the
// chain's indexes. Chains compiled at run time hold this text too.
//
// Flat chains: an index is a pack of `width` neighbours along the innermost axis, as in elementwise_functors.h. Row
// chains: an index is a row of rowLength elements; dims and strides are those of the axes around it, and an operand's
// step along the row is 1 or 0. Thread rule: as shared.h. Example: int64_t at[2];  chainOffsets<2>(p, index, at);

#include "providers/cuda/functors/shared.h"

namespace cutaway::cuda {

inline constexpr int kMostChainInputs = 8;
inline constexpr int kMostChainOutputs = 4;

struct ChainArguments {
  const void* from[kMostChainInputs] = {};
  void* to[kMostChainOutputs] = {};
  int64_t count = 0;    // elements
  int64_t indexes = 0;  // packs, or rows
  int64_t rowLength = 0;
  int64_t dims[kMaximumRank] = {};
  int64_t strides[kMostChainInputs][kMaximumRank] = {};
  int32_t step[kMostChainInputs] = {};
  int32_t rank = 0;
  int32_t width = 1;
  int32_t narrow = 0;  // all offsets fit 31 bits
};

template <typename Index, int inputs>
CUTAWAY_SHARED void chainOffsetsAs(const ChainArguments& p, int64_t index, int64_t (&result)[inputs]) {
  Index at[inputs];
  for (int o = 0; o < inputs; ++o)
    at[o] = 0;
  Index rest = static_cast<Index>(index);
  for (int axis = p.rank - 1; axis >= 0; --axis) {
    const Index dim = static_cast<Index>(p.dims[axis]);
    const Index next = axis == 0 ? 0 : rest / dim;
    const Index here = rest - next * dim;
    for (int o = 0; o < inputs; ++o)
      at[o] += here * static_cast<Index>(p.strides[o][axis]);
    rest = next;
  }
  for (int o = 0; o < inputs; ++o)
    result[o] = static_cast<int64_t>(at[o]);
}
template <int inputs>
CUTAWAY_SHARED void chainOffsets(const ChainArguments& p, int64_t index, int64_t (&result)[inputs]) {
  if (p.narrow != 0)
    chainOffsetsAs<uint32_t, inputs>(p, index, result);
  else
    chainOffsetsAs<uint64_t, inputs>(p, index, result);
}

}  // namespace cutaway::cuda
