#include "engine/plan/shape_plan.h"

#include <algorithm>

namespace cutaway::plan {

std::vector<std::pair<int32_t, pattern::BodyNeed>> bodyNeedsOf(const Graph& graph,
                                                               const schedule::SequentialExecutionPlan& order,
                                                               std::span<const PlannedGraph> all) {
  std::vector<std::pair<int32_t, pattern::BodyNeed>> needs;
  for (const PlannedGraph& body : all) {
    if (body.parent != &graph || body.pattern == nullptr) continue;
    const int32_t step = order.stepOfNode[body.parentNode.index()];
    if (step < 0) continue;
    for (const pattern::MemoryPattern& pattern : body.pattern->patterns) {
      if (pattern.peakBytes > 0) needs.push_back({step, {pattern.device, pattern.peakBytes}});
    }
  }
  std::stable_sort(needs.begin(), needs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return needs;
}

bool isComplete(const Graph& graph, const allocate::AllocationPlan& allocation,
                const pattern::MemoryPatternGroup& group) {
  for (const ValueId id : graph.valueIds()) {
    const allocate::AllocPlanPerValue& value = allocation.values[id.index()];
    const ValueType& type = graph.value(id).type;
    const bool pooled = value.kind == AllocKind::kAllocate && value.root == id &&
                        (!type.known() || (type.isTensor() && type.element != ElementType::kString));
    if (pooled && group.blocks[id.index()].offset < 0) return false;
  }
  return true;
}

Result<ShapePlan> planForShapes(const PlannedGraph& planned, std::span<const PlannedGraph> all,
                                const std::map<std::string, int64_t>& symbols, const std::vector<int64_t>* tracedSizes,
                                const ShapePlanOptions& options) {
  std::vector<int64_t> sizes =
      options.sizes != nullptr ? options.sizes->under(symbols) : GraphSizes(*planned.graph).under(symbols);
  if (tracedSizes != nullptr) {
    // Strings are never in byte pools.
    for (const ValueId id : planned.graph->valueIds()) {
      if (id.index() < tracedSizes->size() && planned.graph->value(id).type.element != ElementType::kString)
        sizes[id.index()] = std::max(sizes[id.index()], (*tracedSizes)[id.index()]);
    }
  }
  pattern::PatternOptions wanted;
  wanted.effort = options.effort;
  wanted.progress = options.progress;
  if (planned.pattern != nullptr) wanted.rules = planned.pattern->rules;
  if (wanted.rules == pattern::PatternRules::kCutaway)
    wanted.bodyNeeds = bodyNeedsOf(*planned.graph, planned.order, all);
  CUTAWAY_TRY(pattern::MemoryPatternGroup group,
              pattern::planPattern(*planned.graph, planned.order, planned.allocation, sizes, wanted));
  ShapePlan plan;
  for (const pattern::MemoryPattern& pattern : group.patterns) {
    plan.peakBytes += pattern.peakBytes;
    plan.lowerBoundBytes += pattern.lowerBoundBytes;
  }
  plan.complete = isComplete(*planned.graph, planned.allocation, group);
  plan.pattern = std::make_shared<const pattern::MemoryPatternGroup>(std::move(group));
  return plan;
}

}  // namespace cutaway::plan
