#include <nlohmann/json.hpp>

#include "engine/report/json.h"

namespace cutaway {

using Json = nlohmann::json;

namespace {

Json figuresToJson(const PlanFigures& figures) {
  Json json = {{"title", figures.title},
               {"order", figures.order},
               {"rules", figures.rules},
               {"peak_bytes", figures.peakBytes},
               {"lower_bound_bytes", figures.lowerBoundBytes},
               {"naive_bytes", figures.naiveBytes},
               {"output_bytes", figures.outputBytes},
               {"weights_bytes", figures.weightsBytes},
               {"unplanned_values", figures.unplannedValues},
               {"allocated", figures.allocated},
               {"reused", figures.reused},
               {"in_place", figures.inPlace},
               {"parts", figures.parts},
               {"plan_ns", figures.planNs},
               {"critical_path_cost", figures.criticalPathCost},
               {"cost_unit", figures.costUnit},
               {"live_bytes", figures.liveBytes}};
  if (!figures.problem.empty()) json["problem"] = figures.problem;
  return json;
}

Json sideToJson(AllocKind kind, AllocRule rule, const std::string& buffer, int64_t offset, int64_t size, int32_t first,
                int32_t last, const std::string& reason) {
  return {{"kind", allocKindName(kind)}, {"rule", allocRuleName(rule)}, {"buffer", buffer},  {"offset", offset},
          {"size_bytes", size},          {"first_step", first},         {"last_step", last}, {"reason", reason}};
}

}  // namespace

Json toJson(const PlanComparison& comparison) {
  Json values = Json::array();
  for (const ValueDifference& each : comparison.values) {
    values.push_back({{"value", each.value},
                      {"name", each.name},
                      {"a", sideToJson(each.kindA, each.ruleA, each.bufferA, each.offsetA, each.sizeA, each.firstA,
                                       each.lastA, each.reasonA)},
                      {"b", sideToJson(each.kindB, each.ruleB, each.bufferB, each.offsetB, each.sizeB, each.firstB,
                                       each.lastB, each.reasonB)}});
  }
  return {{"a", figuresToJson(comparison.a)},     {"b", figuresToJson(comparison.b)},
          {"values", std::move(values)},          {"same_values", comparison.sameValues},
          {"moved_steps", comparison.movedSteps}, {"warnings", comparison.warnings}};
}

Json toJson(const PlanTable& table) {
  Json rows = Json::array();
  for (const PlanFigures& row : table.rows)
    rows.push_back(figuresToJson(row));
  return {{"parameter", table.parameter}, {"values", table.values}, {"rows", std::move(rows)}};
}

}  // namespace cutaway
