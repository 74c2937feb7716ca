// A run, its spans, and two runs compared, as JSON.

#include "engine/report/json_run.h"

#include <nlohmann/json.hpp>

namespace cutaway {

using Json = nlohmann::json;

namespace {

Json timingToJson(const NodeTiming& node) {
  Json parts = Json::array();
  for (const SubStepTiming& part : node.subSteps)
    parts.push_back({{"name", part.name}, {"total_ns", part.totalNs}, {"calls", part.calls}});
  return {{"graph", node.graph},
          {"node", node.node},
          {"step", node.step},
          {"start_ns", node.startNs},
          {"total_ns", node.totalNs},
          {"min_ns", node.minNs},
          {"max_ns", node.maxNs},
          {"deviation_ns", node.deviationNs},
          {"calls", node.calls},
          {"thread", node.thread},
          {"variant", node.variant},
          {"provider", node.provider},
          {"input_bytes", node.inputBytes},
          {"output_bytes", node.outputBytes},
          {"flops", node.flops},
          {"scratch_bytes", node.scratchBytes},
          {"allocated_bytes", node.allocatedBytes},
          {"host_ns", node.hostNs},
          {"input_shapes", node.inputShapes},
          {"output_shapes", node.outputShapes},
          {"sub_steps", std::move(parts)}};
}

Json samplesToJson(const std::vector<MemorySample>& samples) {
  Json json = Json::array();
  for (const MemorySample& sample : samples) {
    json.push_back({{"time_ns", sample.timeNs},
                    {"step", sample.step},
                    {"planned_bytes", sample.plannedBytes},
                    {"measured_bytes", sample.measuredBytes},
                    {"held_bytes", sample.heldBytes}});
  }
  return json;
}

Json breakdownToJson(const MemoryBreakdown& memory) {
  return {{"weights_bytes", memory.weightsBytes},         {"resident_weights_bytes", memory.residentWeightsBytes},
          {"packed_bytes", memory.packedBytes},           {"shared_packed_bytes", memory.sharedPackedBytes},
          {"activations_bytes", memory.activationsBytes}, {"arena_bytes", memory.arenaBytes},
          {"workspace_bytes", memory.workspaceBytes},     {"peak_bytes", memory.peakBytes}};
}

Json arenaToJson(const ArenaStatistics& arena) {
  return {{"allocations", arena.allocations},
          {"extensions", arena.extensions},
          {"shrinkages", arena.shrinkages},
          {"in_use_bytes", arena.inUseBytes},
          {"held_bytes", arena.heldBytes},
          {"peak_in_use_bytes", arena.peakInUseBytes},
          {"largest_request_bytes", arena.largestRequestBytes},
          {"limit_bytes", arena.limitBytes}};
}

Json patternCacheToJson(const PatternCacheStatistics& cache) {
  return {{"hits", cache.hits}, {"misses", cache.misses}, {"evictions", cache.evictions}, {"entries", cache.entries}};
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

Json lanesToJson(const std::vector<DeviceLane>& lanes) {
  Json json = Json::array();
  for (const DeviceLane& lane : lanes)
    json.push_back({{"thread", lane.thread}, {"name", lane.name}, {"device", lane.device}});
  return json;
}

Json breaksToJson(const std::vector<SegmentBreak>& breaks) {
  Json json = Json::array();
  for (const SegmentBreak& each : breaks)
    json.push_back({{"graph", each.graph}, {"node", each.node}, {"step", each.step}, {"reason", each.reason}});
  return json;
}

}  // namespace

Json toJson(const std::vector<DeviceMemoryReport>& devices) {
  Json json = Json::array();
  for (const DeviceMemoryReport& device : devices) {
    Json samples = Json::array();
    for (const DeviceMemoryReport::Sample& sample : device.samples)
      samples.push_back({{"time_ns", sample.timeNs},
                         {"step", sample.step},
                         {"planned_bytes", sample.plannedBytes},
                         {"measured_bytes", sample.measuredBytes}});
    json.push_back({{"device", device.device},
                    {"planned_peak_bytes", device.plannedPeakBytes},
                    {"lower_bound_bytes", device.lowerBoundBytes},
                    {"measured_peak_bytes", device.measuredPeakBytes},
                    {"held_bytes", device.heldBytes},
                    {"scratch_bytes", device.scratchBytes},
                    {"weights_bytes", device.weightsBytes},
                    {"pool_bytes", device.poolBytes},
                    {"link_bytes_per_second", device.linkBytesPerSecond},
                    {"samples", std::move(samples)}});
  }
  return json;
}

Json toJson(const std::vector<CapturedSegmentReport>& capturedSegments) {
  Json json = Json::array();
  for (const CapturedSegmentReport& each : capturedSegments) {
    json.push_back({{"graph", each.graph},
                    {"first_step", each.firstStep},
                    {"steps", each.steps},
                    {"provider", each.provider},
                    {"recordings", each.recordings},
                    {"replays", each.replays},
                    {"problem", each.problem}});
  }
  return json;
}

Json toJson(const std::vector<TraceSpan>& spans) {
  Json json = Json::array();
  for (const TraceSpan& span : spans) {
    json.push_back({{"name", span.name},
                    {"category", span.category},
                    {"graph", span.graph},
                    {"node", span.node},
                    {"thread", span.thread},
                    {"depth", span.depth},
                    {"start_ns", span.startNs},
                    {"duration_ns", span.durationNs}});
    if (span.bytes >= 0) json.back()["bytes"] = span.bytes;
  }
  return json;
}

Json toJson(const RunReport& report) {
  Json nodes = Json::array();
  for (const NodeTiming& node : report.nodes)
    nodes.push_back(timingToJson(node));
  return {{"runs", report.runs},
          {"warmups", report.warmups},
          {"threads", report.threads},
          {"workers", report.workers},
          {"executor", report.executor},
          {"executor_reason", report.executorReason},
          {"tag", report.tag},
          {"source", report.source},
          {"seed", report.seed},
          {"median_ms", report.medianMs},
          {"median_low_ms", report.medianLowMs},
          {"median_high_ms", report.medianHighMs},
          {"min_ms", report.minMs},
          {"max_ms", report.maxMs},
          {"mean_ms", report.meanMs},
          {"deviation_ms", report.deviationMs},
          {"p90_ms", report.p90Ms},
          {"p99_ms", report.p99Ms},
          {"first_run_ms", report.firstRunMs},
          {"run_ms", report.runMs},
          {"nodes", std::move(nodes)},
          {"spans", toJson(report.spans)},
          {"dropped_spans", report.droppedSpans},
          {"memory", samplesToJson(report.memory)},
          {"engine_ns_per_node", report.engineNsPerNode},
          {"inputs", summariesToJson(report.inputs)},
          {"outputs", summariesToJson(report.outputs)},
          {"planned_peak_bytes", report.plannedPeakBytes},
          {"lower_bound_bytes", report.lowerBoundBytes},
          {"weights_bytes", report.weightsBytes},
          {"measured_peak_bytes", report.measuredPeakBytes},
          {"peak_rss_bytes", report.peakRssBytes},
          {"breakdown", breakdownToJson(report.breakdown)},
          {"arena", arenaToJson(report.arena)},
          {"pattern_cache", patternCacheToJson(report.patternCache)},
          {"device_lanes", lanesToJson(report.deviceLanes)},
          {"device_memory", toJson(report.deviceMemory)},
          {"stretches", toJson(report.capturedSegments)},
          {"stretch_breaks", breaksToJson(report.segmentBreaks)},
          {"profiled", report.profiled}};
}

Json toJson(const RunComparison& comparison) {
  Json nodes = Json::array();
  for (const NodeTimeDifference& node : comparison.nodes) {
    nodes.push_back({{"name", node.name},
                     {"op_type", node.opType},
                     {"graph", node.graph},
                     {"node_a", node.nodeA},
                     {"node_b", node.nodeB},
                     {"a_ns", node.aNs},
                     {"b_ns", node.bNs},
                     {"low_ns", node.lowNs},
                     {"high_ns", node.highNs},
                     {"significant", node.significant}});
  }
  return {{"title_a", comparison.titleA},        {"title_b", comparison.titleB},
          {"median_a_ms", comparison.medianAMs}, {"median_b_ms", comparison.medianBMs},
          {"low_ms", comparison.lowMs},          {"high_ms", comparison.highMs},
          {"p_value", comparison.pValue},        {"significant", comparison.significant},
          {"nodes", std::move(nodes)},           {"only_a", comparison.onlyA},
          {"only_b", comparison.onlyB},          {"warnings", comparison.warnings}};
}

}  // namespace cutaway
