#pragma once
// What ends work early, known to everything a thread calls while a scope is open: long loops (parallelFor), long
// products, bodies, kernels.
//
// A StopSignal joins what may end a run: a CancelToken, a moment in time, and a flag of the executor's own (another
// worker failed). A CancelScope makes it the calling thread's signal; parallelFor hands it on to the threads that help.
// Who sees stopRequested() returns as soon as possible; what it leaves behind is thrown away. Thread rule: StopSignal:
// any thread. A scope belongs to one thread; scopes nest, and an inner one replaces the outer. Example:
//   const StopSignal signal(options.cancel, nowNs() + 5'000'000'000);
//   const CancelScope scope(signal);
//   for (int64_t slice = 0; slice < slices && !stopRequested(); ++slice) multiply(slice);

#include <atomic>
#include <cstdint>

#include "engine/base/clock.h"
#include "engine/base/progress.h"

namespace cutaway {

class StopSignal {
 public:
  enum class Cause : uint8_t { kNone, kCancelled, kDeadline, kFailed };

  // deadlineNs: on nowNs()'s clock; 0: none. failed (may be nullptr): set by whoever else works on the same.
  explicit StopSignal(CancelToken token, int64_t deadlineNs = 0, const std::atomic<bool>* failed = nullptr)
      : m_token(std::move(token)), m_deadlineNs(deadlineNs), m_failed(failed) {}

  bool requested() const {
    if (m_token.cancelled()) return true;
    if (m_deadlineNs > 0 && nowNs() >= m_deadlineNs) return true;
    return m_failed != nullptr && m_failed->load(std::memory_order_relaxed);
  }
  // What the user asked for comes before what went wrong.
  Cause cause() const {
    if (m_token.cancelled()) return Cause::kCancelled;
    if (m_deadlineNs > 0 && nowNs() >= m_deadlineNs) return Cause::kDeadline;
    return m_failed != nullptr && m_failed->load(std::memory_order_relaxed) ? Cause::kFailed : Cause::kNone;
  }

 private:
  CancelToken m_token;
  int64_t m_deadlineNs;
  const std::atomic<bool>* m_failed;
};

namespace detail {
inline thread_local constinit const StopSignal* threadStopSignal = nullptr;
}  // namespace detail

class CancelScope {
 public:
  explicit CancelScope(const StopSignal* signal) : m_previous(detail::threadStopSignal) {
    detail::threadStopSignal = signal;
  }
  explicit CancelScope(const StopSignal& signal) : CancelScope(&signal) {}
  ~CancelScope() { detail::threadStopSignal = m_previous; }
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

 private:
  const StopSignal* m_previous;
};

// nullptr: nothing may end what this thread does.
inline const StopSignal* currentStopSignal() {
  return detail::threadStopSignal;
}

// Whether the calling thread should stop what it does. False without a scope.
inline bool stopRequested() {
  const StopSignal* signal = detail::threadStopSignal;
  return signal != nullptr && signal->requested();
}

}  // namespace cutaway
