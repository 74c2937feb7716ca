#pragma once
// Allocate: which buffer every value of one graph lives in, decided before anything runs.
//
// Thread rule: pure. Near-linear. Indexed by the dense value index (ValueId).
// Example: CUTAWAY_TRY(AllocationPlan plan, allocate(graph, order, hints));

#include <map>
#include <string>
#include <vector>

#include "engine/base/index_list.h"
#include "engine/graph/graph.h"
#include "engine/provider/memory_hints.h"
#include "engine/report/plan_reports.h"
#include "engine/stages/schedule/schedule.h"

namespace cutaway::allocate {

// Closed intervals of steps in which a value lives: starts[i] <= ends[i] < starts[i + 1].
struct ProgramCounter {
  IndexList starts;
  IndexList ends;
};

struct AllocPlanPerValue {
  AllocKind kind = AllocKind::kNotSet;
  AllocRule rule = AllocRule::kNone;
  bool inPlace = false;
  ValueId reusedBuffer;  // for kReuse and kShare
  ValueId root;          // owner of the buffer in the end
  Device device;
  // kPart and kSplitPart: this value lies inside `reusedBuffer` (the joined output, or the input that is split), behind
  // all inputs of the join (outputs of the split) with a smaller partIndex.
  int32_t partIndex = -1;  // which input of the join, or output of the split, it is
  ValueId closest;         // new buffers: the free buffer that came closest
  ProgramCounter counter;  // of this value alone; a root's buffer lives as long as any of its aliases
  SharedText reason;
};

struct AllocationPlan {
  std::vector<AllocPlanPerValue> values;  // by value index
  std::vector<ShortList<ValueId>>
      releasedAfterStep;  // roots of kind kAllocate or kAllocatedExternally whose last use is that step
};

// kOnnxruntime follows onnxruntime/core/framework/allocation_planner.cc to the letter (its own in-place declarations
// included), so that people can see what onnxruntime would do: dimensions are compared one by one, nothing is reused in
// plans for several workers, and a buffer that nothing ever reads is not given back before the run ends.
enum class AllocRules : uint8_t { kCutaway, kOnnxruntime };

struct AllocateOptions {
  AllocRules rules = AllocRules::kCutaway;
  bool memoryReuse = true;       // session.enable_mem_reuse: free buffers are taken again
  bool sharedByOffsets = false;  // memoryReuse is off because the pattern shares memory better: what the reasons say
  bool inPlace = true;           // values are written over inputs where hints allow (views are mandatory and stay)
  bool parts = true;             // joins and splits without copies
  bool onlyPartsThatPay = true;  // parts that would raise the largest sum of live bytes, because the joined buffer
                                 // opens early, are left out
  bool intoOutputs = true;       // values are written straight into the graph output that is a view of them
  bool partsInOutputs = false;   // joins that are graph outputs of static size, too: the frame must take the output's
                                 // memory when its first part is made
  bool largerBuffers = true;     // free buffers of up to twice the size are taken where none of the same size is free
  bool isLoopBody = false;
  std::map<std::string, int64_t> leastDims, mostDims;  // declared bounds of symbols, for comparing sizes
  bool traceReasons = true;                            // fill AllocPlanPerValue::reason
  const Progress* progress = nullptr;                  // asked now and then: MODEL_LOAD_CANCELED when cancelled
};

Result<AllocationPlan> allocate(const Graph& graph, const schedule::SequentialExecutionPlan& order,
                                const MemoryHints& hints, const AllocateOptions& options);

// Bytes from the start of the buffer (of its root) at which each value lies; -1: not known, or the value lies nowhere
// in it. Not 0 only for kPart, kSplitPart and what lives in those. sizes: bytes by value index, -1 not known. A part
// that would not start at a multiple of 64 bytes has no place: it needs memory of its own, and the join or split copies
// it.
std::vector<int64_t> offsetsInRoot(const Graph& graph, const AllocationPlan& plan, const std::vector<int64_t>& sizes);

GraphAllocation describeAllocation(const Graph& graph, const AllocationPlan& plan, int32_t graphIndex);

}  // namespace cutaway::allocate
