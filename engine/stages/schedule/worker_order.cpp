#include "engine/stages/schedule/worker_order.h"

#include <algorithm>

#include <queue>

namespace cutaway::schedule {
namespace {

struct Ready {
  int64_t chain;
  uint32_t node;
  bool operator<(const Ready& other) const { return chain != other.chain ? chain < other.chain : node > other.node; }
};
struct Running {
  int64_t end;
  int32_t worker;
  uint32_t node;
  bool operator<(const Running& other) const { return end != other.end ? end > other.end : worker > other.worker; }
};

}  // namespace

WorkerOrder workerOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers,
                        const NodeWork& work, const ChainTimes& times, int workers) {
  WorkerOrder plan;
  std::vector<uint32_t> missing(graph.nodeSlots(), 0);
  std::priority_queue<Ready> ready;
  for (NodeId id : graph.nodeIds()) {
    missing[id.index()] = static_cast<uint32_t>(producers.row(id.index()).size());
    if (missing[id.index()] == 0) ready.push({times.from[id.index()], static_cast<uint32_t>(id.index())});
  }
  std::priority_queue<Running> running;
  std::priority_queue<int32_t, std::vector<int32_t>, std::greater<>> idle;
  for (int32_t worker = 0; worker < std::max(1, workers); ++worker)
    idle.push(worker);
  std::vector<int64_t> starts, ends;
  int64_t now = 0;
  while (!ready.empty() || !running.empty()) {
    while (!ready.empty() && !idle.empty()) {
      const uint32_t node = ready.top().node;
      ready.pop();
      const int32_t worker = idle.top();
      idle.pop();
      plan.order.push_back(node);
      plan.worker.push_back(worker);
      starts.push_back(now);
      ends.push_back(now + std::max<int64_t>(1, work.cost[node]));
      running.push({ends.back(), worker, node});
    }
    now = running.top().end;
    while (!running.empty() && running.top().end == now) {
      idle.push(running.top().worker);
      for (uint32_t consumer : consumers.row(running.top().node)) {
        if (--missing[consumer] == 0) ready.push({times.from[consumer], consumer});
      }
      running.pop();
    }
  }
  // Steps stand in order of their starts: those that start before this one ends are a range behind it.
  for (size_t step = 0; step < starts.size(); ++step) {
    const auto after =
        std::lower_bound(starts.begin() + static_cast<std::ptrdiff_t>(step) + 1, starts.end(), ends[step]);
    plan.endStep.push_back(static_cast<int32_t>(after - starts.begin()) - 1);
  }
  return plan;
}

}  // namespace cutaway::schedule
