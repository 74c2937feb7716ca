#pragma once
// Blocks of values that lie inside the buffer of another: inputs written straight into a join's output, and outputs
// that are views of a split's input.
//
// Thread rule: pure. Example: placeParts(graph, allocation, sizes, group);

#include "engine/stages/pattern/pattern.h"

namespace cutaway::pattern {

// Gives them offset and size where those are known: the buffer has a block, and so has everything before them in it.
// What stays without a block gets memory of its own when it runs.
void placeParts(const Graph& graph, const allocate::AllocationPlan& allocation, const std::vector<int64_t>& sizes,
                MemoryPatternGroup& group);

}  // namespace cutaway::pattern
