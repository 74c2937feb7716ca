#pragma once
// What rewrites ask of values: who alone reads one, and which constant it is.
//
// Thread rule: pure. Example: if (const NodeId next = onlyReader(graph, node.outputs[0]); next.valid()) ...

#include <optional>

#include "engine/graph/graph.h"

namespace cutaway::cpu {

// The one use of a value that the graph does not give away; implicit inputs of nodes with bodies count.
std::optional<Use> onlyUse(const Graph& graph, ValueId value);

// The node of that use, when the value is an input of its own; invalid otherwise.
NodeId onlyReader(const Graph& graph, ValueId value);

// nullptr: absent, or no constant that is at hand.
const Tensor* constantOf(const Graph& graph, ValueId value);

}  // namespace cutaway::cpu
