#pragma once
// The one place that splits loops over threads (OpenMP, because oneDNN uses it too; std::thread when built without).
//
// Thread rule: callable from any thread; the number of threads is a property of the calling thread (ThreadShare), so
// that two sessions do not disturb each other. Example:
//   ThreadShare share(4);                     // this thread's loops may use 4 threads until share goes out of scope
//   parallelFor(rows, 16, [&](int64_t begin, int64_t end) { for (int64_t r = begin; r < end; ++r) ...; });

#include <cstdint>
#include <memory>
#include <type_traits>

namespace cutaway {

// Cores this process may use: affinity mask and cgroup quota respected; at least 1.
int availableThreads();

// The number of threads that loops of the calling thread may use.
int currentThreads();

// How many of the calling thread's threads pay for this much work: waking a thread for less than `workPerThread` costs
// more than it saves. At least 1.
int usefulThreads(int64_t work, int64_t workPerThread);

class ThreadShare {
 public:
  explicit ThreadShare(int threads);  // <= 0: availableThreads()
  ~ThreadShare();
  ThreadShare(const ThreadShare&) = delete;
  ThreadShare& operator=(const ThreadShare&) = delete;

 private:
  int m_previous;
};

namespace detail {
using LoopBody = void (*)(void* context, int64_t begin, int64_t end);
void runParallel(int64_t count, int64_t grain, LoopBody body, void* context);
}  // namespace detail

// Calls body(begin, end) on disjoint ranges that cover [0, count). No range is smaller than `grain` (but the last);
// small loops run inline. No heap allocation. Ranges depend on count, grain and the number of threads only. What body
// throws, such as std::bad_alloc, comes back to the caller; ranges that nobody began by then are left out.
template <typename Body>
void parallelFor(int64_t count, int64_t grain, Body&& body) {
  using Callable = std::remove_reference_t<Body>;
  detail::runParallel(
      count, grain, [](void* context, int64_t begin, int64_t end) { (*static_cast<Callable*>(context))(begin, end); },
      const_cast<void*>(static_cast<const void*>(std::addressof(body))));
}

}  // namespace cutaway
