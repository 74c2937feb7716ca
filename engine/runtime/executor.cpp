// The sequential executor. A steady run takes no lock, allocates nothing and looks nothing up; what only some runs need (profile, values to keep) is left out of the others' loop.

#include "engine/runtime/executor.h"

#include "engine/runtime/executor_step.h"
#include "engine/runtime/run_recorder.h"

namespace cutaway {
namespace {

struct Extras {
  LaneRecorder* recorder = nullptr;
  std::vector<KeptValue>* kept = nullptr;
};

// Runs from `index` on; index stays at the step that failed.
template <bool withExtras>
Result<void> runAll(Frame& frame, const RunControl& control, const Extras& extras, const StopSignal* stop, StepContext& context, size_t& index) {
  const std::span<const StepProgram> steps = frame.program().steps;
  for (; index < steps.size(); ++index) {
    if (stop != nullptr && stop->requested()) [[unlikely]] return fail(stoppedError(*stop));
    if (withExtras && extras.recorder != nullptr) extras.recorder->beginStep(frame.program(), index);
    if (auto done = runStep(frame, index, control, context); !done) [[unlikely]] return fail(stepError(frame.program(), index, std::move(done).error()));
    if constexpr (withExtras) {
      if (extras.recorder != nullptr) extras.recorder->endStep(frame, index);
      if (extras.kept != nullptr) CUTAWAY_CHECK(keepOutputs(frame, index, control, *extras.kept));
    }
    for (uint32_t root : steps[index].released) frame.release(root);
  }
  return {};
}

Result<void> runSteps(Frame& frame, const RunControl& control, std::vector<KeptValue>* kept) {
  const StopSignal* stop = currentStopSignal();
  const Extras extras{control.recorder, kept != nullptr && !control.keep.empty() ? kept : nullptr};
  StepContext context(frame, frame.scratch(), stop, control.recorder);
  size_t index = 0;
  Result<void> done;
  try {
    done = extras.recorder != nullptr || extras.kept != nullptr ? runAll<true>(frame, control, extras, stop, context, index) : runAll<false>(frame, control, extras, stop, context, index);
  } catch (...) {
    done = fail(stepError(frame.program(), index, exceptionError()));
  }
  // A kernel that was told to stop left its outputs unfinished, whatever it answered; the last step of a run is no exception.
  if (stop != nullptr && stop->requested()) [[unlikely]] return fail(stoppedError(*stop));
  return done;
}

}  // namespace

Result<void> runFrame(Frame& frame, const RunControl& control) { return runSteps(frame, control, nullptr); }

Result<void> runMainFrame(Frame& frame, const RunControl& control, std::vector<KeptValue>& kept) {
  const StopSignal stop(control.cancel, control.deadlineNs);
  const CancelScope scope(stop);
  return runSteps(frame, control, &kept);
}

}  // namespace cutaway
