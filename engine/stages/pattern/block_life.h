#pragma once
// When a buffer lives: the union of the intervals of all values in it.
//
// Thread rule: pure. Example: for (const BlockLife& life : blockLives(allocation)) chart(life.root, life.counter);

#include <vector>

#include "engine/stages/allocate/allocate.h"

namespace cutaway::pattern {

struct BlockLife {
  ValueId root;                      // of kind kAllocate
  allocate::ProgramCounter counter;  // sorted, disjoint, not touching
  int32_t first() const { return counter.starts.front(); }
  int32_t last() const { return counter.ends.back(); }
};

// Pauses between the intervals: kept, or bridged, so that the life is one piece from first to last.
enum class Pauses : uint8_t { kKept, kBridged };
// One per root of kind kAllocate, by first step, then by value index.
std::vector<BlockLife> blockLives(const allocate::AllocationPlan& allocation, Pauses pauses = Pauses::kKept);
// Closed intervals: touching ends collide.
bool collide(const allocate::ProgramCounter& a, const allocate::ProgramCounter& b);

}  // namespace cutaway::pattern
