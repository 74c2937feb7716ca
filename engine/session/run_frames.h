#pragma once
// The idle frames of a session: a run takes one, or makes one, and gives it back.
//
// One short lock to take and one to give. As many frames stay idle as were in use at once lately; the rest go, with
// their memory. Thread rule: any thread. Example: std::unique_ptr<RunFrame> frame = frames.take();  ...
// frames.giveBack(std::move(frame));

#include <memory>
#include <mutex>
#include <vector>

#include "engine/execute/frame/frame.h"
#include "engine/execute/program/fetch_plan.h"
#include "engine/execute/run_recorder.h"
#include "engine/session/feed_check.h"

namespace cutaway::session {

// A main frame with what preparing its runs needs.
struct RunFrame {
  RunFrame(const execute::GraphProgram& program, execute::MemoryMeter& meter) : frame(program, meter) {}
  execute::Frame frame;
  FeedMatch match;
  std::shared_ptr<const execute::FetchPlan> fetch;  // of the latest run
  std::unique_ptr<execute::RunRecorder> recorder;   // from the first profiled run on
};

class RunFrames {
 public:
  RunFrames(const execute::GraphProgram& program, execute::MemoryMeter& meter) : m_program(program), m_meter(meter) {}

  std::unique_ptr<RunFrame> take();
  void giveBack(std::unique_ptr<RunFrame> frame);
  // A frame that is not to be used again (its run ended in a way that nobody foresaw).
  void lose();
  // Idle frames go.
  void shrink();
  size_t idleCount() const;
  template <typename Visit>
  void forEachIdle(Visit&& visit) const {
    const std::scoped_lock lock(m_mutex);
    for (const auto& each : m_idle)
      visit(each->frame);
  }

 private:
  static constexpr int kWindow = 256;  // runs over which frames in use at once are counted

  const execute::GraphProgram& m_program;
  execute::MemoryMeter& m_meter;
  mutable std::mutex m_mutex;
  std::vector<std::unique_ptr<RunFrame>> m_idle;
  size_t m_inUse = 0;
  size_t m_mostInUse = 0;  // in this window
  int m_runs = 0;          // of this window
};

}  // namespace cutaway::session
