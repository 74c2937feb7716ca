#pragma once
// What is asked of a graph's values again and again: who alone reads one, and which constant it is.
//
// Thread rule: pure. Example: if (const NodeId next = onlyReader(graph, node.outputs[0]); next.valid()) ...

#include <optional>

#include "engine/graph/graph.h"

namespace cutaway {

// The one use of a value that the graph does not give away; implicit inputs of nodes with bodies count.
std::optional<Use> onlyUse(const Graph& graph, ValueId value);

// The node of that use, when the value is an input of its own; invalid otherwise.
NodeId onlyReader(const Graph& graph, ValueId value);

// What the value is in every run: a constant initializer, or the tensor of a Constant node. nullptr: it is absent, or
// no such constant, or its numbers are not at hand (a file of weights that is missing). Values of graphs around a body
// are not looked for.
const Tensor* constantOf(const Graph& graph, ValueId value);

// The number of a constant of one element; nothing: it is none, or of a type without numbers.
std::optional<double> constantNumber(const Graph& graph, ValueId value);

}  // namespace cutaway
