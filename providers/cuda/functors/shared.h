#pragma once
// What host and device compilers share: the functors of this folder are compiled by both.
//
// Each family has a header with its parameter blocks and functors, and one <family>_table.cpp that names their
// instances. The file is compiled twice: by the C++ compiler for the emulator, and by nvcc for the module. Functors
// use no standard library but <cstdint> and <cmath>-like functions through number.h; a parameter block is trivially
// copyable and at most 4,000 bytes. Thread rule: functors are pure but for the memory they write; no two indexes write
// one place. Example: see elementwise_functors.h.

#include <cstdint>

#ifdef __CUDACC__
#define CUTAWAY_SHARED __host__ __device__ __forceinline__
#else
#define CUTAWAY_SHARED inline
#endif

namespace cutaway::cuda {

inline constexpr int kMaximumRank = 8;

// Turns a flat index of a dense shape into offsets of operands that lie otherwise (broadcast, strided, permuted). Axes
// are the shape's, the last one fastest; neighbours that lie alike are merged by who fills it
// (providers/cuda/kernels/index_plan.h), so that rank is small.
template <int operands>
struct IndexMap {
  int32_t rank = 0;
  int64_t dims[kMaximumRank] = {};
  int64_t strides[operands][kMaximumRank] = {};  // elements; 0: broadcast

  CUTAWAY_SHARED void offsets(int64_t index, int64_t (&result)[operands]) const {
    for (int o = 0; o < operands; ++o)
      result[o] = 0;
    for (int axis = rank - 1; axis >= 0; --axis) {
      const int64_t next = axis == 0 ? 0 : index / dims[axis];
      const int64_t at = index - next * dims[axis];
      for (int o = 0; o < operands; ++o)
        result[o] += at * strides[o][axis];
      index = next;
    }
  }
};

}  // namespace cutaway::cuda
