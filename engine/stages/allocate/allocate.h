#pragma once
// Allocate: which buffer every value of one graph lives in, decided before anything runs.
//
// Thread rule: pure. Near-linear. Indexed by the dense value index (ValueId).
// Example: CUTAWAY_TRY(AllocationPlan plan, allocate(graph, order, hints));

#include <functional>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/provider/kernel.h"
#include "engine/report/plan_reports.h"
#include "engine/stages/schedule/schedule.h"

namespace cutaway {

// Closed intervals of steps in which a value lives: starts[i] <= ends[i] < starts[i + 1].
struct ProgramCounter {
  std::vector<int32_t> starts;
  std::vector<int32_t> ends;
};

struct AllocPlanPerValue {
  AllocKind kind = AllocKind::kNotSet;
  Device device;
  ValueId reusedBuffer;    // for kReuse and kShare
  ValueId root;            // owner of the buffer in the end
  bool inPlace = false;
  ProgramCounter counter;  // of this value alone; a root's buffer lives as long as any of its aliases
  std::string reason;
};

struct AllocationPlan {
  std::vector<AllocPlanPerValue> values;                 // by value index
  std::vector<std::vector<ValueId>> releasedAfterStep;   // roots of kind kAllocate or kAllocatedExternally whose last use is that step
};

// What the planner must know about kernels: hints and memory places per node.
struct NodeMemoryHints {
  std::vector<InplaceHint> inplace;
  std::vector<int> hostInputs;
  std::vector<int> hostOutputs;
  Device device;                    // of the node's provider
  bool externalOutputs = false;     // the kernel brings its own memory
};
using MemoryHints = std::function<NodeMemoryHints(NodeId)>;

struct AllocateOptions {
  bool memoryReuse = true;          // session.enable_mem_reuse
  bool isLoopBody = false;
  bool traceReasons = true;         // fill AllocPlanPerValue::reason
  const Progress* progress = nullptr;  // asked now and then: MODEL_LOAD_CANCELED when cancelled
};

Result<AllocationPlan> allocate(const Graph& graph, const SequentialExecutionPlan& order, const MemoryHints& hints, const AllocateOptions& options);
GraphAllocation describeAllocation(const Graph& graph, const AllocationPlan& plan, int32_t graphIndex);

}  // namespace cutaway
