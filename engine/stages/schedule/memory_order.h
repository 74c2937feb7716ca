#pragma once
// The memory order: an order with a small peak of live bytes.
//
// Candidates: the default order; depth first with the hungriest branch first (J. W. H. Liu, "An application of
// generalized tree pebbling to sparse matrix factorization", 1987, on the tree of first consumers); two greedy orders
// by freed minus allocated bytes. The best is improved by local search around its peak, bounded by a count of walks, so
// that the result is always the same. Never worse than the default. Thread rule: pure. n log n, plus the bounded
// search. Example: CUTAWAY_TRY(NodeOrder order, memoryOrder(graph, producers, consumers, memory, progress));

#include "engine/base/progress.h"
#include "engine/stages/schedule/live_memory.h"

namespace cutaway::schedule {

Result<NodeOrder> memoryOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers,
                              const LiveMemory& memory, const Progress* progress);

}  // namespace cutaway::schedule
