#pragma once
// An event-loop watchdog: how long the GUI thread did not come back to its events, and what was going on then.
//
// Thread rule: GUI thread. Example: StallWatch watch;  watch.begin("zooming");  ...  print(watch.worst(10));

#include <algorithm>
#include <string>
#include <vector>

#include <time.h>

#include <QObject>

#include "engine/base/clock.h"

namespace cutaway::bench {

struct Stall {
  std::string during;
  double ms = 0;
  double cpuMs = 0;  // of these, this thread really computed: the rest it waited, on a busy machine for its turn
};

class StallWatch : public QObject {
 public:
  StallWatch() {
    restart();
    startTimer(1, Qt::PreciseTimer);
  }
  void begin(std::string what) {
    look();
    m_during = std::move(what);
  }
  void restart() {
    m_stalls.clear();
    m_last = nowNs();
    m_lastCpu = cpuNs();
  }
  std::vector<Stall> worst(size_t most) {
    look();
    std::sort(m_stalls.begin(), m_stalls.end(), [](const Stall& a, const Stall& b) { return a.ms > b.ms; });
    return {m_stalls.begin(), m_stalls.begin() + static_cast<std::ptrdiff_t>(std::min(most, m_stalls.size()))};
  }
  double worstMs() {
    const auto first = worst(1);
    return first.empty() ? 0 : first.front().ms;
  }

 protected:
  void timerEvent(QTimerEvent*) override { look(); }

 private:
  static constexpr double kWorthTellingMs = 16;
  void look() {
    const int64_t now = nowNs();
    const double ms = static_cast<double>(now - m_last) / 1e6;
    if (ms > kWorthTellingMs) m_stalls.push_back({m_during, ms, static_cast<double>(cpuNs() - m_lastCpu) / 1e6});
    m_last = now;
    m_lastCpu = cpuNs();
  }

  static int64_t cpuNs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
  }

  int64_t m_last = 0;
  int64_t m_lastCpu = 0;
  std::string m_during = "start";
  std::vector<Stall> m_stalls;
};

}  // namespace cutaway::bench
