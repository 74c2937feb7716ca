#include "engine/execute/dataflow/dataflow_plan.h"

#include <algorithm>
#include <numeric>

#include "engine/execute/dataflow/dataflow_edges.h"
#include "engine/stages/schedule/node_work.h"

namespace cutaway::execute {
namespace {

constexpr uint32_t kNone32 = 0xFFFFFFFF;

struct Edge {
  uint32_t from = 0;
  uint32_t to = 0;
};

void sortUnique(std::vector<uint32_t>& list, size_t first) {
  const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, list.end());
  list.erase(std::unique(begin, list.end()), list.end());
}

// Steps that make what each step reads, what its bodies capture included.
Result<IndexRows> producersOf(const GraphProgram& program) {
  std::vector<uint32_t> producer(program.values.size(), kNone32);
  for (size_t step = 0; step < program.steps.size(); ++step) {
    for (int32_t output : program.steps[step].outputs) {
      if (output != kAbsent) producer[static_cast<size_t>(output)] = static_cast<uint32_t>(step);
    }
  }
  IndexRows rows;
  rows.offsets.reserve(program.steps.size() + 1);
  for (size_t step = 0; step < program.steps.size(); ++step) {
    const size_t first = rows.targets.size();
    const auto add = [&](int32_t value) {
      if (value != kAbsent && producer[static_cast<size_t>(value)] != kNone32)
        rows.targets.push_back(producer[static_cast<size_t>(value)]);
    };
    for (int32_t input : program.steps[step].inputs)
      add(input);
    for (const BodyProgram& body : program.steps[step].bodies)
      for (const CapturedValue& captured : body.captured)
        add(static_cast<int32_t>(captured.inParent));
    sortUnique(rows.targets, first);
    if (rows.targets.size() > first && rows.targets.back() >= step)
      return fail(ErrorCode::kEngineError, "step {} reads what step {} makes", step, rows.targets.back());
    rows.offsets.push_back(static_cast<uint32_t>(rows.targets.size()));
  }
  return rows;
}

// Steps on a device with a stream of its own follow each other.
void chainDevices(const GraphProgram& program, std::vector<Edge>& edges) {
  std::vector<uint32_t> last(program.devices.size(), kNone32);
  for (size_t step = 0; step < program.steps.size(); ++step) {
    for (int32_t output : program.steps[step].outputs) {
      if (output == kAbsent) continue;
      const uint32_t device = program.values[static_cast<size_t>(output)].device;
      const DeviceType type = program.devices[device].device.type;
      if (type == DeviceType::kCpu || type == DeviceType::kSimulated) continue;
      if (last[device] != kNone32 && last[device] != step) edges.push_back({last[device], static_cast<uint32_t>(step)});
      last[device] = static_cast<uint32_t>(step);
    }
  }
}

void setEdges(DataflowPlan& plan, std::vector<Edge>& edges) {
  const auto less = [](const Edge& a, const Edge& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; };
  std::sort(edges.begin(), edges.end(), less);
  edges.erase(std::unique(edges.begin(), edges.end(),
                          [](const Edge& a, const Edge& b) { return a.from == b.from && a.to == b.to; }),
              edges.end());
  plan.missing.assign(plan.nodes, 0);
  plan.successors.offsets.assign(plan.nodes + 1, 0);
  plan.successors.targets.reserve(edges.size());
  for (const Edge& edge : edges) {
    ++plan.missing[edge.to];
    ++plan.successors.offsets[edge.from + 1];
    plan.successors.targets.push_back(edge.to);
  }
  std::partial_sum(plan.successors.offsets.begin(), plan.successors.offsets.end(), plan.successors.offsets.begin());
}

// Longest remaining chain of every step. Steps are in topological order; joins lie between steps and have no cost.
void setUrgency(DataflowPlan& plan, std::span<const int64_t> costs) {
  std::vector<int64_t> remaining(plan.nodes, -1);
  const auto after = [&](size_t node, auto&& self) -> int64_t {
    int64_t longest = 0;
    for (uint32_t next : plan.successors.row(node))
      longest = std::max(longest, next < plan.steps ? remaining[next] : self(next, self));
    return longest;
  };
  for (size_t step = plan.steps; step-- > 0;) {
    const int64_t cost = costs.empty() ? 1 : std::max<int64_t>(costs[step], 0);
    remaining[step] = cost + after(step, after);
    plan.totalCost += cost;
    plan.criticalCost = std::max(plan.criticalCost, remaining[step]);
  }
  plan.stepByUrgency.resize(plan.steps);
  std::iota(plan.stepByUrgency.begin(), plan.stepByUrgency.end(), 0u);
  std::stable_sort(plan.stepByUrgency.begin(), plan.stepByUrgency.end(),
                   [&](uint32_t a, uint32_t b) { return remaining[a] > remaining[b]; });
  plan.urgency.resize(plan.steps);
  for (size_t i = 0; i < plan.steps; ++i)
    plan.urgency[plan.stepByUrgency[i]] = static_cast<uint32_t>(i);
  for (uint32_t step : plan.stepByUrgency)
    if (plan.missing[step] == 0) plan.first.push_back(step);
}

void setReleases(const GraphProgram& program, DataflowPlan& plan) {
  std::vector<uint32_t> place(program.values.size(), kNone32);
  for (const StepProgram& step : program.steps) {
    for (uint32_t root : step.released) {
      if (place[root] != kNone32) continue;
      place[root] = static_cast<uint32_t>(plan.releasable.size());
      plan.releasable.push_back(root);
    }
  }
  plan.touchCounts.assign(plan.releasable.size(), 0);
  for (const StepProgram& step : program.steps) {
    const size_t first = plan.touched.targets.size();
    const auto add = [&](int32_t value) {
      if (value == kAbsent) return;
      const uint32_t root = place[program.values[static_cast<size_t>(value)].root];
      if (root != kNone32) plan.touched.targets.push_back(root);
    };
    for (int32_t input : step.inputs)
      add(input);
    for (int32_t output : step.outputs)
      add(output);
    for (const BodyProgram& body : step.bodies)
      for (const CapturedValue& captured : body.captured)
        add(static_cast<int32_t>(captured.inParent));
    sortUnique(plan.touched.targets, first);
    for (size_t i = first; i < plan.touched.targets.size(); ++i)
      ++plan.touchCounts[plan.touched.targets[i]];
    plan.touched.offsets.push_back(static_cast<uint32_t>(plan.touched.targets.size()));
  }
}

}  // namespace

