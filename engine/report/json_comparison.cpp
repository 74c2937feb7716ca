// Comparisons as JSON: of two partitions, and of two configurations' numbers.

#include <cmath>

#include <nlohmann/json.hpp>

#include "engine/report/json.h"

namespace cutaway {

using Json = nlohmann::json;

namespace {

Json figuresToJson(const PartitionFigures& figures) {
  Json providers = Json::array();
  for (const ProviderFigures& provider : figures.providers) {
    providers.push_back({{"provider", provider.provider},
                         {"simulated", provider.simulated},
                         {"nodes", provider.nodes},
                         {"groups", provider.groups},
                         {"flops", provider.flops},
                         {"weight_bytes", provider.weightBytes},
                         {"estimated_ns", provider.estimatedNs}});
  }
  return {{"title", figures.title},
          {"providers", std::move(providers)},
          {"unassigned_nodes", figures.unassignedNodes},
          {"groups", figures.groups},
          {"compiled_groups", figures.compiledGroups},
          {"copies", figures.copies},
          {"casts", figures.casts},
          {"copied_bytes", figures.copiedBytes},
          {"copies_of_unknown_size", figures.copiesOfUnknownSize},
          {"planned_peak_bytes", figures.plannedPeakBytes},
          {"estimated_ns", figures.estimatedNs},
          {"estimated_copy_ns", figures.estimatedCopyNs},
          {"measured_ns", figures.measuredNs},
          {"simulated", figures.simulated},
          {"warnings", figures.warnings}};
}

Json copiesToJson(const std::vector<CopyReport>& copies) {
  Json json = Json::array();
  for (const CopyReport& copy : copies)
    json.push_back(toJson(copy));
  return json;
}

// JSON has no infinity and no NaN: they stand as texts.
Json numberToJson(double number) {
  return std::isfinite(number) ? Json(number) : Json(std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
}

}  // namespace

Json toJson(const PartitionComparison& comparison) {
  Json moved = Json::array();
  for (const MovedNode& node : comparison.moved) {
    moved.push_back({{"graph", node.graph},
                     {"node", node.node},
                     {"name", node.name},
                     {"op_type", node.opType},
                     {"from", node.from},
                     {"to", node.to},
                     {"reason", node.reason},
                     {"flops", node.flops}});
  }
  return {{"a", figuresToJson(comparison.a)},
          {"b", figuresToJson(comparison.b)},
          {"moved", std::move(moved)},
          {"copies_only_in_a", copiesToJson(comparison.copiesOnlyInA)},
          {"copies_only_in_b", copiesToJson(comparison.copiesOnlyInB)},
          {"estimate_basis", comparison.estimateBasis}};
}

Json toJson(const AccuracyReport& report) {
  Json values = Json::array();
  for (const ValueAccuracy& value : report.values) {
    values.push_back({{"value", value.value},
                      {"node", value.node},
                      {"op_type", value.opType},
                      {"provider_a", value.providerA},
                      {"provider_b", value.providerB},
                      {"element_type", value.elementType},
                      {"shape", value.shape},
                      {"elements", value.elements},
                      {"max_absolute", numberToJson(value.maxAbsolute)},
                      {"max_relative", numberToJson(value.maxRelative)},
                      {"root_mean_square", numberToJson(value.rootMeanSquare)},
                      {"cosine", numberToJson(value.cosine)},
                      {"non_finite_mismatches", value.nonFiniteMismatches},
                      {"outside_tolerance", value.outsideTolerance},
                      {"is_output", value.isOutput},
                      {"problem", value.problem}});
  }
  return {{"configuration_a", report.configurationA},
          {"configuration_b", report.configurationB},
          {"relative_tolerance", report.relativeTolerance},
          {"absolute_tolerance", report.absoluteTolerance},
          {"values", std::move(values)},
          {"first_divergence", report.firstDivergence},
          {"worst", report.worst},
          {"not_comparable", report.notComparable},
          {"failing_model", report.failingModel},
          {"failing_nodes", report.failingNodes},
          {"warnings", report.warnings}};
}

}  // namespace cutaway
