#pragma once
// What a profiled run asked memory for, value by value, and what that comes to when every value has memory of its own,
// when buffers are used again as the plan says, and in one block with offsets.
//
// Sizes are those that the run showed, rounded as a pattern rounds them, so that the three sums are of the same bytes.
// They are of buffers that belong to the run: outputs, feeds, weights and what bodies keep are left out on all sides.
// Thread rule: pure. Example: const AllocationTrace trace = allocationTrace(*walk);  show(trace.ownPeakBytes);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/walk_report.h"

namespace cutaway::study {

// One value of the main graph that the run made.
struct TracedAllocation {
  int32_t value = kNone;
  int32_t rootValue = kNone;  // whose buffer it lives in
  AllocKind kind = AllocKind::kNotSet;
  AllocRule rule = AllocRule::kNone;
  int64_t bytes = 0;          // as the run showed
  int64_t plannedBytes = -1;  // before the run; -1: open
  int32_t madeAtStep = 0;
  int32_t freeAfterStep = 0;
  int64_t offset = -1;   // of its buffer in the block of the plan; -1: it has none
  bool counted = false;  // its buffer belongs to the run
};

struct AllocationTrace {
  std::vector<TracedAllocation> allocations;  // in the order in which they were made
  int64_t ownPeakBytes = 0;    // every value by itself, given back behind its last reader; views take none
  int64_t reusePeakBytes = 0;  // the plan's buffers, each as large as its largest value, from its first to its last one
  int64_t patternPeakBytes = -1;  // one block with offsets; -1: there is none
  int64_t lowerBoundBytes = -1;   // no placement can be smaller
  int64_t measuredPeakBytes = 0;  // of the run: block, arena and workspace together
  int64_t untracedValues = 0;     // made by the run, but no tensors of a known size
};

// Empty where the walk has no profiled run of its own, or no plan.
AllocationTrace allocationTrace(const WalkReport& walk);

}  // namespace cutaway::study
