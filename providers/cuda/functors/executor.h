#pragma once
// How functors run: over every index (forEach), or as blocks of threads that work together (forEachBlock). One source
// for both sides: on the host, loops; on the device, kernels.
//
// forEach(f, count): f(index). forEachBlock(f, blocks): f(block, number), where `block` gives thread(), threads(),
// sync(), shared memory and sums over the block. On the host a block has one thread, so the same code is the plain
// loop, or, with hostBlocks(), as many as on the device, taking turns; code must be right for every number of threads.
// Thread rule: as the device.
// Example:
//   struct RowSum { const float* x; float* y; int64_t n; template <typename Block> CUTAWAY_SHARED void
//   operator()(Block& block, int64_t row) const {
//     float sum = 0; for (int64_t i = block.thread(); i < n; i += block.threads()) sum += x[row * n + i];
//     sum = block.sum(sum); if (block.thread() == 0) y[row] = sum; } };

#include "providers/cuda/functors/number.h"
#include "providers/cuda/functors/shared.h"

#ifndef __CUDACC__
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "providers/cuda/functors/block_threads.h"
#endif

namespace cutaway::cuda {

struct StreamTag;
using Stream = StreamTag*;

inline constexpr int kThreadsPerBlock = 256;
inline constexpr int kMaximumReduceWarps = 32;

#ifdef __CUDACC__

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

#else

// One thread that does all the block's work, or (hostBlocks()) one of as many as the device would have.
class HostBlock {
 public:
  explicit HostBlock(unsigned char* shared, BlockThreads* team = nullptr, int thread = 0)
      : m_shared(shared), m_team(team), m_thread(thread) {}
  int thread() const { return m_thread; }
  int threads() const { return m_team == nullptr ? 1 : m_team->threads(); }
  void sync() const {
    if (m_team != nullptr) m_team->sync();
  }
  int lane() const { return m_thread % 32; }
  int lanes() const { return m_team == nullptr ? 1 : 32; }
  int warp() const { return m_thread / 32; }
  int warps() const { return m_team == nullptr ? 1 : m_team->threads() / 32; }
  void syncWarp() const {
    if (m_team != nullptr) m_team->syncWarp();
  }
  template <typename T>
  T* shared(int64_t byteOffset = 0) const {
    return reinterpret_cast<T*>(m_shared + byteOffset);
  }

  template <typename T, typename Combine>
  T reduce(T value, Combine combine) const {
    if (m_team == nullptr) return value;
    offer(value);
    m_team->sync();
    T total = combined<T>(0, combine);
    for (int i = 1; i < warps(); ++i)
      total = combine(total, combined<T>(i, combine));
    m_team->sync();
    return total;
  }
  template <typename T, typename Combine>
  T warpReduce(T value, Combine combine) const {
    if (m_team == nullptr) return value;
    offer(value);
    m_team->syncWarp();
    const T total = combined<T>(warp(), combine);
    m_team->syncWarp();
    return total;
  }
  int32_t addTo(int32_t* place, int32_t value) const {
    const int32_t before = *place;
    *place += value;
    return before;
  }
  template <typename T>
  T sum(T value) const {
    return reduce(value, [](T a, T b) { return a + b; });
  }
  template <typename T>
  T maximum(T value) const {
    return reduce(value, [](T a, T b) { return a < b ? b : a; });
  }

 private:
  template <typename T>
  void offer(const T& value) const {
    static_assert(sizeof(T) <= BlockThreads::kPlaceBytes && std::is_trivially_copyable_v<T>);
    std::memcpy(m_team->place(m_thread), &value, sizeof(T));
  }
  // Of one warp, by the device's tree.
  template <typename T, typename Combine>
  T combined(int warp, Combine combine) const {
    std::array<T, 32> values, next;
    for (size_t i = 0; i < 32; ++i)
      std::memcpy(static_cast<void*>(&values[i]), m_team->place(warp * 32 + static_cast<int>(i)), sizeof(T));
    for (size_t offset = 16; offset > 0; offset /= 2) {
      for (size_t i = 0; i < 32; ++i)
        next[i] = combine(values[i], values[i ^ offset]);
      values = next;
    }
    return values[0];
  }

  unsigned char* m_shared;
  BlockThreads* m_team;
  int m_thread;
};

// The number that a launch gives where threads of a block ended while others waited for them; on a device they would
// wait for ever.
inline constexpr int kUnevenThreads = 1;

// Where launches go while the emulator does not run them at once (streams that run late, recordings): a copy of the
// functor, and what runs such bytes. nullptr: they run at once.
class HostSink {
 public:
  using Run = int (*)(const void* functor, int64_t count, int threads, int64_t sharedBytes);
  virtual void take(Run run, const void* functor, size_t sizeBytes, int64_t count, int threads,
                    int64_t sharedBytes) = 0;

 protected:
  ~HostSink() = default;
};
inline thread_local HostSink* hostSink = nullptr;

template <typename Functor>
int runEach(const void* functor, int64_t count, int /*threads*/, int64_t /*sharedBytes*/) {
  const Functor& each = *static_cast<const Functor*>(functor);
  if (hostBlocks() == HostBlocks::kBackward) {
    for (int64_t i = count; i-- > 0;)
      each(i);
    return 0;
  }
  for (int64_t i = 0; i < count; ++i)
    each(i);
  return 0;
}

template <typename Functor>
int runEachBlock(const void* functor, int64_t blocks, int threads, int64_t sharedBytes) {
  const Functor& each = *static_cast<const Functor*>(functor);
  std::vector<unsigned char> shared(static_cast<size_t>(sharedBytes));
  if (hostBlocks() == HostBlocks::kSingle) {
    HostBlock block(shared.data());
    for (int64_t b = 0; b < blocks; ++b)
      each(block, b);
    return 0;
  }
  const bool backwards = hostBlocks() == HostBlocks::kBackward;
  BlockThreads team(threads, backwards);
  for (int64_t i = 0; i < blocks; ++i) {
    const int64_t b = backwards ? blocks - 1 - i : i;
    std::fill(shared.begin(), shared.end(), static_cast<unsigned char>(0xcd));  // shared memory begins with anything
    const bool even = team.run([&](int thread) {
      HostBlock block(shared.data(), &team, thread);
      each(block, b);
    });
    if (!even) return kUnevenThreads;
  }
  return 0;
}

template <typename Functor>
int launchOnHost(HostSink::Run run, const Functor& functor, int64_t count, int threads, int64_t sharedBytes) {
  static_assert(std::is_trivially_copyable_v<Functor> && alignof(Functor) <= alignof(std::max_align_t));
  if (count <= 0) return 0;
  if (hostSink == nullptr) return run(&functor, count, threads, sharedBytes);
  hostSink->take(run, &functor, sizeof(Functor), count, threads, sharedBytes);
  return 0;
}

template <typename Functor>
int forEach(const Functor& functor, int64_t count, Stream /*stream*/, int /*multiprocessors*/) {
  return launchOnHost(&runEach<Functor>, functor, count, 1, 0);
}

template <typename Functor>
int forEachBlock(const Functor& functor, int64_t blocks, Stream /*stream*/, int /*multiprocessors*/,
                 int threads = kThreadsPerBlock, int64_t sharedBytes = 0) {
  return launchOnHost(&runEachBlock<Functor>, functor, blocks, threads, sharedBytes);
}

#endif

}  // namespace cutaway::cuda
