#pragma once
// When each step of the main order ran in the recorded run, and which steps a range of time holds.
//
// Thread rule: immutable once made; made in time linear in the spans.
// Example: const StepTimes times = stepTimes(view, document.steps());  times.stepAt(1'200'000);  times.stepsIn({0,
// 5e5});

#include <optional>
#include <vector>

#include "ui/document/step_index.h"
#include "ui/panels/run/run_view.h"

namespace cutaway::ui {

struct StepTimes {
  std::vector<TimeRange> ranges;  // by step; empty ones (end before begin) did not run
  std::vector<int> byStart;       // steps that ran, by the moment they began

  std::optional<TimeRange> timeOf(int step) const;
  int stepAt(double ns) const;  // that began last before the moment; -1: none
  std::optional<Playhead::Range> stepsIn(const TimeRange& range) const;
  std::optional<TimeRange> timeOf(const Playhead::Range& steps) const;
};

StepTimes stepTimes(const RunView& view, const StepIndex& steps);

}  // namespace cutaway::ui
