#pragma once
// What every node costs by its operator and shapes: floating point operations, bytes moved, parameters; and what graphs
// come to.
//
// Thread rule: immutable once published.
// Example: if (walk->loadedCosts) show(walk->loadedCosts->graphs[0].nodes[3].flops);

#include <cstdint>
#include <vector>

namespace cutaway {

struct NodeFigures {
  int64_t flops = -1;       // a multiply and an add are two; -1: a shape is open, or the operator is not known
  int64_t movedBytes = -1;  // activations read and written, each once; -1: a size is open
  int64_t weightBytes = 0;  // initializers it reads, each as a whole
  int64_t parameters = 0;   // elements of floating point and quantised initializers it reads
};

struct GraphCosts {
  std::vector<NodeFigures> nodes;  // parallel to GraphReport::nodes
  NodeFigures total;  // flops and movedBytes over what is known, initializers counted once; bodies are not counted: how
                      // often they run is not known
  int64_t unknownNodes = 0;  // whose flops are not known
};

struct CostReport {
  std::vector<GraphCosts> graphs;  // parallel to ModelGraphs::graphs
};

}  // namespace cutaway
