#pragma once
// Schedule: the order in which the nodes of one graph run.
//
// Thread rule: pure. Linear. Example: CUTAWAY_TRY(SequentialExecutionPlan plan, schedule(graph, OrderPolicy::kDefault));

#include <string_view>
#include <vector>

#include "engine/base/progress.h"
#include "engine/graph/graph.h"
#include "engine/report/plan_reports.h"

namespace cutaway {

enum class OrderPolicy { kDefault, kFifo, kPriority, kMemory };
// "default" (reverse DFS from the sinks), "fifo" (Kahn), "priority", "memory".
Result<OrderPolicy> orderPolicyFromName(std::string_view name);

struct ExecutionStep {
  NodeId node;
  int32_t stream = 0;
};

struct SequentialExecutionPlan {
  std::vector<ExecutionStep> steps;
  std::vector<int32_t> stepOfNode;  // by node index; -1 for holes
  std::vector<std::string> streams;
};

// FAIL when the graph has a cycle. NOT_IMPLEMENTED, with a sentence, for policies that are not there yet.
Result<SequentialExecutionPlan> schedule(const Graph& graph, OrderPolicy policy);
// Steps, critical path, width.
GraphSchedule describeSchedule(const Graph& graph, const SequentialExecutionPlan& plan, int32_t graphIndex);

}  // namespace cutaway
