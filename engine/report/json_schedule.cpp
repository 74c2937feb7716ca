#include <nlohmann/json.hpp>

#include "engine/report/json.h"

namespace cutaway {

using Json = nlohmann::json;

namespace {

Json commandsToJson(const std::vector<StreamCommand>& commands) {
  Json json = Json::array();
  for (const StreamCommand& command : commands) {
    Json each = {{"kind", streamCommandName(command.kind)}, {"step", command.step}};
    if (command.notification != kNone) each["notification"] = command.notification;
    json.push_back(std::move(each));
  }
  return json;
}

}  // namespace

Json toJson(const ScheduleReport& report) {
  Json graphs = Json::array();
  for (const GraphSchedule& graph : report.graphs) {
    Json steps = Json::array();
    for (const ScheduleStep& step : graph.steps) {
      steps.push_back({{"node", step.node},
                       {"stream", step.stream},
                       {"cost", step.cost},
                       {"slack", step.slack},
                       {"worker", step.worker},
                       {"end_step", step.endStep}});
    }
    Json plans = Json::array();
    for (const StreamReport& stream : graph.streamPlans)
      plans.push_back(
          {{"name", stream.name}, {"device", stream.device}, {"commands", commandsToJson(stream.commands)}});
    graphs.push_back({{"graph", graph.graph},
                      {"steps", std::move(steps)},
                      {"streams", graph.streams},
                      {"stream_plans", std::move(plans)},
                      {"critical_path", graph.criticalPath},
                      {"critical_path_cost", graph.criticalPathCost},
                      {"total_cost", graph.totalCost},
                      {"cost_unit", graph.costUnit},
                      {"width", graph.width},
                      {"live_bytes", graph.liveBytes},
                      {"peak_bytes", graph.peakBytes}});
  }
  return {{"order", report.order}, {"note", report.note}, {"graphs", std::move(graphs)}, {"time_ns", report.timeNs}};
}

}  // namespace cutaway
