#pragma once
// Placement for graphs in which so many blocks live at once that their conflicts cannot be listed: near-linear, less
// exact.
//
// Pauses in a block's life are treated as if it lived on. Thread rule: pure.
// Example: const Placement placement = placeByTimeWithGaps(blocks);

#include <span>

#include "engine/stages/pattern/orders.h"
#include "engine/stages/pattern/placement.h"

namespace cutaway::pattern {

// Best fit by time with an index of the gaps: each block costs the logarithm of the number of gaps.
Placement placeByTimeWithGaps(std::span<const TimedBlock> blocks);
// Every block on top of the highest one that lives at any of its steps (the skyline); the order decides.
Placement placeOnSkyline(std::span<const TimedBlock> blocks, const BlockOrder& order);

}  // namespace cutaway::pattern
