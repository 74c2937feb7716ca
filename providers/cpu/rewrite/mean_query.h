#pragma once
// What rewrites ask of a ReduceMean.
//
// Thread rule: pure. Example: if (const auto axes = meanAxes(graph, node); axes && axes->size() == 2) ...

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/graph/graph.h"

namespace cutaway::cpu {

// The axes over which a ReduceMean of this provider takes the mean of a float tensor of known rank and keeps them, from
// 0 on and in order; nothing for other nodes, where only the run knows the axes, and where none is named.
std::optional<std::vector<int64_t>> meanAxes(const Graph& graph, const Node& node);

}  // namespace cutaway::cpu