Result<DataflowPlan> planDataflow(const GraphProgram& program, const pattern::MemoryPatternGroup* pattern,
                                  std::span<const int64_t> costs) {
  DataflowPlan plan;
  plan.steps = program.steps.size();
  CUTAWAY_TRY(const IndexRows producers, producersOf(program));
  CUTAWAY_TRY(const MemoryEdges memory, findMemoryEdges(program, pattern, producers));
  plan.nodes = plan.steps + memory.joins;
  std::vector<Edge> edges;
  for (size_t step = 0; step < plan.steps; ++step)
    for (uint32_t before : producers.row(step))
      edges.push_back({before, static_cast<uint32_t>(step)});
  chainDevices(program, edges);
  plan.dataEdges = edges.size();
  for (const MemoryEdge& edge : memory.edges)
    edges.push_back({edge.from, edge.to});
  setEdges(plan, edges);
  plan.memoryEdges = edges.size() - std::min(edges.size(), plan.dataEdges);
  setUrgency(plan, costs);
  setReleases(program, plan);
  return plan;
}

std::vector<int64_t> guessedCostsNs(const Graph& graph, const schedule::SequentialExecutionPlan& order) {
  // Of one core: units of work (nodeWork's) a nanosecond, what every node takes, and what is assumed where sizes are
  // open.
  constexpr int64_t kWorkPerNs = 64, kStartNs = 300, kOpenNs = 2000;
  const schedule::NodeWork work = schedule::nodeWork(graph, {});
  std::vector<int64_t> costs;
  costs.reserve(order.steps.size());
  for (const schedule::ExecutionStep& step : order.steps)
    costs.push_back(kStartNs + (work.unit == "work" ? work.cost[step.node.index()] / kWorkPerNs : kOpenNs));
  return costs;
}

}  // namespace cutaway::execute
