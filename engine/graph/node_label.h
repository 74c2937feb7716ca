#pragma once
// What messages call a node: its operator and name, or its operator and number, or the group that it stands for.
//
// Thread rule: pure. Example: fmt::format("{} runs on {}", nodeLabel(graph, id), device.name);   // "Conv 'conv1' runs
// on ..."

#include <string>

#include "engine/graph/graph.h"

namespace cutaway {

std::string nodeLabel(const Graph& graph, NodeId id);

}  // namespace cutaway
