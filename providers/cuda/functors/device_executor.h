#pragma once
// How functors run on the device: as kernels. Included by executor.h where nvcc compiles.

#include "providers/cuda/functors/launch_limits.h"
#include "providers/cuda/functors/number.h"
#include "providers/cuda/functors/shared.h"

namespace cutaway::cuda {

class DeviceBlock {
 public:
  __device__ explicit DeviceBlock(unsigned char* shared) : m_shared(shared) {}
  __device__ int thread() const { return static_cast<int>(threadIdx.x); }
  __device__ int threads() const { return static_cast<int>(blockDim.x); }
  __device__ void sync() const { __syncthreads(); }
  // Warps of 32 lanes work apart from each other between sync(): a row a warp, say. On the host both are one.
  __device__ int lane() const { return static_cast<int>(threadIdx.x) % 32; }
  __device__ int lanes() const { return 32; }
  __device__ int warp() const { return static_cast<int>(threadIdx.x) / 32; }
  __device__ int warps() const { return static_cast<int>(blockDim.x) / 32; }
  __device__ void syncWarp() const { __syncwarp(); }
  // The block's shared memory, as many bytes as forEachBlock was given; sync() between writing and reading is the
  // functor's business.
  template <typename T>
  __device__ T* shared(int64_t byteOffset = 0) const {
    return reinterpret_cast<T*>(m_shared + byteOffset);
  }

  // Every thread gets the combination of all threads' values. combine is associative and commutative; the tree is
  // fixed, so the result is the same every time.
  template <typename T, typename Combine>
  __device__ T reduce(T value, Combine combine) const {
    __shared__ __align__(16) unsigned char place[kMaximumReduceWarps * sizeof(T)];
    T* partial = reinterpret_cast<T*>(place);
    value = warpReduce(value, combine);
    if (warps() == 1) return value;
    __syncthreads();
    if (lane() == 0) partial[warp()] = value;
    __syncthreads();
    T total = partial[0];
    for (int i = 1; i < warps(); ++i)
      total = combine(total, partial[i]);
    return total;
  }
  // The same over the lanes of one warp; all of them must get here.
  template <typename T, typename Combine>
  __device__ T warpReduce(T value, Combine combine) const {
    for (int offset = 16; offset > 0; offset /= 2)
      value = combine(value, exchange(value, offset));
    return value;
  }
  // Adds to a whole number that several threads add to, and gives what it was: for counting and for places in any
  // order.
  __device__ int32_t addTo(int32_t* place, int32_t value) const { return atomicAdd(place, value); }
  template <typename T>
  __device__ T sum(T value) const {
    return reduce(value, [](T a, T b) { return a + b; });
  }
  template <typename T>
  __device__ T maximum(T value) const {
    return reduce(value, [](T a, T b) { return a < b ? b : a; });
  }

 private:
  // Any trivially copyable type, four bytes at a time.
  template <typename T>
  __device__ static T exchange(T value, int offset) {
    static_assert(sizeof(T) % 4 == 0, "reduce works on types of whole 32-bit words");
    unsigned words[sizeof(T) / 4];
    __builtin_memcpy(words, &value, sizeof(T));
    for (unsigned& word : words)
      word = __shfl_xor_sync(0xffffffffu, word, offset);
    T other;
    __builtin_memcpy(&other, words, sizeof(T));
    return other;
  }
  unsigned char* m_shared;
};

template <typename Functor>
__global__ void __launch_bounds__(kThreadsPerBlock)
    forEachKernel(const __grid_constant__ Functor functor, int64_t count) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    functor(i);
}

template <typename Functor>
__global__ void __launch_bounds__(1024) forEachBlockKernel(const __grid_constant__ Functor functor, int64_t blocks) {
  extern __shared__ __align__(16) unsigned char cutawayShared[];
  DeviceBlock block(cutawayShared);
  for (int64_t b = blockIdx.x; b < blocks; b += gridDim.x) {
    functor(block, b);
    __syncthreads();
  }
}

// Both give the number of a cudaError_t.
template <typename Functor>
int forEach(const Functor& functor, int64_t count, Stream stream, int multiprocessors) {
  if (count <= 0) return 0;
  const int64_t wanted = (count + kThreadsPerBlock - 1) / kThreadsPerBlock;
  const int64_t most = static_cast<int64_t>(multiprocessors) * 32;
  forEachKernel<<<static_cast<unsigned>(wanted < most ? wanted : most), kThreadsPerBlock, 0,
                  reinterpret_cast<cudaStream_t>(stream)>>>(functor, count);
  return static_cast<int>(cudaGetLastError());
}

// threads: a multiple of 32, at most 1024.
template <typename Functor>
int forEachBlock(const Functor& functor, int64_t blocks, Stream stream, int /*multiprocessors*/,
                 int threads = kThreadsPerBlock, int64_t sharedBytes = 0) {
  if (blocks <= 0) return 0;
  if (sharedBytes > 48 * 1024) {
    const cudaError_t raised = cudaFuncSetAttribute(
        forEachBlockKernel<Functor>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sharedBytes));
    if (raised != cudaSuccess) return static_cast<int>(raised);
  }
  const int64_t most = 0x7fffffff;
  forEachBlockKernel<<<static_cast<unsigned>(blocks < most ? blocks : most), static_cast<unsigned>(threads),
                       static_cast<size_t>(sharedBytes), reinterpret_cast<cudaStream_t>(stream)>>>(functor, blocks);
  return static_cast<int>(cudaGetLastError());
}

}  // namespace cutaway::cuda
