#pragma once
// What a run needs before it starts, and what a session holds.
//
// Thread rule: pure; any thread. Example: CUTAWAY_CHECK(checkLimit(needOf(frame, plan, pattern), meter));

#include "engine/execute/frame/frame.h"
#include "engine/execute/program/fetch_plan.h"
#include "engine/tensor/packed_weight.h"

namespace cutaway::execute {

// Bytes that are known before a run; what has no size yet is not among them.
struct MemoryNeed {
  int64_t plannedBytes = 0;  // blocks of the pattern, room for bodies in it
  int64_t bodyBytes = 0;     // blocks of bodies that have no room in it
  int64_t outputBytes = 0;   // outputs not written into memory of the caller's
  int64_t total() const { return plannedBytes + bodyBytes + outputBytes; }
};
MemoryNeed needOf(Frame& frame, const FetchPlan& plan, const pattern::MemoryPatternGroup* pattern);
// FAIL with the peak it would need, part by part, when that is above the session's limit.
Result<void> checkLimit(const MemoryNeed& need, const MemoryMeter& meter);

MemoryBreakdown describeMemory(const Program& program, const MemoryMeter& meter, const PackAccount& packs);

}  // namespace cutaway::execute
