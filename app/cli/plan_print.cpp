#include "app/cli/plan_print.h"

#include <fmt/format.h>

#include "app/cli/text_table.h"
#include "engine/base/format.h"
#include "engine/report/walk_report.h"

namespace cutaway::cli {
namespace {

std::string ratioText(const PlanFigures& figures) {
  return figures.lowerBoundBytes > 0 ? fmt::format("{:.3f}", static_cast<double>(figures.peakBytes) /
                                                                 static_cast<double>(figures.lowerBoundBytes))
                                     : "-";
}

std::string buffer(AllocKind kind, AllocRule rule, const std::string& root) {
  return fmt::format("{} ({}){}", allocKindName(kind), allocRuleName(rule), root.empty() ? "" : " " + root);
}

std::string lifeText(int32_t first, int32_t last) {
  return first == kNone ? "" : fmt::format("{}..{}", first, last);
}

}  // namespace

void printPlanTable(const PlanTable& table) {
  TextTable text({table.parameter, ">peak", ">bound", ">ratio", ">unshared", ">outputs", ">new buffers", ">reused",
                  ">in place", ">parts", ">open sizes", ">planned in", "problem"});
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const PlanFigures& row = table.rows[i];
    text.add({table.values[i], formatBytes(row.peakBytes), formatBytes(row.lowerBoundBytes), ratioText(row),
              formatBytes(row.naiveBytes), formatBytes(row.outputBytes), formatCount(row.allocated),
              formatCount(row.reused), formatCount(row.inPlace), formatCount(row.parts),
              formatCount(row.unplannedValues), formatTime(row.planNs), row.problem});
  }
  text.print();
}

void printPlanComparison(const PlanComparison& comparison, size_t mostValues) {
  TextTable figures({"plan", ">peak", ">bound", ">ratio", ">unshared", ">new buffers", ">reused", ">in place", ">parts",
                     "order", "rules"});
  for (const PlanFigures* side : {&comparison.a, &comparison.b}) {
    figures.add({side->title, formatBytes(side->peakBytes), formatBytes(side->lowerBoundBytes), ratioText(*side),
                 formatBytes(side->naiveBytes), formatCount(side->allocated), formatCount(side->reused),
                 formatCount(side->inPlace), formatCount(side->parts), side->order, side->rules});
  }
  figures.print();
  fmt::print("{} steps run another node; {} values lie alike, {} differ\n", formatCount(comparison.movedSteps),
             formatCount(comparison.sameValues), formatCount(static_cast<int64_t>(comparison.values.size())));
  for (const std::string& warning : comparison.warnings)
    fmt::print("note: {}\n", warning);
  if (comparison.values.empty()) return;
  TextTable values({"value", ">size", "now", "life", "what if", "life", "why"});
  for (size_t i = 0; i < comparison.values.size() && i < mostValues; ++i) {
    const ValueDifference& each = comparison.values[i];
    values.add({each.name, formatBytes(std::max(each.sizeA, each.sizeB)),
                buffer(each.kindA, each.ruleA, each.bufferA == each.name ? "" : each.bufferA),
                lifeText(each.firstA, each.lastA),
                buffer(each.kindB, each.ruleB, each.bufferB == each.name ? "" : each.bufferB),
                lifeText(each.firstB, each.lastB), each.reasonB});
  }
  fmt::print("\n");
  values.print();
  if (comparison.values.size() > mostValues)
    fmt::print("and {} more (--json has all)\n",
               formatCount(static_cast<int64_t>(comparison.values.size() - mostValues)));
}

}  // namespace cutaway::cli
