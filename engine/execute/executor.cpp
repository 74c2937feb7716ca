// The sequential executor. A steady run takes no lock, allocates nothing and looks nothing up; what only some runs need
// (profile, values to keep) is left out of the others' loop.

#include "engine/execute/executor.h"

#include "engine/execute/device/captured_segment_player.h"
#include "engine/execute/executor_step.h"
#include "engine/execute/run_recorder.h"

namespace cutaway::execute {
namespace {

struct Extras {
  const StepList* list = nullptr;  // the steps to run; nullptr: all
  LaneRecorder* recorder = nullptr;
  std::vector<KeptValue>* kept = nullptr;
};

// index stays at the step that failed.
template <bool withExtras>
Result<void> runAll(Frame& frame, const RunControl& control, const Extras& extras, const StopSignal* stop,
                    StepContext& context, size_t& index) {
  const std::span<const StepProgram> steps = frame.program().steps;
  const StepList* list = withExtras ? extras.list : nullptr;
  const size_t count = list == nullptr ? steps.size() : list->steps.size();
  const bool hasDevices = frame.runCount() > 0;
  for (size_t at = 0; at < count; ++at) {
    index = list == nullptr ? at : list->steps[at];
    if (stop != nullptr && stop->requested()) [[unlikely]]
      return fail(stoppedError(*stop));
    if constexpr (!withExtras) {
      if (hasDevices && frame.capturedSegments().startsAt(at)) [[unlikely]] {
        CUTAWAY_TRY(const uint32_t played, frame.capturedSegments().play(frame, control, context, index));
        if (played > 0) {
          at += played - 1;
          continue;
        }
      }
    }
    if (withExtras && extras.recorder != nullptr) extras.recorder->beginStep(frame.program(), index);
    if (auto done = runStep(frame, index, control, context); !done) [[unlikely]]
      return fail(stepError(frame.program(), index, std::move(done).error()));
    if constexpr (withExtras) {
      if (extras.recorder != nullptr) extras.recorder->endStep(frame, index);
      if (extras.kept != nullptr) CUTAWAY_CHECK(keepOutputs(frame, index, control, *extras.kept));
    }
    for (uint32_t root : list == nullptr ? steps[index].released : list->released[at]) {
      if (hasDevices && !frame.program().values[root].copies.empty()) [[unlikely]]
        waitBeforeRelease(frame, root);
      frame.release(root);
    }
  }
  return {};
}

// The first error counts: later ones follow from it.
Result<void> beginRuns(Frame& frame, bool profiled) {
  for (size_t i = 0; i < frame.runCount(); ++i) {
    if (ProviderRun* run = frame.run(static_cast<int32_t>(i)); run != nullptr) CUTAWAY_CHECK(run->begin(profiled));
  }
  return {};
}

void endRuns(Frame& frame, Result<void>& done) {
  for (size_t i = 0; i < frame.runCount(); ++i) {
    ProviderRun* const run = frame.run(static_cast<int32_t>(i));
    if (run == nullptr) continue;
    if (auto ended = run->end(done.has_value()); !ended && done) done = fail(std::move(ended).error());
  }
}

Result<void> runSteps(Frame& frame, const RunControl& control, std::vector<KeptValue>* kept) {
  const StopSignal* stop = currentStopSignal();
  const Extras extras{frame.steps(), control.recorder, kept != nullptr && !control.keep.empty() ? kept : nullptr};
  StepContext context(frame, frame.scratch(), stop, control.recorder);
  size_t index = 0;
  Result<void> done;
  // Bodies tell the runs of the outermost frame, between its begin and end.
  const bool outermost = kept != nullptr;
  if (outermost) done = beginRuns(frame, control.recorder != nullptr);
  try {
    if (done)
      done = extras.list != nullptr || extras.recorder != nullptr || extras.kept != nullptr
                 ? runAll<true>(frame, control, extras, stop, context, index)
                 : runAll<false>(frame, control, extras, stop, context, index);
  } catch (...) {
    done = fail(stepError(frame.program(), index, exceptionError(frame, index)));
  }
  if (outermost) endRuns(frame, done);
  // A kernel that was told to stop left its outputs unfinished, whatever it answered; the last step of a run is no
  // exception.
  if (stop != nullptr && stop->requested()) [[unlikely]]
    return fail(stoppedError(*stop));
  return done;
}

}  // namespace

Result<void> runFrame(Frame& frame, const RunControl& control) {
  return runSteps(frame, control, nullptr);
}

Result<void> runMainFrame(Frame& frame, const RunControl& control, std::vector<KeptValue>& kept) {
  const StopSignal stop(control.cancel, control.deadlineNs);
  const CancelScope scope(stop);
  return runSteps(frame, control, &kept);
}

}  // namespace cutaway::execute
