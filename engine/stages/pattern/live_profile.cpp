#include "engine/stages/pattern/live_profile.h"

#include <algorithm>

#include "engine/base/checked_math.h"

namespace cutaway::pattern {

Result<LiveProfile> liveProfile(std::span<const TimedBlock> blocks) {
  LiveProfile profile;
  int32_t steps = 0;
  for (const TimedBlock& block : blocks) {
    CUTAWAY_TRY(profile.totalBytes, checkedAdd(profile.totalBytes, block.sizeBytes));
    steps = std::max(steps, block.last() + 1);
  }
  std::vector<int64_t> change(static_cast<size_t>(steps) + 1, 0);
  for (const TimedBlock& block : blocks) {
    for (size_t i = 0; i < block.life.starts.size(); ++i) {
      change[static_cast<size_t>(block.life.starts[i])] += block.sizeBytes;
      change[static_cast<size_t>(block.life.ends[i]) + 1] -= block.sizeBytes;
    }
  }
  profile.liveBytes.resize(static_cast<size_t>(steps));
  int64_t live = 0;
  for (size_t step = 0; step < profile.liveBytes.size(); ++step) {
    live += change[step];
    profile.liveBytes[step] = live;
    if (live <= profile.lowerBoundBytes) continue;
    profile.lowerBoundBytes = live;
    profile.peakStep = static_cast<int32_t>(step);
  }
  return profile;
}

}  // namespace cutaway::pattern
