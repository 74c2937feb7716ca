#pragma once
// When a buffer lives: the union of the intervals of all values in it.
//
// Thread rule: pure. Example: for (const BlockLife& life : blockLives(graph, order, allocation)) chart(life.root,
// life.counter);

#include <vector>

#include "engine/stages/allocate/allocate.h"

namespace cutaway {

struct BlockLife {
  ValueId root;            // of kind kAllocate
  ProgramCounter counter;  // sorted, disjoint, not touching
  int32_t first() const { return counter.starts.front(); }
  int32_t last() const { return counter.ends.back(); }
};

// One per root of kind kAllocate, by first step, then by value index.
std::vector<BlockLife> blockLives(const AllocationPlan& allocation);
// Closed intervals: touching ends collide.
bool collide(const ProgramCounter& a, const ProgramCounter& b);

}  // namespace cutaway
