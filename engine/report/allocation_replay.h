#pragma once
// Allocation, step by step: how the use counts of buffers and the free list came to what the plan says.
//
// The planner counts the uses of every buffer: each reading of a value in it, its definition, each place among the
// graph's outputs; one more for feeds, weights and outer values, which are never recycled. A node's outputs are placed
// first, then the uses that end with its step are taken off; at zero a buffer is free. This is told from the reports,
// not by planning again, and the plan checker holds it against what the planner released. Thread rule: pure; linear.
// Example: const AllocationReplay replay = replayAllocation(graph, schedule, allocation);
//   for (const ReplayStep& step : replay.steps) show(step.uses);

#include "engine/report/allocate_report.h"
#include "engine/report/schedule_report.h"

namespace cutaway {

// Uses of all that lives in one buffer, around one step.
struct BufferUses {
  int32_t buffer = kNone;  // root value
  int64_t before = 0;      // before the node's outputs were placed
  int64_t placed = 0;      // with them
  int64_t after = 0;       // with what ended taken off
};

struct ReplayStep {
  int32_t step = 0;
  int32_t node = 0;
  std::vector<int32_t> placed;   // the node's outputs in order; their rules are in GraphAllocation
  std::vector<BufferUses> uses;  // of every buffer whose count changed, in the order of the first change
  std::vector<int32_t> taken;    // buffers that left the free list for one of the outputs
  std::vector<int32_t> freed;    // buffers that nobody uses any more, in the order in which they came free

  // Makes the free list in front of this step the one behind it: buffers of kind Allocate that nobody uses, newest
  // last. (What the planner may hand out again: not those of unknown size, and none where memory reuse is off.)
  void changeFreeList(const GraphAllocation& allocation, std::vector<int32_t>& free) const;
};

struct AllocationReplay {
  int32_t graph = 0;
  std::vector<ReplayStep> steps;
};

// All three of the same graph.
AllocationReplay replayAllocation(const GraphReport& graph, const GraphSchedule& schedule,
                                  const GraphAllocation& allocation);

}  // namespace cutaway
