#pragma once
// Monotonic time in nanoseconds, and a stopwatch.
//
// Thread rule: pure. Example: Stopwatch watch; work(); report.timeNs = watch.elapsedNs();

#include <chrono>
#include <cstdint>

namespace cutaway {

inline int64_t nowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

class Stopwatch {
 public:
  int64_t elapsedNs() const { return nowNs() - m_startNs; }
  void restart() { m_startNs = nowNs(); }

 private:
  int64_t m_startNs = nowNs();
};

}  // namespace cutaway
