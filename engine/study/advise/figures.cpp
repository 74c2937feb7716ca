#include "engine/study/advise/figures.h"

#include <algorithm>
#include <cstdlib>

#include "engine/study/what_if/compare_plans.h"

namespace cutaway::study {

std::vector<AdviceFigure> adviceFigures(const WalkReport& walk, const std::string& last) {
  std::vector<AdviceFigure> figures;
  const auto add = [&](AdviceMeasure measure, int64_t figure) { figures.push_back({measure, figure, -1}); };
  const PartitionReport& partition = *walk.partition;
  const PlanFigures plan = planFigures(walk, {});
  int64_t left = 0;
  int64_t copiedBytes = 0;
  for (const NodePlacement& node : partition.nodes)
    left += node.provider == last ? 1 : 0;
  for (const CopyReport& copy : partition.copies)
    copiedBytes += std::max<int64_t>(0, copy.sizeBytes);
  add(AdviceMeasure::kLeftNodes, partition.providers.size() > 1 ? left : -1);
  add(AdviceMeasure::kPeakBytes, walk.pattern && plan.unplannedValues == 0 ? plan.peakBytes : -1);
  add(AdviceMeasure::kUnplannedBuffers, walk.pattern ? plan.unplannedValues : -1);
  add(AdviceMeasure::kCopies, static_cast<int64_t>(partition.copies.size()));
  add(AdviceMeasure::kCopiedBytes, copiedBytes);
  add(AdviceMeasure::kGroups, static_cast<int64_t>(partition.groups.size()));
  add(AdviceMeasure::kNodes, walk.optimize ? walk.optimize->nodesAfter : -1);
  return figures;
}

double shareOf(const AdviceFigure& figure) {
  if (figure.before <= 0) return 1;
  return static_cast<double>(std::abs(figure.before - figure.after)) / static_cast<double>(figure.before);
}

void compareFigures(const std::vector<AdviceFigure>& before, const std::vector<AdviceFigure>& after, Advice& advice) {
  for (const AdviceFigure& old : before) {
    const auto found = std::ranges::find(after, old.measure, &AdviceFigure::measure);
    if (found == after.end() || old.before < 0 || found->before < 0 || old.before == found->before) continue;
    const AdviceFigure change{old.measure, old.before, found->before};
    (change.after < change.before ? advice.gains : advice.costs).push_back(change);
  }
  std::ranges::stable_sort(advice.gains, std::greater<>(), shareOf);
  std::ranges::stable_sort(advice.costs, std::greater<>(), shareOf);
}

}  // namespace cutaway::study
