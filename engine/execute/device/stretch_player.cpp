#include "engine/execute/device/stretch_player.h"

#include <algorithm>

#include "engine/execute/executor_step.h"

namespace cutaway {

StretchPlayer::StretchPlayer(const GraphProgram& program) : m_program(program), m_states(program.stretches.size()) {
  if (program.stretches.empty()) return;
  m_at.assign(program.steps.size(), -1);
  for (size_t i = 0; i < program.stretches.size(); ++i) {
    m_at[program.stretches[i].first] = static_cast<int32_t>(i);
    m_states[i].addresses.reserve(program.stretches[i].reads.size() + program.stretches[i].leaving.size());
  }
}

// Waits of all its steps, and of the buffers it releases: inside a recording nobody can wait for what was told outside.
Result<void> StretchPlayer::waitFor(Frame& frame, const Stretch& stretch) const {
  for (uint32_t step = stretch.first; step < stretch.first + stretch.count; ++step) {
    if (!m_program.steps[step].waits.empty()) CUTAWAY_CHECK(waitBefore(frame, m_program.steps[step]));
  }
  for (const uint32_t root : stretch.released)
    waitBeforeRelease(frame, root);
  return {};
}

Result<void> StretchPlayer::placeLeaving(Frame& frame, const Stretch& stretch) const {
  for (const Stretch::Leaving& leaving : stretch.leaving) {
    frame.slot(leaving.value).given = nullptr;
    CUTAWAY_CHECK(frame.prepareOutput(leaving.value, leaving.type, leaving.dims));
  }
  return {};
}

void StretchPlayer::findAddresses(Frame& frame, const Stretch& stretch, State& state) const {
  state.addresses.clear();
  const auto add = [&](uint32_t value) {
    const RuntimeValue& each = frame.value(value);
    state.addresses.push_back(each.isTensor() ? each.tensor().data() : nullptr);
  };
  for (const uint32_t value : stretch.reads)
    add(value);
  for (const Stretch::Leaving& leaving : stretch.leaving)
    add(leaving.value);
}

Result<uint32_t> StretchPlayer::play(Frame& frame, const RunControl& control, StepContext& context, size_t& index) {
  const auto number = static_cast<size_t>(m_at[index]);
  const Stretch& stretch = m_program.stretches[number];
  State& state = m_states[number];
  DeviceRun* const run = frame.run(stretch.run);
  // Places of another plan than the static one are not known beforehand.
  if (run == nullptr || !state.problem.empty() || frame.pattern() != m_program.staticPattern) return 0u;
  if (!std::exchange(state.warm, true)) return 0u;
  CUTAWAY_CHECK(waitFor(frame, stretch));
  if (state.recordings > 0 && state.placement == frame.placement()) {
    CUTAWAY_CHECK(placeLeaving(frame, stretch));
    findAddresses(frame, stretch, state);
    CUTAWAY_TRY(const bool started, run->replay(stretch.number, state.addresses));
    if (started) {
      ++state.replays;
      for (const uint32_t root : stretch.released)
        frame.release(root);
      return stretch.count;
    }
  }
  if (state.recordings >= kMostRecordings) {
    state.problem = fmt::format("its addresses changed {} times", state.recordings);
    return 0u;
  }
  return record(frame, control, context, stretch, state, index);
}

Result<void> StretchPlayer::runSteps(Frame& frame, const RunControl& control, StepContext& context,
                                     const Stretch& stretch, size_t& index) const {
  for (uint32_t step = stretch.first; step < stretch.first + stretch.count; ++step) {
    index = step;
    CUTAWAY_CHECK(runStep(frame, step, control, context));
    for (const uint32_t root : m_program.steps[step].released)
      frame.release(root);
  }
  return {};
}

// Types may lie.
std::string StretchPlayer::changedShape(Frame& frame, const Stretch& stretch) const {
  for (uint32_t step = stretch.first; step < stretch.first + stretch.count; ++step) {
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

Result<uint32_t> StretchPlayer::record(Frame& frame, const RunControl& control, StepContext& context,
                                       const Stretch& stretch, State& state, size_t& index) {
  DeviceRun& run = *frame.run(stretch.run);
  // Whatever the device refuses is no error: the steps are run as usual.
  if (auto begun = run.beginRecording(stretch.number); !begun) {
    state.problem = std::move(begun).error().message;
    return 0u;
  }
  const Result<void> told = runSteps(frame, control, context, stretch, index);
  index = stretch.first;
  if (!told) {
    std::ignore = run.endRecording(-1, {});
    state.problem = told.error().message;
    return 0u;
  }
  state.problem = changedShape(frame, stretch);
  findAddresses(frame, stretch, state);
  CUTAWAY_TRY(const bool started, run.endRecording(stretch.number, state.addresses));
  if (!started) {
    state.problem = run.recordingProblem(stretch.number);
    if (state.problem.empty()) state.problem = "the device refused to record it";
    return 0u;
  }
  ++state.recordings;
  state.placement = frame.placement();
  return stretch.count;
}

void StretchPlayer::describe(std::vector<StretchReport>& reports) const {
  for (size_t i = 0; i < m_states.size(); ++i) {
    const Stretch& stretch = m_program.stretches[i];
    const State& state = m_states[i];
    reports.push_back({.graph = m_program.graphIndex,
                       .firstStep = static_cast<int32_t>(stretch.first),
                       .steps = static_cast<int32_t>(stretch.count),
                       .provider = m_program.runs[static_cast<size_t>(stretch.run)].provider->name(),
                       .recordings = state.recordings,
                       .replays = state.replays,
                       .problem = state.problem});
  }
}

}  // namespace cutaway
