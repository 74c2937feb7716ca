#pragma once
// Cuts a group of nodes out of a graph, as a graph of its own.
//
// Thread rule: pure. Example: CUTAWAY_TRY(Graph inner, extractGroup(graph, nodes, border));

#include <span>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/provider/group_builder.h"

namespace cutaway::partition {

// The group's nodes in the given order, with the border as the new graph's inputs and outputs and every constant they
// use as an initializer (bytes shared). INVALID_GRAPH when the border leaves out a value that the nodes need from
// outside, or names an output that they do not make.
Result<Graph> extractGroup(const Graph& graph, std::span<const NodeId> nodes, const GroupBorder& border);

}  // namespace cutaway::partition
