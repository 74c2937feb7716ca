#include <nlohmann/json.hpp>

#include "engine/report/json.h"

namespace cutaway {

using Json = nlohmann::json;

namespace {

Json patternToJson(const GraphPattern& pattern) {
  Json blocks = Json::array();
  for (const PatternBlock& block : pattern.blocks) {
    Json json = {{"value", block.value},          {"offset", block.offset},
                 {"size_bytes", block.sizeBytes}, {"needed_bytes", block.neededBytes},
                 {"first_step", block.firstStep}, {"last_step", block.lastStep},
                 {"starts", block.starts},        {"ends", block.ends}};
    if (block.node != kNone) json["node"] = block.node;
    blocks.push_back(std::move(json));
  }
  Json parts = Json::array();
  for (const PeakPart& part : pattern.peak) {
    parts.push_back({{"value", part.value},
                     {"size_bytes", part.sizeBytes},
                     {"producer", part.producer},
                     {"kept_alive_by", part.keptAliveBy},
                     {"last_step", part.lastStep},
                     {"saves_bytes", part.savesBytes}});
  }
  Json strategies = Json::array();
  for (const StrategyResult& strategy : pattern.strategies) {
    strategies.push_back({{"name", strategy.name},
                          {"peak_bytes", strategy.peakBytes},
                          {"time_ns", strategy.timeNs},
                          {"chosen", strategy.chosen}});
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
          {"unplanned", pattern.unplanned},
          {"strategies", std::move(strategies)}};
}

}  // namespace

Json toJson(const PatternReport& report) {
  Json graphs = Json::array();
  for (const GraphPattern& graph : report.graphs)
    graphs.push_back(patternToJson(graph));
  return {{"graphs", std::move(graphs)},      {"strategy", report.strategy},
          {"eligible", report.eligible},      {"reason", report.reason},
          {"peak_bytes", report.peakBytes},   {"lower_bound_bytes", report.lowerBoundBytes},
          {"naive_bytes", report.naiveBytes}, {"time_ns", report.timeNs}};
}

}  // namespace cutaway
