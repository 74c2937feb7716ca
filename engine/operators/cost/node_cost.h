#pragma once
// What a node costs, from its operator and the shapes of its values: floating point operations and bytes moved.
//
// Thread rule: pure. Example: const NodeCost cost = nodeCost(graph, id);  if (cost.flops >= 0) total += cost.flops;

#include "engine/graph/graph.h"

namespace cutaway::operators {

struct NodeCost {
  int64_t flops = -1;       // a multiply and an add are two; -1: a shape it depends on is open, or nobody knows the
                            // operator. Operators that only move data cost 0.
  int64_t movedBytes = -1;  // activations read and written, each once; -1: a size is open. Views (Reshape) move
                            // nothing; Gather and Slice read what they write.
  int64_t weightBytes = 0;  // constants read, each as a whole
};
// Bodies are not counted: how often they run is not known before.
NodeCost nodeCost(const Graph& graph, NodeId node);

}  // namespace cutaway::operators
