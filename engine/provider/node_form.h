#pragma once
// The form of a node: all that a library's answer about it may depend on, as one text. Nodes of equal form get one
// question.
//
// Operator, version, attributes; for each input its element type, rank, which axes are open or empty, whether it is
// constant, and the values of short integer constants (axes, pads, shapes). Lengths of axes and weights are left out: a
// network's fifty convolutions have a handful of forms. Thread rule: pure. Example: std::string form = formOf(graph,
// id);

#include <string>

#include "engine/graph/graph.h"

namespace cutaway {

std::string formOf(const Graph& graph, NodeId id);

}  // namespace cutaway
