#pragma once
// Nodes of domain kChannelsLastDomain as what they stand for: a transpose to channels first, the operator itself, and a transpose back.
//
// Such a node is its operator of ai.onnx, with the same attributes and versions; its first input and its first output have their channels last ([N,spatial...,C]), all others are as ever.
// Thread rule: pure apart from the graph in hand. Example: CUTAWAY_CHECK(lowerChannelsLast(graph));   // now every node has a kernel of the CPU provider

#include "engine/graph/graph.h"

namespace cutaway {

// NOT_IMPLEMENTED naming the node where the rank of its first input or output is not known.
Result<void> lowerChannelsLast(Graph& graph);

}  // namespace cutaway
