#pragma once
// One graph allocated and placed in several ways, of which the smallest is kept: free buffers taken again or not, joins
// and splits in place or not.
//
// A free buffer of the same size is best taken again where memory comes piece by piece; in a pattern it can tie two
// lives together that are better placed apart. A join in place saves its copy, but holds room for all its parts from
// the first one on. Which is smaller depends on the model, so both are planned where they differ. Thread rule: pure.
// Example: CUTAWAY_TRY(VariantPlan plan, planBestVariant({graph, order, hints, allocate, pattern, sizes}));

#include <string>
#include <vector>

#include "engine/stages/allocate/allocate.h"
#include "engine/stages/pattern/pattern.h"

namespace cutaway::plan {

struct VariantRequest {
  const Graph& graph;
  const schedule::SequentialExecutionPlan& order;
  const MemoryHints& hints;
  allocate::AllocateOptions allocate;  // what is switched off here stays off
  pattern::PatternOptions pattern;
  const std::vector<int64_t>& sizes;  // bytes by value index, -1: not known
  bool vary = true;                   // false: one plan as the options say
};

struct VariantTrial {
  bool takesFreeBuffers = true;
  bool joinsInPlace = true;
  int64_t peakBytes = 0;
  int64_t lowerBoundBytes = 0;
  bool chosen = false;
};

struct VariantPlan {
  allocate::AllocationPlan allocation;
  pattern::MemoryPatternGroup pattern;
  int64_t peakBytes = 0;             // over all devices
  std::vector<VariantTrial> trials;  // in the order in which they were made
  int64_t allocateNs = 0;
  int64_t patternNs = 0;
};

// Ties: taking buffers again before not doing so, in place before copies.
Result<VariantPlan> planBestVariant(const VariantRequest& request);
// A sentence about what was compared; empty when there was nothing to compare.
std::string describeTrials(const std::vector<VariantTrial>& trials);

}  // namespace cutaway::plan
