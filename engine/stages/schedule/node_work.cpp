#include "engine/stages/schedule/node_work.h"

#include <algorithm>
#include <limits>

#include "engine/operators/cost/node_cost.h"

namespace cutaway::schedule {
namespace {

constexpr int64_t kFlopsPerByte = 8;
constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 4;

int64_t added(int64_t a, int64_t b) {
  return a > kMost - b ? kMost : a + b;
}

}  // namespace

NodeWork nodeWork(const Graph& graph, std::span<const int64_t> durationsNs) {
  NodeWork work;
  work.cost.assign(graph.nodeSlots(), 0);
  if (!durationsNs.empty()) {
    work.unit = "ns";
    for (NodeId id : graph.nodeIds())
      work.cost[id.index()] =
          id.index() < durationsNs.size() ? std::clamp<int64_t>(durationsNs[id.index()], 1, kMost) : 1;
    return work;
  }
  size_t unknown = 0;
  for (NodeId id : graph.nodeIds()) {
    const operators::NodeCost cost = operators::nodeCost(graph, id);
    if (cost.movedBytes < 0) ++unknown;
    const int64_t moved = std::min(std::max<int64_t>(cost.movedBytes, 0), kMost / kFlopsPerByte) * kFlopsPerByte;
    work.cost[id.index()] = std::clamp<int64_t>(std::max(cost.flops, moved), 1, kMost);
  }
  if (unknown * 10 <= graph.nodeCount()) {
    work.unit = "work";
    return work;
  }
  for (NodeId id : graph.nodeIds())
    work.cost[id.index()] = 1;
  return work;
}

ChainTimes chainTimes(const Dependencies& producers, const Dependencies& consumers, std::span<const uint32_t> order,
                      std::span<const int64_t> cost) {
  ChainTimes times{std::vector<int64_t>(cost.size(), 0), std::vector<int64_t>(cost.size(), 0), 0};
  for (uint32_t node : order) {
    for (uint32_t producer : producers.row(node))
      times.before[node] = std::max(times.before[node], added(times.before[producer], cost[producer]));
    times.longest = std::max(times.longest, added(times.before[node], cost[node]));
  }
  for (size_t i = order.size(); i-- > 0;) {
    const uint32_t node = order[i];
    for (uint32_t consumer : consumers.row(node))
      times.from[node] = std::max(times.from[node], times.from[consumer]);
    times.from[node] = added(times.from[node], cost[node]);
  }
  return times;
}

}  // namespace cutaway::schedule
