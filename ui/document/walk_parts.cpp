#include "ui/document/walk_parts.h"

#include <algorithm>

namespace cutaway::ui {

static_assert(partOf(Stage::kLoad) == WalkPart::kLoad && partOf(Stage::kPattern) == WalkPart::kPattern &&
              partOf(Stage::kRun) == WalkPart::kRun && partOf(Stage::kContext) == WalkPart::kContext);

WalkParts changedParts(const WalkReport& before, const WalkReport& after) {
  WalkParts changed;
  const auto compare = [&](WalkPart part, const auto&... reports) {
    if (((before.*reports != after.*reports) || ...)) changed |= part;
  };
  compare(WalkPart::kLoad, &WalkReport::load);
  // Replaced by resolve, with types in them.
  compare(after.resolve ? WalkPart::kResolve : WalkPart::kLoad, &WalkReport::loadedGraphs);
  compare(WalkPart::kResolve, &WalkReport::resolve, &WalkReport::loadedCosts);
  compare(WalkPart::kOptimize, &WalkReport::optimize, &WalkReport::optimizedGraphs, &WalkReport::optimizedCosts);
  compare(WalkPart::kPartition, &WalkReport::partition, &WalkReport::partitionedGraphs, &WalkReport::partitionedCosts);
  compare(WalkPart::kSchedule, &WalkReport::schedule);
  compare(WalkPart::kAllocate, &WalkReport::allocate);
  compare(WalkPart::kPattern, &WalkReport::pattern);
  // What making the session took is drawn in front of its runs.
  compare(WalkPart::kRun, &WalkReport::run, &WalkReport::creation);
  compare(WalkPart::kContext, &WalkReport::context);
  const bool sameStates = std::ranges::equal(before.stages, after.stages, [](const auto& a, const auto& b) {
    return a.state == b.state && a.timeNs == b.timeNs;
  });
  if (!sameStates || before.error.has_value() != after.error.has_value()) changed |= WalkPart::kStates;
  return changed;
}

}  // namespace cutaway::ui
