#pragma once
// The memory pattern for one set of values of a model's symbols: planned before the first run with new feed shapes,
// without tracing.
//
// Sizes come from types whose symbols have values now; traced sizes fill in where types say nothing. What stays unknown
// has no block and comes from the arena. Thread rule: pure. Example:
//   const GraphSizes sizes(*planned.graph);                                   // once per graph
//   CUTAWAY_TRY(const ShapePlan plan, planForShapes(planned, all, {{"batch", 2}}, nullptr, {.sizes = &sizes}));
//   cache.insert(key, plan.pattern);

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/plan/graph_sizes.h"
#include "engine/plan/planned_graph.h"

namespace cutaway::plan {

struct ShapePlanOptions {
  int64_t effort = 20'000;            // as PatternOptions
  const GraphSizes* sizes = nullptr;  // of planned.graph, where they were made before
  const Progress* progress = nullptr;
};

struct ShapePlan {
  std::shared_ptr<const pattern::MemoryPatternGroup> pattern;
  int64_t peakBytes = 0;  // over all devices
  int64_t lowerBoundBytes = 0;
  bool complete = false;  // every pooled value has a block
};

// planned: the graph to plan for, by the rules of the pattern that it has; all: every graph of the model with its
// pattern, for what the bodies below need. tracedSizes: by value index, -1: not seen; may be null. INVALID_ARGUMENT
// when the sizes do not fit in 64 bits.
Result<ShapePlan> planForShapes(const PlannedGraph& planned, std::span<const PlannedGraph> all,
                                const std::map<std::string, int64_t>& symbols, const std::vector<int64_t>* tracedSizes,
                                const ShapePlanOptions& options = {});

// What the bodies of each node need on each device, from their patterns: by step of `order`.
std::vector<std::pair<int32_t, pattern::BodyNeed>> bodyNeedsOf(const Graph& graph,
                                                               const schedule::SequentialExecutionPlan& order,
                                                               std::span<const PlannedGraph> all);
// Every value that takes part in patterns (tensors and what may turn out to be one, strings left out) has a block.
bool isComplete(const Graph& graph, const allocate::AllocationPlan& allocation,
                const pattern::MemoryPatternGroup& group);

}  // namespace cutaway::plan
