#pragma once
// Takes the place of the device prelude when a chain's source is compiled for the host (tst_chain_source): one thread
// in one block, the numbers of functors. Thread rule: none; one call at a time. Example: c++ -include host_shim.h
// -shared chain.cpp

#include <cstdint>

#include "providers/cuda/functors/number.h"
#include "providers/cuda/functors/shared.h"

#define CUTAWAY_CHAIN_ON_HOST
#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(threads)
#define __grid_constant__

struct HostIndex {
  unsigned x = 0;
};
static const HostIndex blockIdx, threadIdx;
static const HostIndex gridDim{1}, blockDim{1};
inline void __syncthreads() {}

namespace cutaway::cuda {
struct RowAdd {
  static float apply(float a, float b) { return a + b; }
};
struct RowMaximum {
  static float apply(float a, float b) { return a != a ? a : (b != b ? b : (a > b ? a : b)); }
};
template <typename Combine>
float rowReduce(float value) {
  return value;
}
}  // namespace cutaway::cuda
