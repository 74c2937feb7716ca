#include "engine/runtime/plan_walk.h"

#include <unordered_map>

#include "engine/base/clock.h"
#include "engine/stages/resolve/resolve.h"

namespace cutaway {
namespace {

void countKinds(const Graph& graph, const AllocationPlan& plan, AllocateReport& report) {
  for (ValueId id : graph.valueIds()) {
    const AllocPlanPerValue& value = plan.values[id.index()];
    switch (value.kind) {
      case AllocKind::kAllocate: ++report.allocated; break;
      case AllocKind::kReuse:
      case AllocKind::kShare: ++report.reused; break;
      case AllocKind::kPreExisting: ++report.preExisting; break;
      case AllocKind::kAllocateStatically: ++report.statically; break;
      case AllocKind::kAllocateOutput: ++report.outputs; break;
      default: break;
    }
    if (value.inPlace) ++report.inPlace;
    if (value.rule == AllocRule::kPart || value.rule == AllocRule::kSplitPart) ++report.parts;
    if (graph.value(id).initializer) report.weightsBytes += graph.value(id).initializer->sizeBytes();
  }
}

}  // namespace

PlanWalk::PlanWalk(const Model& model) {
  struct Parent {
    const Graph* graph = nullptr;
    NodeId node;
  };
  std::unordered_map<const Graph*, Parent> parents;
  forEachGraph(model.graph, [&](const Graph& graph) {
    parents.try_emplace(&graph);
    for (NodeId id : graph.nodeIds()) forEachBody(graph.node(id), [&](const std::string&, const Graph& body) { parents[&body] = {&graph, id}; });
  });
  const std::vector<const Graph*> all = graphsInReportOrder(model);
  for (size_t index = 0; index < all.size(); ++index) {
    const auto found = parents.find(all[index]);
    if (found == parents.end()) continue;  // a function's body: called nodes were inlined
    PlannedGraph planned;
    planned.graph = all[index];
    planned.graphIndex = static_cast<int32_t>(index);
    planned.parent = found->second.graph;
    planned.parentNode = found->second.node;
    m_graphs.push_back(std::move(planned));
  }
}

Result<ScheduleReport> PlanWalk::schedule(const PlanOptions& options, std::span<const std::unique_ptr<ExecutionProvider>> providers, const std::map<std::string, CompiledNode>& compiled, const Progress& progress) {
  const Stopwatch watch;
  ScheduleReport report;
  report.order = options.order.empty() ? "default" : options.order;
  CUTAWAY_TRY(const OrderPolicy policy, orderPolicyFromName(options.order));
  for (PlannedGraph& planned : m_graphs) {
    if (progress.cancelled()) return fail(cancelledError());
    ScheduleOptions wanted;
    wanted.policy = policy;
    wanted.hints = memoryHintsOf(*planned.graph, providers, compiled);
    wanted.sizes = staticSizes(*planned.graph);
    wanted.workers = planned.parent == nullptr ? options.workers : 1;
    wanted.progress = &progress;
    CUTAWAY_TRY(planned.order, cutaway::schedule(*planned.graph, wanted));
    report.graphs.push_back(describeSchedule(*planned.graph, planned.order, planned.graphIndex, wanted));
  }
  report.timeNs = watch.elapsedNs();
  return report;
}

Result<AllocateReport> PlanWalk::allocate(const PlanOptions& options, std::span<const std::unique_ptr<ExecutionProvider>> providers, const std::map<std::string, CompiledNode>& compiled, const Progress& progress) {
  const Stopwatch watch;
  AllocateReport report;
  report.rules = options.rules == AllocRules::kReference ? "reference" : "cutaway";
  for (PlannedGraph& planned : m_graphs) {
    if (progress.cancelled()) return fail(cancelledError());
    AllocateOptions wanted;
    wanted.rules = options.rules;
    wanted.memoryReuse = options.memoryReuse;
    wanted.inPlace = options.inPlace;
    wanted.parts = wanted.intoOutputs = false;  // until frames place them
    wanted.progress = &progress;
    wanted.isLoopBody = planned.parent != nullptr && planned.parent->node(planned.parentNode).opType == "Loop";
    CUTAWAY_TRY(planned.allocation, cutaway::allocate(*planned.graph, planned.order, memoryHintsOf(*planned.graph, providers, compiled), wanted));
    report.graphs.push_back(describeAllocation(*planned.graph, planned.allocation, planned.graphIndex));
    countKinds(*planned.graph, planned.allocation, report);
  }
  report.timeNs = watch.elapsedNs();
  return report;
}

Result<PatternReport> PlanWalk::pattern(const PlanOptions& options, const Progress& progress) {
  const bool enabled = options.memoryPattern;
  const Stopwatch watch;
  PatternReport report;
  report.strategy = "best-fit";
  report.eligible = enabled;
  if (!enabled) report.reason = "the memory pattern is switched off (session.enable_mem_pattern)";
  size_t unplanned = 0;
  for (PlannedGraph& planned : m_graphs) {
    if (progress.cancelled()) return fail(cancelledError());
    CUTAWAY_TRY(MemoryPatternGroup group, planPattern(*planned.graph, planned.order, planned.allocation, staticSizes(*planned.graph), &progress));
    for (GraphPattern& each : describePattern(*planned.graph, planned.order, planned.allocation, group, planned.graphIndex)) {
      unplanned += each.unplanned.size();
      if (planned.parent == nullptr) {
        report.peakBytes += each.peakBytes;
        report.lowerBoundBytes += each.lowerBoundBytes;
        report.naiveBytes += each.naiveBytes;
      }
      report.graphs.push_back(std::move(each));
    }
    planned.pattern = std::make_shared<const MemoryPatternGroup>(std::move(group));
  }
  if (enabled && unplanned > 0) {
    report.reason = fmt::format("{} {} a size that is not known before running: left out here; their sizes are traced on the first run with given feed shapes", unplanned, unplanned == 1 ? "buffer has" : "buffers have");
  }
  report.timeNs = watch.elapsedNs();
  return report;
}

}  // namespace cutaway
