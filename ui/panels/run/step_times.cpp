#include "ui/panels/run/step_times.h"

#include <algorithm>

namespace cutaway::ui {

StepTimes stepTimes(const RunView& view, const StepIndex& steps) {
  StepTimes times;
  times.ranges.assign(static_cast<size_t>(steps.count()), TimeRange{0, -1});
  if (!view.lanes || !view.lanes->spans) return times;
  for (const TraceSpan& span : *view.lanes->spans) {
    if (span.node < 0 || span.graph < 0) continue;
    const int step = steps.stepOf({GraphVersion::kPartitioned, span.graph, span.node});
    if (step < 0) continue;
    TimeRange& range = times.ranges[static_cast<size_t>(step)];
    const double begin = static_cast<double>(span.startNs), end = static_cast<double>(span.startNs + span.durationNs);
    if (range.endNs < range.beginNs) range = {begin, end};
    range.beginNs = std::min(range.beginNs, begin);
    range.endNs = std::max(range.endNs, end);
  }
  for (size_t step = 0; step < times.ranges.size(); ++step)
    if (times.timeOf(static_cast<int>(step))) times.byStart.push_back(static_cast<int>(step));
  std::stable_sort(times.byStart.begin(), times.byStart.end(), [&](int a, int b) {
    return times.ranges[static_cast<size_t>(a)].beginNs < times.ranges[static_cast<size_t>(b)].beginNs;
  });
  return times;
}

std::optional<TimeRange> StepTimes::timeOf(int step) const {
  if (step < 0 || static_cast<size_t>(step) >= ranges.size() ||
      ranges[static_cast<size_t>(step)].endNs < ranges[static_cast<size_t>(step)].beginNs)
    return {};
  return ranges[static_cast<size_t>(step)];
}

int StepTimes::stepAt(double ns) const {
  const auto after = std::upper_bound(byStart.begin(), byStart.end(), ns, [&](double moment, int step) {
    return moment < ranges[static_cast<size_t>(step)].beginNs;
  });
  return after == byStart.begin() ? (byStart.empty() ? -1 : byStart.front()) : *(after - 1);
}

std::optional<Playhead::Range> StepTimes::stepsIn(const TimeRange& range) const {
  std::optional<Playhead::Range> steps;
  for (const int step : byStart) {
    const TimeRange& time = ranges[static_cast<size_t>(step)];
    if (time.beginNs >= range.endNs) break;
    if (time.endNs <= range.beginNs) continue;
    steps = steps ? Playhead::Range{std::min(steps->first, step), std::max(steps->last, step)}
                  : Playhead::Range{step, step};
  }
  return steps;
}

std::optional<TimeRange> StepTimes::timeOf(const Playhead::Range& steps) const {
  std::optional<TimeRange> time;
  for (int step = std::max(0, steps.first); step <= steps.last && static_cast<size_t>(step) < ranges.size(); ++step)
    if (const auto of = timeOf(step))
      time = time ? TimeRange{std::min(time->beginNs, of->beginNs), std::max(time->endNs, of->endNs)} : *of;
  return time;
}

}  // namespace cutaway::ui
