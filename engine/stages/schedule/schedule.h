#pragma once
// Schedule: the order in which the nodes of one graph run.
//
// Thread rule: pure. Linear. Example: CUTAWAY_TRY(SequentialExecutionPlan plan, schedule(graph,
// OrderPolicy::kDefault));

#include <string_view>
#include <vector>

#include "engine/base/progress.h"
#include "engine/graph/graph.h"
#include "engine/provider/memory_hints.h"
#include "engine/report/plan_reports.h"

namespace cutaway::schedule {

enum class OrderPolicy { kDefault, kFifo, kPriority, kMemory, kOnnxruntime };
// "default" (reverse DFS from the sinks), "fifo" (Kahn), "priority", "memory", "onnxruntime" (its default order).
Result<OrderPolicy> orderPolicyFromName(std::string_view name);

struct ExecutionStep {
  NodeId node;
  int32_t stream = 0;
};

struct SequentialExecutionPlan {
  std::vector<ExecutionStep> steps;
  std::vector<int32_t> stepOfNode;  // by node index; -1 for holes
  std::vector<std::string> streams;
  // Plans for several workers list steps by planned start; a step may still be running while later ones start.
  std::vector<int32_t> endOfStep;     // the last step that may start before this one has ended; empty: each step ends
                                      // before the next (sequential)
  std::vector<int32_t> workerOfStep;  // empty: all 0
  int32_t endStep(size_t step) const { return endOfStep.empty() ? static_cast<int32_t>(step) : endOfStep[step]; }
};

struct ScheduleOptions {
  OrderPolicy policy = OrderPolicy::kDefault;
  MemoryHints hints;                 // for the memory order, and for live bytes in the report; may be empty
  std::vector<int64_t> sizes;        // bytes by value index, -1: not known; may be empty
  std::vector<int64_t> durationsNs;  // by node index, measured; empty: estimated from operations and bytes
  int workers = 1;                   // > 1: a plan for that many workers, longest remaining chain first
  const Progress* progress = nullptr;
};

// FAIL when the graph has a cycle, MODEL_LOAD_CANCELED.
Result<SequentialExecutionPlan> schedule(const Graph& graph, const ScheduleOptions& options);
inline Result<SequentialExecutionPlan> schedule(const Graph& graph, OrderPolicy policy) {
  return schedule(graph, ScheduleOptions{.policy = policy});
}
// Steps, streams with their commands, critical path and slack, width, live bytes. options: as the plan was made with.
GraphSchedule describeSchedule(const Graph& graph, const SequentialExecutionPlan& plan, int32_t graphIndex,
                               const ScheduleOptions& options = {});

}  // namespace cutaway::schedule
