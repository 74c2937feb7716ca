#pragma once
// How many bytes are alive at every step, and the lower bound that follows: no placement can have a smaller peak than
// the largest sum of live bytes.
//
// Thread rule: pure. Example: CUTAWAY_TRY(const LiveProfile profile, liveProfile(blocks));  profile.lowerBoundBytes;

#include <span>
#include <vector>

#include "engine/stages/allocate/allocate.h"

namespace cutaway::pattern {

// A buffer to be placed: its room and when it is needed.
struct TimedBlock {
  int64_t sizeBytes = 0;          // rounded up to the alignment, above 0
  allocate::ProgramCounter life;  // sorted, disjoint, not empty
  int32_t first() const { return life.starts.front(); }
  int32_t last() const { return life.ends.back(); }
};

struct LiveProfile {
  std::vector<int64_t> liveBytes;  // by step, up to the last step at which a block lives
  int64_t lowerBoundBytes = 0;
  int32_t peakStep = 0;    // the first with that many
  int64_t totalBytes = 0;  // of all blocks: what they need without sharing
};

// INVALID_ARGUMENT when all blocks together do not fit in 64 bits; every sum of offsets and sizes made from these
// blocks fits otherwise.
Result<LiveProfile> liveProfile(std::span<const TimedBlock> blocks);

}  // namespace cutaway::pattern
