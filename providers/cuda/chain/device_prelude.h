#pragma once
// What a chain's source needs of the compiler it has at run time, which comes without headers: whole numbers, 16-bit
// floats, a block's reductions. It stands first in every source; where the source is compiled for the host (tests),
// another file takes its place and CUTAWAY_CHAIN_ON_HOST is defined. Thread rule: as the device. Example: see
// chain_source.cpp.

#ifndef CUTAWAY_CHAIN_ON_HOST
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#define __builtin_memcpy memcpy
#define CUTAWAY_SHARED __device__ __forceinline__
namespace cutaway::cuda {
inline constexpr int kMaximumRank = 8;
struct Half {
  uint16_t bits;
};
struct Brain {
  uint16_t bits;
};
template <typename T>
struct ComputeOf {
  using type = T;
};
template <>
struct ComputeOf<Half> {
  using type = float;
};
template <>
struct ComputeOf<Brain> {
  using type = float;
};
template <typename T>
using Compute = typename ComputeOf<T>::type;
template <typename T>
CUTAWAY_SHARED Compute<T> load(T value) {
  return value;
}
template <typename T>
CUTAWAY_SHARED T store(Compute<T> value) {
  return value;
}
template <>
CUTAWAY_SHARED float load<Half>(Half value) {
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(value.bits));
  return f;
}
template <>
CUTAWAY_SHARED Half store<Half>(float value) {
  Half h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h.bits) : "f"(value));
  return h;
}
template <>
CUTAWAY_SHARED float load<Brain>(Brain value) {
  return __uint_as_float(static_cast<uint32_t>(value.bits) << 16);
}
template <>
CUTAWAY_SHARED Brain store<Brain>(float value) {
  const uint32_t bits = __float_as_uint(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return Brain{static_cast<uint16_t>((bits >> 16) | 0x40u)};
  return Brain{static_cast<uint16_t>((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16)};
}
struct RowAdd {
  __device__ __forceinline__ static float apply(float a, float b) { return a + b; }
};
struct RowMaximum {
  __device__ __forceinline__ static float apply(float a, float b) {
    return a != a ? a : (b != b ? b : (a > b ? a : b));
  }
};
// Every thread gets the combination of all threads' values, by a fixed tree. blockDim.x is a multiple of 32.
template <typename Combine>
__device__ __forceinline__ float rowReduce(float value) {
  __shared__ float partial[32];
  for (int offset = 16; offset > 0; offset /= 2)
    value = Combine::apply(value, __shfl_xor_sync(0xffffffffu, value, offset));
  const int warps = static_cast<int>(blockDim.x) / 32;
  if (warps == 1) return value;
  __syncthreads();
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  value = partial[0];
  for (int i = 1; i < warps; ++i)
    value = Combine::apply(value, partial[i]);
  return value;
}
}  // namespace cutaway::cuda
#endif
