#pragma once
// Expand and Tile: elements repeated, as moves whose repeated axes have stride zero.

#include "engine/base/result.h"
#include "engine/operators/strided_move.h"

namespace cutaway::operators {

// Of Expand: the broadcast of the input's dims and the wanted ones, right-aligned. INVALID_ARGUMENT where they do not
// fit; a wanted 1 keeps the input's size.
Result<Dims> expandedDims(std::span<const int64_t> dims, std::span<const int64_t> wanted);
// expanded: what expandedDims gave.
StridedMove expandMove(std::span<const int64_t> dims, std::span<const int64_t> expanded);

// Of Tile: repeats has one number of 0 or more for each axis.
Result<Dims> tiledDims(std::span<const int64_t> dims, std::span<const int64_t> repeats);
// Every axis becomes two: which repetition, and where in it. tiled: what tiledDims gave.
StridedMove tileMove(std::span<const int64_t> dims, std::span<const int64_t> repeats, std::span<const int64_t> tiled);

}  // namespace cutaway::operators
