#include "engine/report/measured_time.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/format.h"

namespace cutaway {

MeasuredTime measuredTime(const RunReport& run) {
  return {.runs = run.runs, .medianMs = run.medianMs, .lowMs = run.medianLowMs, .highMs = run.medianHighMs};
}

std::string millisecondsText(double ms) {
  return formatTime(static_cast<int64_t>(ms * 1e6));
}

std::string spreadText(const MeasuredTime& time) {
  if (time.runs == 1) return "1 run";
  std::string text = fmt::format("{} runs", formatCount(time.runs));
  if (time.highMs > time.lowMs)
    text += fmt::format(", {} between {} and {}", time.runs < kLeastRunsFor95 ? "all" : "median",
                        millisecondsText(time.lowMs), millisecondsText(time.highMs));
  return text;
}

std::string measuredText(const MeasuredTime& time) {
  return fmt::format("{} ({})", millisecondsText(time.medianMs), spreadText(time));
}

std::string fastestRunText(const RunReport& run) {
  if (run.runMs.size() < 2) return {};
  const auto fastest = std::ranges::min_element(run.runMs) - run.runMs.begin();
  return fmt::format("run {} of {}, the fastest", formatCount(fastest + 1), formatCount(std::ssize(run.runMs)));
}

}  // namespace cutaway
