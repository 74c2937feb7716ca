// Orders: topological, complete, and possible for the workers they were made for.

#include <algorithm>

#include "tests/checker/checks.h"

namespace cutaway {
namespace {

// The steps of each node; empty when a step names no node.
std::vector<int32_t> stepsOfNodes(const PlanToCheck& plan, Complaints& complaints) {
  std::vector<int32_t> stepOf(plan.graph.nodeSlots(), -1);
  for (size_t step = 0; step < plan.order.steps.size(); ++step) {
    const NodeId id = plan.order.steps[step].node;
    if (!id.valid() || id.index() >= plan.graph.nodeSlots() || plan.graph.node(id).removed) {
      complaints.add(PlanRule::kOrder, "step {} runs a node that does not exist", step);
      return {};
    }
    if (stepOf[id.index()] >= 0) complaints.add(PlanRule::kOrder, "node {} runs twice", id.index());
    stepOf[id.index()] = static_cast<int32_t>(step);
  }
  return stepOf;
}

void checkDependencies(const PlanToCheck& plan, const std::vector<int32_t>& stepOf, Complaints& complaints) {
  const Graph& graph = plan.graph;
  for (const NodeId id : graph.nodeIds()) {
    const Node& node = graph.node(id);
    for (const auto* list : {&node.inputs, &node.implicitInputs}) {
      for (const ValueId value : *list) {
        if (!value.valid() || !graph.value(value).producer.valid()) continue;
        const int32_t made = stepOf[graph.value(value).producer.index()];
        if (made < 0 || made >= stepOf[id.index()] ||
            plan.order.endStep(static_cast<size_t>(made)) >= stepOf[id.index()]) {
          complaints.add(PlanRule::kOrder, "node {} runs before '{}' is made", id.index(), graph.value(value).name);
        }
      }
    }
  }
}

bool checkWorkers(const PlanToCheck& plan, Complaints& complaints) {
  const schedule::SequentialExecutionPlan& order = plan.order;
  const auto steps = static_cast<int32_t>(order.steps.size());
  const bool sized = (order.endOfStep.empty() || order.endOfStep.size() == order.steps.size()) &&
                     (order.workerOfStep.empty() || order.workerOfStep.size() == order.steps.size());
  if (!sized) {
    complaints.add(PlanRule::kWorkers, "{} steps, {} ends, {} workers", steps, order.endOfStep.size(),
                   order.workerOfStep.size());
    return false;
  }
  std::vector<int32_t> busyUntil(static_cast<size_t>(std::max(1, plan.workers)), -1);
  for (int32_t step = 0; step < steps; ++step) {
    const auto at = static_cast<size_t>(step);
    const int32_t worker = order.workerOfStep.empty() ? 0 : order.workerOfStep[at];
    if (order.endStep(at) < step || order.endStep(at) >= steps) {
      complaints.add(PlanRule::kWorkers, "step {} ends at {}", step, order.endStep(at));
      return false;
    }
    if (worker < 0 || static_cast<size_t>(worker) >= busyUntil.size()) {
      complaints.add(PlanRule::kWorkers, "step {} is for worker {} of {}", step, worker, busyUntil.size());
      return false;
    }
    int32_t& busy = busyUntil[static_cast<size_t>(worker)];
    if (busy >= step)
      complaints.add(PlanRule::kWorkers, "worker {} starts step {} while another of its steps is running", worker,
                     step);
    busy = std::max(busy, order.endStep(at));
  }
  return true;
}

}  // namespace

bool checkOrder(const PlanToCheck& plan, Complaints& complaints) {
  const std::vector<int32_t> stepOf = stepsOfNodes(plan, complaints);
  if (stepOf.size() != plan.graph.nodeSlots()) return false;
  if (plan.order.steps.size() != plan.graph.nodeCount())
    complaints.add(PlanRule::kOrder, "{} of {} nodes run", plan.order.steps.size(), plan.graph.nodeCount());
  if (plan.order.stepOfNode != stepOf) complaints.add(PlanRule::kOrder, "stepOfNode does not agree with the steps");
  if (!checkWorkers(plan, complaints)) return false;
  checkDependencies(plan, stepOf, complaints);
  if (plan.allocation.values.size() != plan.graph.valueSlots() ||
      plan.allocation.releasedAfterStep.size() != plan.order.steps.size()) {
    complaints.add(PlanRule::kKind, "the allocation plan belongs to another graph");
    return false;
  }
  return complaints.empty();
}

std::vector<StepEdge> dataEdges(const Graph& graph, const schedule::SequentialExecutionPlan& order) {
  std::vector<StepEdge> edges;
  for (size_t step = 0; step < order.steps.size(); ++step) {
    const Node& node = graph.node(order.steps[step].node);
    for (const auto* list : {&node.inputs, &node.implicitInputs}) {
      for (const ValueId value : *list) {
        if (value.valid() && graph.value(value).producer.valid())
          edges.push_back({order.stepOfNode[graph.value(value).producer.index()], static_cast<int32_t>(step)});
      }
    }
  }
  return edges;
}

}  // namespace cutaway
