#include "app/cli/plan_print.h"

#include <fmt/format.h>

#include "app/cli/output.h"
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
  struct Plan {
    const std::string& value;  // of the parameter
    const PlanFigures& figures;
  };
  const auto figure = [](auto PlanFigures::* which, std::string (*write)(int64_t)) {
    return [=](const Plan& plan) { return write(plan.figures.*which); };
  };
  TableOf<Plan> text({{table.parameter, [](const Plan& plan) { return plan.value; }},
                      {">peak", figure(&PlanFigures::peakBytes, formatBytes)},
                      {">bound", figure(&PlanFigures::lowerBoundBytes, formatBytes)},
                      {">ratio", [](const Plan& plan) { return ratioText(plan.figures); }},
                      {">unshared", figure(&PlanFigures::naiveBytes, formatBytes)},
                      {">outputs", figure(&PlanFigures::outputBytes, formatBytes)},
                      {">new buffers", figure(&PlanFigures::allocated, formatCount)},
                      {">reused", figure(&PlanFigures::reused, formatCount)},
                      {">in place", figure(&PlanFigures::inPlace, formatCount)},
                      {">parts", figure(&PlanFigures::parts, formatCount)},
                      {">open sizes", figure(&PlanFigures::unplannedValues, formatCount)},
                      {">planned in", figure(&PlanFigures::planNs, formatTime)},
                      {"problem", [](const Plan& plan) { return plan.figures.problem; }}});
  for (size_t i = 0; i < table.rows.size(); ++i)
    text.add({table.values[i], table.rows[i]});
  text.print();
}

namespace {

void printFigures(const PlanComparison& comparison) {
  TableOf<PlanFigures> figures({{"plan", &PlanFigures::title},
                                {">peak", written(&PlanFigures::peakBytes, formatBytes)},
                                {">bound", written(&PlanFigures::lowerBoundBytes, formatBytes)},
                                {">ratio", ratioText},
                                {">unshared", written(&PlanFigures::naiveBytes, formatBytes)},
                                {">new buffers", written(&PlanFigures::allocated, formatCount)},
                                {">reused", written(&PlanFigures::reused, formatCount)},
                                {">in place", written(&PlanFigures::inPlace, formatCount)},
                                {">parts", written(&PlanFigures::parts, formatCount)},
                                {"order", &PlanFigures::order},
                                {"rules", &PlanFigures::rules}});
  figures.add(comparison.a);
  figures.add(comparison.b);
  figures.print();
}

}  // namespace

void printPlanComparison(const PlanComparison& comparison, size_t mostValues) {
  printFigures(comparison);
  put("{} steps run another node; {} values are placed alike, {} differ\n", formatCount(comparison.movedSteps),
      formatCount(comparison.sameValues), formatCount(static_cast<int64_t>(comparison.values.size())));
  for (const std::string& warning : comparison.warnings)
    put("note: {}\n", warning);
  if (comparison.values.empty()) return;
  using Value = ValueDifference;
  TableOf<Value> values({{"value", &Value::name},
                         {">size", [](const Value& each) { return formatBytes(std::max(each.sizeA, each.sizeB)); }},
                         {"now",
                          [](const Value& each) {
                            return buffer(each.kindA, each.ruleA, each.bufferA == each.name ? "" : each.bufferA);
                          }},
                         {"life", [](const Value& each) { return lifeText(each.firstA, each.lastA); }},
                         {"what if",
                          [](const Value& each) {
                            return buffer(each.kindB, each.ruleB, each.bufferB == each.name ? "" : each.bufferB);
                          }},
                         {"life", [](const Value& each) { return lifeText(each.firstB, each.lastB); }},
                         {"why", &Value::reasonB}});
  for (size_t i = 0; i < comparison.values.size() && i < mostValues; ++i)
    values.add(comparison.values[i]);
  put("\n");
  values.print();
  if (comparison.values.size() > mostValues)
    put("and {} more (--json has all)\n", formatCount(static_cast<int64_t>(comparison.values.size() - mostValues)));
}

}  // namespace cutaway::cli
