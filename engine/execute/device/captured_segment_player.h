#pragma once
// Records and replays the captured segments of one frame.
//
// First run: step by step, so that kernels and workspace find their sizes. Second run: recorded, and started. From then
// on replayed, as long as the addresses are those of a recording: outputs whose memory changes from run to run are
// recorded again a few times, then the segment goes back to steps, and says why. Profiled runs, and runs that keep
// values or leave steps out, go step by step. Thread rule: as Frame. A steady replay allocates nothing. Example: if
// (player.startsAt(step)) CUTAWAY_TRY(const uint32_t done, player.play(frame, control, context, index));

#include <span>
#include <vector>

#include "engine/execute/program/graph_program.h"
#include "engine/execute/run_control.h"

namespace cutaway::execute {

class Frame;
class StepContext;

class CapturedSegmentPlayer {
 public:
  static constexpr int32_t kMostRecordings = 4;  // with different addresses

  explicit CapturedSegmentPlayer(const GraphProgram& program);

  bool startsAt(size_t step) const { return step < m_at.size() && m_at[step] >= 0; }
  // The segment that starts at `index`: how many steps were done; 0: run the step as usual. index: of the step that
  // failed.
  Result<uint32_t> play(Frame& frame, const RunControl& control, StepContext& context, size_t& index);
  // One report per segment of the program.
  void describe(std::vector<CapturedSegmentReport>& reports) const;

 private:
  struct State {
    bool warm = false;
    uint64_t placement = 0;
    int64_t recordings = 0;
    int64_t replays = 0;
    std::string problem;
    std::vector<const void*> addresses;  // kept for its capacity
  };

  Result<void> waitFor(Frame& frame, const CapturedSegment& segment) const;
  Result<void> placeLeaving(Frame& frame, const CapturedSegment& segment) const;
  void findAddresses(Frame& frame, const CapturedSegment& segment, State& state) const;
  Result<uint32_t> record(Frame& frame, const RunControl& control, StepContext& context, const CapturedSegment& segment,
                          State& state, size_t& index);
  Result<void> runSteps(Frame& frame, const RunControl& control, StepContext& context, const CapturedSegment& segment,
                        size_t& index) const;
  std::string changedShape(Frame& frame, const CapturedSegment& segment) const;

  const GraphProgram& m_program;
  std::vector<int32_t> m_at;  // by step: index of the segment that starts there; empty: there is none
  std::vector<State> m_states;
};

}  // namespace cutaway::execute
