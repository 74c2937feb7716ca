// The schedule's report: levels give the critical path and the width.

#include <algorithm>

#include "engine/stages/schedule/schedule.h"

namespace cutaway {
namespace {

struct Levels {
  std::vector<int32_t> level;        // by node index: longest chain that ends here, counted from 0
  std::vector<int32_t> predecessor;  // by node index: the node before it on that chain
};

Levels levelsOf(const Graph& graph, const SequentialExecutionPlan& plan) {
  Levels result{std::vector<int32_t>(graph.nodeSlots(), 0), std::vector<int32_t>(graph.nodeSlots(), kNone)};
  for (const ExecutionStep& step : plan.steps) {
    const Node& node = graph.node(step.node);
    const size_t index = step.node.index();
    const auto consider = [&](const std::vector<ValueId>& values) {
      for (ValueId value : values) {
        if (!value.valid() || !graph.value(value).producer.valid()) continue;
        const size_t producer = graph.value(value).producer.index();
        const int32_t level = result.level[producer] + 1;
        if (level < result.level[index] || (level == result.level[index] && result.predecessor[index] <= static_cast<int32_t>(producer))) continue;
        result.level[index] = level;
        result.predecessor[index] = static_cast<int32_t>(producer);
      }
    };
    consider(node.inputs);
    consider(node.implicitInputs);
  }
  return result;
}

}  // namespace

GraphSchedule describeSchedule(const Graph& graph, const SequentialExecutionPlan& plan, int32_t graphIndex, const ScheduleOptions& /*options*/) {
  GraphSchedule report;
  report.graph = graphIndex;
  report.streams = plan.streams;
  report.steps.reserve(plan.steps.size());
  for (const ExecutionStep& step : plan.steps) report.steps.push_back({static_cast<int32_t>(step.node.index()), step.stream});
  if (plan.steps.empty()) return report;

  const Levels levels = levelsOf(graph, plan);
  std::vector<int32_t> nodesOnLevel(plan.steps.size(), 0);
  size_t last = plan.steps.front().node.index();
  for (const ExecutionStep& step : plan.steps) {
    const size_t node = step.node.index();
    ++nodesOnLevel[static_cast<size_t>(levels.level[node])];
    if (levels.level[node] > levels.level[last]) last = node;
  }
  report.width = *std::max_element(nodesOnLevel.begin(), nodesOnLevel.end());
  for (int32_t node = static_cast<int32_t>(last); node != kNone; node = levels.predecessor[static_cast<size_t>(node)]) report.criticalPath.push_back(node);
  std::reverse(report.criticalPath.begin(), report.criticalPath.end());
  return report;
}

}  // namespace cutaway
