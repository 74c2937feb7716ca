// The stage itself: dependencies, the order asked for, streams.

#include "engine/stages/schedule/schedule.h"

#include "engine/stages/schedule/memory_order.h"
#include "engine/stages/schedule/orders.h"
#include "engine/stages/schedule/streams.h"
#include "engine/stages/schedule/worker_order.h"

namespace cutaway::schedule {
namespace {

Result<NodeOrder> orderOf(const Graph& graph, const Dependencies& producers, const Dependencies& consumers,
                          const ScheduleOptions& options) {
  switch (options.policy) {
    case OrderPolicy::kFifo:
      return fifoOrder(graph, producers, consumers);
    case OrderPolicy::kPriority:
      return priorityOrder(graph, producers, consumers);
    case OrderPolicy::kMemory:
      return memoryOrder(graph, producers, consumers, LiveMemory(graph, options.hints, options.sizes),
                         options.progress);
    case OrderPolicy::kOnnxruntime:
      return onnxruntimeOrder(graph, producers, consumers);
    case OrderPolicy::kDefault:
      break;
  }
  return depthFirstOrder(graph, producers, consumers);
}

SequentialExecutionPlan planOf(const Graph& graph, const NodeOrder& order) {
  SequentialExecutionPlan plan;
  plan.steps.reserve(order.size());
  plan.stepOfNode.assign(graph.nodeSlots(), -1);
  for (uint32_t node : order) {
    plan.stepOfNode[node] = static_cast<int32_t>(plan.steps.size());
    plan.steps.push_back({NodeId{node}, 0});
  }
  return plan;
}

}  // namespace

Result<OrderPolicy> orderPolicyFromName(std::string_view name) {
  if (name == "default" || name.empty()) return OrderPolicy::kDefault;
  if (name == "fifo") return OrderPolicy::kFifo;
  if (name == "priority") return OrderPolicy::kPriority;
  if (name == "memory") return OrderPolicy::kMemory;
  if (name == "onnxruntime") return OrderPolicy::kOnnxruntime;
  return fail(ErrorCode::kInvalidArgument,
              "unknown order '{}': it is one of default, fifo, priority, memory, onnxruntime", name);
}

Result<SequentialExecutionPlan> schedule(const Graph& graph, const ScheduleOptions& options) {
  const Dependencies producers = producersOf(graph);
  const Dependencies consumers = reversed(producers);
  CUTAWAY_TRY(const NodeOrder order, orderOf(graph, producers, consumers, options));
  if (options.progress != nullptr && options.progress->cancelled()) return fail(cancelledError());
  SequentialExecutionPlan plan;
  if (options.workers > 1) {
    const NodeWork work = nodeWork(graph, options.durationsNs);
    WorkerOrder shared = workerOrder(graph, producers, consumers, work,
                                     chainTimes(producers, consumers, order, work.cost), options.workers);
    plan = planOf(graph, shared.order);
    plan.endOfStep = std::move(shared.endStep);
    plan.workerOfStep = std::move(shared.worker);
  } else {
    plan = planOf(graph, order);
  }
  assignStreams(graph, options.hints, plan);
  return plan;
}

}  // namespace cutaway::schedule
