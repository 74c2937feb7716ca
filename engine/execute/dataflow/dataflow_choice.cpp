#include "engine/execute/dataflow/dataflow_choice.h"

#include <algorithm>
#include <cmath>

#include "engine/base/parallel.h"
#include "engine/stages/schedule/node_work.h"
#include "engine/stages/schedule/schedule.h"

namespace cutaway::execute {
namespace {

// Handing a node to another worker takes about a microsecond; below five it does not pay.
constexpr double kLeastNodeNs = 5000;
// Of one core, in nodeWork's unit.
constexpr double kWorkPerNs = 64;
// What overlapping must save at best, as a ratio of all work to the longest chain.
constexpr double kLeastOverlap = 1.1;

struct GraphWork {
  double total = 0;
  double chain = 0;
  double nodes = 0;
  bool sized = false;  // estimated from sizes; otherwise every node counts 1
};

GraphWork workOf(const Graph& graph) {
  GraphWork result;
  const auto order = schedule::schedule(graph, schedule::OrderPolicy::kFifo);
  if (!order) return result;
  const schedule::NodeWork work = schedule::nodeWork(graph, {});
  result.sized = work.unit == "work";
  std::vector<double> ends(graph.nodeSlots(), 0);
  for (const schedule::ExecutionStep& step : order->steps) {
    const Node& node = graph.node(step.node);
    double start = 0;
    const auto after = [&](std::span<const ValueId> values) {
      for (ValueId value : values)
        if (value.valid() && graph.value(value).producer.valid())
          start = std::max(start, ends[graph.value(value).producer.index()]);
    };
    after(node.inputs);
    after(node.implicitInputs);
    const double cost = static_cast<double>(work.cost[step.node.index()]);
    ends[step.node.index()] = start + cost;
    result.total += cost;
    result.chain = std::max(result.chain, start + cost);
    result.nodes += 1;
  }
  return result;
}

}  // namespace

int ExecutorChoice::threadsPerWorker(int threads) const {
  return std::max(1, (threads > 0 ? threads : availableThreads()) / std::max(1, workers));
}

ExecutorChoice chooseExecutor(const Graph& graph, const ExecutorRequest& request) {
  if (request.executor != "dataflow") return {1, "sequential was requested"};
  const int threads = request.threads > 0 ? request.threads : availableThreads();
  const int most = request.interThreads > 0 ? request.interThreads : threads;
  if (most <= 1)
    return {1, request.interThreads == 1 ? "sequential: one worker was requested"
                                         : "sequential: there is one thread, and so one worker"};
  const GraphWork work = workOf(graph);
  const double overlap = work.chain > 0 ? work.total / work.chain : 1;
  if (overlap <= 1.0 + 1e-9) return {1, "sequential: every node waits for the one before it"};
  if (request.interThreads > 0)
    return {most, fmt::format("dataflow: {} workers were requested; all work is {:.2f} times the longest chain", most,
                              overlap)};
  if (overlap < kLeastOverlap)
    return {1, fmt::format("sequential: the longest chain of nodes is {:.0f} % of all work, so that overlapping "
                           "branches would save little",
                           100 / overlap)};
  const double nodeNs = work.total / std::max(work.nodes, 1.0) / kWorkPerNs;
  if (work.sized && nodeNs < kLeastNodeNs)
    return {
        1,
        fmt::format(
            "sequential: a node takes about {:.1f} µs, and handing out nodes below {:.0f} µs costs more than it saves",
            nodeNs / 1000, kLeastNodeNs / 1000)};
  const int workers = std::min(most, static_cast<int>(std::ceil(overlap)));
  return {workers,
          fmt::format(
              "dataflow: all work is {:.2f} times the longest chain{}", overlap,
              work.sized ? "" : " (in nodes; sizes are open, and feed shapes with nodes below 5 µs run sequentially)"),
          work.sized ? 0 : static_cast<int64_t>(kLeastNodeNs)};
}

}  // namespace cutaway::execute
