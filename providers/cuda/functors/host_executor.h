#pragma once
// How functors run on the host: as loops, or as blocks of threads that take turns. Included by executor.h where the C++
// compiler compiles.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "providers/cuda/functors/block_threads.h"
#include "providers/cuda/functors/launch_limits.h"
#include "providers/cuda/functors/number.h"
#include "providers/cuda/functors/shared.h"

namespace cutaway::cuda {

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

}  // namespace cutaway::cuda
