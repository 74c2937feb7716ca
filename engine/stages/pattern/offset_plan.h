#pragma once
// The offsets of one device's blocks: several constructive strategies, then a bounded local search, until the lower
// bound is reached or the effort is spent.
//
// Thread rule: pure; deterministic (work is counted, not timed). Example: CUTAWAY_TRY(const OffsetPlan plan,
// planOffsets(blocks, {}));  plan.placement.offsets[0];

#include <span>
#include <vector>

#include "engine/base/progress.h"
#include "engine/report/pattern_report.h"
#include "engine/stages/pattern/placement.h"

namespace cutaway::pattern {

struct OffsetOptions {
  int64_t effort = 200'000;  // blocks that local search may place (four conflicts count as one more); 0: none
  bool onlyByTime = false;   // best fit by time alone
  const Progress* progress = nullptr;
};

struct OffsetPlan {
  Placement placement;
  int64_t lowerBoundBytes = 0;
  std::vector<StrategyResult> strategies;  // tried, in order; one of them chosen
};

// blocks: by first step. INVALID_ARGUMENT when they do not fit in 64 bits together, MODEL_LOAD_CANCELED.
Result<OffsetPlan> planOffsets(std::span<const TimedBlock> blocks, const OffsetOptions& options);

}  // namespace cutaway::pattern
