#pragma once
// One graph with everything that planning decided about it: its order, where its values live, and its memory pattern.

#include <memory>

#include "engine/stages/allocate/allocate.h"
#include "engine/stages/pattern/pattern.h"
#include "engine/stages/schedule/schedule.h"

namespace cutaway::plan {

struct PlannedGraph {
  const Graph* graph = nullptr;
  int32_t graphIndex = 0;
  const Graph* parent = nullptr;  // nullptr: the main graph
  NodeId parentNode;
  schedule::SequentialExecutionPlan order;
  allocate::AllocationPlan allocation;
  std::shared_ptr<const pattern::MemoryPatternGroup> pattern;
};

}  // namespace cutaway::plan
