#include "engine/report/json.h"

namespace cutaway {

using Json = nlohmann::json;

namespace {

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
