// The schedule's report: costs, critical path and slack, streams, width, live bytes.

#include <algorithm>

#include "engine/stages/schedule/live_memory.h"
#include "engine/stages/schedule/node_work.h"
#include "engine/stages/schedule/schedule.h"
#include "engine/stages/schedule/streams.h"

namespace cutaway::schedule {
namespace {

// Most nodes on one level; a node's level is the longest chain of nodes before it.
int32_t widthOf(const Dependencies& producers, std::span<const uint32_t> order) {
  std::vector<int32_t> level(producers.offsets.size(), 0), onLevel(order.size(), 0);
  int32_t width = 1;
  for (uint32_t node : order) {
    for (uint32_t producer : producers.row(node))
      level[node] = std::max(level[node], level[producer] + 1);
    width = std::max(width, ++onLevel[static_cast<size_t>(level[node])]);
  }
  return width;
}

// From the first node of a longest chain along consumers without slack; of several, the one with the smallest index.
std::vector<int32_t> criticalPath(const Dependencies& consumers, std::span<const uint32_t> order,
                                  const ChainTimes& times, std::span<const int64_t> cost) {
  std::vector<int32_t> path;
  uint32_t at = UINT32_MAX;
  for (uint32_t node : order) {
    if (times.before[node] == 0 && times.slack(node) == 0 && node < at) at = node;
  }
  while (at != UINT32_MAX) {
    path.push_back(static_cast<int32_t>(at));
    const int64_t end = times.before[at] + cost[at];
    uint32_t next = UINT32_MAX;
    for (uint32_t consumer : consumers.row(at)) {
      if (times.slack(consumer) == 0 && times.before[consumer] == end && consumer < next) next = consumer;
    }
    at = next;
  }
  return path;
}

}  // namespace

GraphSchedule describeSchedule(const Graph& graph, const SequentialExecutionPlan& plan, int32_t graphIndex,
                               const ScheduleOptions& options) {
  GraphSchedule report;
  report.graph = graphIndex;
  report.streams = plan.streams;
  if (plan.steps.empty()) return report;
  NodeOrder order;
  order.reserve(plan.steps.size());
  for (const ExecutionStep& step : plan.steps)
    order.push_back(static_cast<uint32_t>(step.node.index()));
  const Dependencies producers = producersOf(graph);
  const Dependencies consumers = reversed(producers);
  const NodeWork work = nodeWork(graph, options.durationsNs);
  const ChainTimes times = chainTimes(producers, consumers, order, work.cost);
  report.steps.reserve(plan.steps.size());
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    ScheduleStep step;
    step.node = static_cast<int32_t>(order[i]);
    step.stream = plan.steps[i].stream;
    step.cost = work.cost[order[i]];
    step.slack = times.slack(order[i]);
    step.worker = plan.workerOfStep.empty() ? 0 : plan.workerOfStep[i];
    step.endStep = plan.endStep(i);
    report.totalCost =
        __builtin_add_overflow(report.totalCost, step.cost, &report.totalCost) ? INT64_MAX : report.totalCost;
    report.steps.push_back(step);
  }
  report.costUnit = work.unit;
  report.criticalPathCost = times.longest;
  report.criticalPath = criticalPath(consumers, order, times, work.cost);
  report.width = widthOf(producers, order);
  report.streamPlans = streamPlans(graph, options.hints, plan);
  const LiveMemory memory(graph, options.hints, options.sizes);
  if (!options.sizes.empty() && memory.complete()) {
    OrderMemory profile = OrderMemory::of(memory, order, true);
    report.liveBytes = std::move(profile.live);
    report.peakBytes = profile.peakBytes;
  }
  return report;
}

}  // namespace cutaway::schedule
