#pragma once
// A given order, with every node that frees at least what it adds brought forward as soon as it is ready.
//
// Thread rule: pure. Linear. Example: const NodeOrder order = eagerOrder(graph, producers, consumers, memory,
// standard);

#include "engine/stages/schedule/live_memory.h"

namespace cutaway::schedule {

// base: an order of all nodes that keeps to the dependencies.
NodeOrder eagerOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers,
                     const LiveMemory& memory, std::span<const uint32_t> base);

}  // namespace cutaway::schedule
