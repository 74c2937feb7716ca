#include "engine/report/json.h"

namespace cutaway {

using Json = nlohmann::json;

namespace {

Json allocationToJson(const ValueAllocation& value) {
  Json json = {{"value", value.value}, {"kind", allocKindName(value.kind)}, {"device", value.device}, {"starts", value.starts}, {"ends", value.ends}, {"reason", value.reason}};
  if (value.reusedValue != kNone) json["reused_value"] = value.reusedValue;
  if (value.rootValue != kNone) json["root_value"] = value.rootValue;
  if (value.inPlace) json["in_place"] = true;
  if (value.sizeBytes >= 0) json["size_bytes"] = value.sizeBytes;
  if (!value.sizeText.empty()) json["size"] = value.sizeText;
  return json;
}

Json patternToJson(const GraphPattern& pattern) {
  Json blocks = Json::array();
  for (const PatternBlock& block : pattern.blocks) {
    blocks.push_back({{"value", block.value},
                      {"offset", block.offset},
                      {"size_bytes", block.sizeBytes},
                      {"needed_bytes", block.neededBytes},
                      {"first_step", block.firstStep},
                      {"last_step", block.lastStep}});
  }
  Json parts = Json::array();
  for (const PeakPart& part : pattern.peak) {
    parts.push_back({{"value", part.value}, {"size_bytes", part.sizeBytes}, {"producer", part.producer}, {"kept_alive_by", part.keptAliveBy}});
  }
  return {{"graph", pattern.graph},
          {"device", pattern.device},
          {"blocks", std::move(blocks)},
          {"peak_bytes", pattern.peakBytes},
          {"lower_bound_bytes", pattern.lowerBoundBytes},
          {"naive_bytes", pattern.naiveBytes},
          {"fragmentation", pattern.fragmentation},
          {"peak_step", pattern.peakStep},
          {"peak", std::move(parts)},
          {"live_bytes", pattern.liveBytes},
          {"unplanned", pattern.unplanned}};
}

Json timingToJson(const NodeTiming& node) {
  return {{"graph", node.graph},
          {"node", node.node},
          {"step", node.step},
          {"start_ns", node.startNs},
          {"total_ns", node.totalNs},
          {"min_ns", node.minNs},
          {"max_ns", node.maxNs},
          {"calls", node.calls},
          {"thread", node.thread},
          {"variant", node.variant},
          {"output_bytes", node.outputBytes},
          {"input_shapes", node.inputShapes},
          {"output_shapes", node.outputShapes}};
}

Json summariesToJson(const std::vector<TensorSummary>& tensors) {
  Json json = Json::array();
  for (const TensorSummary& tensor : tensors) {
    json.push_back({{"name", tensor.name},
                    {"type", tensor.type},
                    {"size_bytes", tensor.sizeBytes},
                    {"preview", tensor.preview},
                    {"minimum", tensor.minimum},
                    {"maximum", tensor.maximum},
                    {"mean", tensor.mean},
                    {"nan_count", tensor.nanCount},
                    {"inf_count", tensor.infCount}});
  }
  return json;
}

}  // namespace

Json toJson(const ScheduleReport& report) {
  Json graphs = Json::array();
  for (const GraphSchedule& graph : report.graphs) {
    Json steps = Json::array();
    for (const ScheduleStep& step : graph.steps) steps.push_back({{"node", step.node}, {"stream", step.stream}});
    graphs.push_back({{"graph", graph.graph}, {"steps", std::move(steps)}, {"streams", graph.streams}, {"critical_path", graph.criticalPath}, {"width", graph.width}});
  }
  return {{"order", report.order}, {"graphs", std::move(graphs)}, {"time_ns", report.timeNs}};
}

Json toJson(const AllocateReport& report) {
  Json graphs = Json::array();
  for (const GraphAllocation& graph : report.graphs) {
    Json values = Json::array();
    for (const ValueAllocation& value : graph.values) {
      if (value.kind != AllocKind::kNotSet) values.push_back(allocationToJson(value));
    }
    graphs.push_back({{"graph", graph.graph}, {"values", std::move(values)}});
  }
  return {{"graphs", std::move(graphs)},
          {"allocated", report.allocated},
          {"reused", report.reused},
          {"in_place", report.inPlace},
          {"statically", report.statically},
          {"outputs", report.outputs},
          {"pre_existing", report.preExisting},
          {"weights_bytes", report.weightsBytes},
          {"time_ns", report.timeNs}};
}

Json toJson(const PatternReport& report) {
  Json graphs = Json::array();
  for (const GraphPattern& graph : report.graphs) graphs.push_back(patternToJson(graph));
  return {{"graphs", std::move(graphs)},
          {"strategy", report.strategy},
          {"eligible", report.eligible},
          {"reason", report.reason},
          {"peak_bytes", report.peakBytes},
          {"lower_bound_bytes", report.lowerBoundBytes},
          {"naive_bytes", report.naiveBytes},
          {"time_ns", report.timeNs}};
}

Json toJson(const RunReport& report) {
  Json nodes = Json::array();
  for (const NodeTiming& node : report.nodes) nodes.push_back(timingToJson(node));
  return {{"runs", report.runs},
          {"warmups", report.warmups},
          {"threads", report.threads},
          {"seed", report.seed},
          {"median_ms", report.medianMs},
          {"min_ms", report.minMs},
          {"max_ms", report.maxMs},
          {"mean_ms", report.meanMs},
          {"p90_ms", report.p90Ms},
          {"p99_ms", report.p99Ms},
          {"first_run_ms", report.firstRunMs},
          {"run_ms", report.runMs},
          {"nodes", std::move(nodes)},
          {"inputs", summariesToJson(report.inputs)},
          {"outputs", summariesToJson(report.outputs)},
          {"planned_peak_bytes", report.plannedPeakBytes},
          {"lower_bound_bytes", report.lowerBoundBytes},
          {"weights_bytes", report.weightsBytes},
          {"measured_peak_bytes", report.measuredPeakBytes},
          {"peak_rss_bytes", report.peakRssBytes},
          {"profiled", report.profiled}};
}

}  // namespace cutaway
