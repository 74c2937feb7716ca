#include "engine/execute/device/captured_segment_player.h"

#include <algorithm>

#include "engine/execute/executor_step.h"

namespace cutaway::execute {

CapturedSegmentPlayer::CapturedSegmentPlayer(const GraphProgram& program)
    : m_program(program), m_states(program.capturedSegments.size()) {
  if (program.capturedSegments.empty()) return;
  m_at.assign(program.steps.size(), -1);
  for (size_t i = 0; i < program.capturedSegments.size(); ++i) {
    m_at[program.capturedSegments[i].first] = static_cast<int32_t>(i);
    m_states[i].addresses.reserve(program.capturedSegments[i].reads.size() +
                                  program.capturedSegments[i].leaving.size());
  }
}

// Waits of all its steps, and of the buffers it releases: inside a recording nobody can wait for what was enqueued
// outside.
Result<void> CapturedSegmentPlayer::waitFor(Frame& frame, const CapturedSegment& segment) const {
  for (uint32_t step = segment.first; step < segment.first + segment.count; ++step) {
    if (!m_program.steps[step].waits.empty()) CUTAWAY_CHECK(waitBefore(frame, m_program.steps[step]));
  }
  for (const uint32_t root : segment.released)
    waitBeforeRelease(frame, root);
  return {};
}

Result<void> CapturedSegmentPlayer::placeLeaving(Frame& frame, const CapturedSegment& segment) const {
  for (const CapturedSegment::Leaving& leaving : segment.leaving) {
    frame.slot(leaving.value).given = nullptr;
    CUTAWAY_CHECK(frame.prepareOutput(leaving.value, leaving.type, leaving.dims));
  }
  return {};
}

void CapturedSegmentPlayer::findAddresses(Frame& frame, const CapturedSegment& segment, State& state) const {
  state.addresses.clear();
  const auto add = [&](uint32_t value) {
    const RuntimeValue& each = frame.value(value);
    state.addresses.push_back(each.isTensor() ? each.tensor().data() : nullptr);
  };
  for (const uint32_t value : segment.reads)
    add(value);
  for (const CapturedSegment::Leaving& leaving : segment.leaving)
    add(leaving.value);
}

Result<uint32_t> CapturedSegmentPlayer::play(Frame& frame, const RunControl& control, StepContext& context,
                                             size_t& index) {
  const auto number = static_cast<size_t>(m_at[index]);
  const CapturedSegment& segment = m_program.capturedSegments[number];
  State& state = m_states[number];
  DeviceRun* const run = frame.run(segment.run);
  // Places of another plan than the static one are not known beforehand.
  if (run == nullptr || !state.problem.empty() || frame.pattern() != m_program.staticPattern) return 0u;
  if (!std::exchange(state.warm, true)) return 0u;
  CUTAWAY_CHECK(waitFor(frame, segment));
  if (state.recordings > 0 && state.placement == frame.placement()) {
    CUTAWAY_CHECK(placeLeaving(frame, segment));
    findAddresses(frame, segment, state);
    CUTAWAY_TRY(const bool started, run->replay(segment.number, state.addresses));
    if (started) {
      ++state.replays;
      for (const uint32_t root : segment.released)
        frame.release(root);
      return segment.count;
    }
  }
  if (state.recordings >= kMostRecordings) {
    state.problem = fmt::format("its addresses changed {} times", state.recordings);
    return 0u;
  }
  return record(frame, control, context, segment, state, index);
}

Result<void> CapturedSegmentPlayer::runSteps(Frame& frame, const RunControl& control, StepContext& context,
                                             const CapturedSegment& segment, size_t& index) const {
  for (uint32_t step = segment.first; step < segment.first + segment.count; ++step) {
    index = step;
    CUTAWAY_CHECK(runStep(frame, step, control, context));
    for (const uint32_t root : m_program.steps[step].released)
      frame.release(root);
  }
  return {};
}

// Types may lie.
std::string CapturedSegmentPlayer::changedShape(Frame& frame, const CapturedSegment& segment) const {
  for (uint32_t step = segment.first; step < segment.first + segment.count; ++step) {
    for (const int32_t output : m_program.steps[step].outputs) {
      if (output == kAbsent) continue;
      const RuntimeValue& value = frame.value(static_cast<size_t>(output));
      const int64_t wanted = m_program.staticSizes[static_cast<size_t>(output)];
      if (value.isTensor() && value.tensor().sizeBytes() != wanted)
        return fmt::format("'{}' has another size than its type says",
                           m_program.graph->value(ValueId{static_cast<size_t>(output)}).name);
    }
  }
  return {};
}

Result<uint32_t> CapturedSegmentPlayer::record(Frame& frame, const RunControl& control, StepContext& context,
                                               const CapturedSegment& segment, State& state, size_t& index) {
  DeviceRun& run = *frame.run(segment.run);
  // Whatever the device refuses is no error: the steps are run as usual.
  if (auto begun = run.beginRecording(segment.number); !begun) {
    state.problem = std::move(begun).error().message;
    return 0u;
  }
  const Result<void> enqueued = runSteps(frame, control, context, segment, index);
  index = segment.first;
  if (!enqueued) {
    std::ignore = run.endRecording(-1, {});
    state.problem = enqueued.error().message;
    return 0u;
  }
  state.problem = changedShape(frame, segment);
  findAddresses(frame, segment, state);
  CUTAWAY_TRY(const bool started, run.endRecording(segment.number, state.addresses));
  if (!started) {
    state.problem = run.recordingProblem(segment.number);
    if (state.problem.empty()) state.problem = "the device refused to record it";
    return 0u;
  }
  ++state.recordings;
  state.placement = frame.placement();
  return segment.count;
}

void CapturedSegmentPlayer::describe(std::vector<CapturedSegmentReport>& reports) const {
  for (size_t i = 0; i < m_states.size(); ++i) {
    const CapturedSegment& segment = m_program.capturedSegments[i];
    const State& state = m_states[i];
    reports.push_back({.graph = m_program.graphIndex,
                       .firstStep = static_cast<int32_t>(segment.first),
                       .steps = static_cast<int32_t>(segment.count),
                       .provider = m_program.runs[static_cast<size_t>(segment.run)].provider->name(),
                       .recordings = state.recordings,
                       .replays = state.replays,
                       .problem = state.problem});
  }
}

}  // namespace cutaway::execute
