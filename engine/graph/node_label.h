#pragma once
// What a node of a graph is called: by its name alone (tables, places of errors), and in sentences with its operator.

#include <string>

#include "engine/base/node_name.h"
#include "engine/graph/graph.h"

namespace cutaway {

// "stem"; without a name "Conv_3".
std::string nodeName(const Graph& graph, NodeId id);
// "Conv 'stem'"; without a name "Conv_3"; of a group that a provider fused: "group 'cpu_0'".
std::string nodeLabel(const Graph& graph, NodeId id);

}  // namespace cutaway
