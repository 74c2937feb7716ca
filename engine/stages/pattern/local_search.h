#pragma once
// Improves a placement: takes the blocks around one that reaches above the lower bound out, and puts them back in other
// orders.
//
// Thread rule: pure; deterministic (seeded, effort is a count). Example: improvePlacement(blocks, conflicts,
// lowerBound, 200'000, nullptr, placement);

#include <span>

#include "engine/base/progress.h"
#include "engine/stages/pattern/placement.h"

namespace cutaway::pattern {

// Stops at the lower bound or when `effort` blocks were placed (four conflicts looked at count as one more); the result
// is never worse than what came in. False: cancelled.
bool improvePlacement(std::span<const TimedBlock> blocks, const Conflicts& conflicts, int64_t lowerBoundBytes,
                      int64_t effort, const Progress* progress, Placement& placement);

}  // namespace cutaway::pattern
