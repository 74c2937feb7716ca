#pragma once
// Orders in which blocks are placed.
//
// Thread rule: pure. Example: placer.place(orderBySize(blocks), 0, Fit::kFirst);

#include <cstdint>
#include <span>
#include <vector>

#include "engine/stages/pattern/live_profile.h"

namespace cutaway::pattern {

using BlockOrder = std::vector<uint32_t>;

BlockOrder orderByTime(std::span<const TimedBlock> blocks);
// Largest first. Pisarchyk and Lee, "Efficient memory management for deep neural net inference" (2020): greedy by size.
BlockOrder orderBySize(std::span<const TimedBlock> blocks);
// Longest life first.
BlockOrder orderByLifetime(std::span<const TimedBlock> blocks);
// Largest size times lifetime first.
BlockOrder orderByArea(std::span<const TimedBlock> blocks);
// The step with the most live bytes first, its blocks by size, then the next step. The same paper: greedy by breadth.
BlockOrder orderByBreadth(std::span<const TimedBlock> blocks, const std::vector<int64_t>& liveBytes);
// From the step with the most live bytes outwards in time, so that what meets the peak is placed before what does not.
BlockOrder orderAroundPeak(std::span<const TimedBlock> blocks, int32_t peakStep);

}  // namespace cutaway::pattern
