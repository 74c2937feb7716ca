#pragma once
// What a node costs, from its operator and the shapes of its values: floating point operations and bytes moved.
//
// Thread rule: pure. Example: const NodeCost cost = nodeCost(graph, id);  if (cost.flops >= 0) total += cost.flops;

#include <optional>

#include "engine/graph/graph.h"
#include "engine/tensor/size_polynomial.h"

namespace cutaway::operators {

struct NodeCost {
  int64_t flops = -1;       // a multiply and an add are two; -1: a shape it depends on is open, or nobody knows the
                            // operator. Operators that only move data cost 0.
  int64_t movedBytes = -1;  // activations read and written, each once; -1: a size is open. Views (Reshape) move
                            // nothing; Gather and Slice read what they write.
  int64_t weightBytes = 0;  // constants read, each as a whole
};
// The same over the symbols of open dimensions: numbers are constants; nullopt: nobody knows.
struct NodeFormulas {
  std::optional<SizePolynomial> flops, movedBytes;
};
NodeFormulas nodeFormulas(const Graph& graph, NodeId node);
// Bodies are not counted: how often they run is not known before.
NodeCost nodeCost(const Graph& graph, NodeId node);
// For whoever computes a node ahead and wants to know whether that is worth it: flops, the most they may be, or where
// nobody knows the operator a guess, a hundred for each number of its inputs and outputs. The largest number where a
// size is open, and of large inputs and outputs where nobody says that the work grows as they do.
int64_t nodeWork(const Graph& graph, NodeId node);

}  // namespace cutaway::operators
