#pragma once
// Cuts a group of nodes out of a graph, as a graph of its own.
//
// Thread rule: pure. Example: CUTAWAY_TRY(Graph inner, extractGroup(graph, nodes, border));

#include <span>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/provider/execution_provider.h"

namespace cutaway {

// Inputs and outputs of a group, in first-use order: outputs are graph outputs and values with a consumer outside. Constants count as inputs only when asked for.
struct GroupBorder {
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
};
GroupBorder borderOf(const Graph& graph, std::span<const NodeId> nodes, bool constantsAsInputs);

// The group's nodes in the given order, with the border as the new graph's inputs and outputs and every constant they use as an initializer (bytes shared).
// INVALID_GRAPH when the border leaves out a value that the nodes need from outside, or names an output that they do not make.
Result<Graph> extractGroup(const Graph& graph, std::span<const NodeId> nodes, const GroupBorder& border);

}  // namespace cutaway
