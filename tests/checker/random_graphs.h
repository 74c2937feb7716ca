#pragma once
// Random graphs whose types make sense, with everything that plans must bear.
//
// Thread rule: pure; the same seed gives the same graph.
// Example: const RandomModel model = randomModel(7, 120);  const MemoryHints hints = randomModelHints(model.graph);

#include <cstdint>
#include <map>
#include <string>

#include "engine/stages/allocate/allocate.h"

namespace cutaway {

struct RandomModel {
  Graph graph;
  std::map<std::string, int64_t> dims;  // a value for every symbol
};

// Element-wise nodes, views, joins and splits along any axis, products, nodes with bodies (of 1 to 4 nodes, with
// captured values, one level deeper now and then), nodes on a second device (some with outputs on the host), kernels
// that bring their own memory, strings, scalars, sequences, symbols and sums and products of them, unknown dimensions
// and ranks, several uses of one value by one node, absent inputs and outputs, outputs that nobody uses, graph outputs
// that are read again or listed twice, feeds and weights handed out as they are, holes of removed nodes.
RandomModel randomModel(uint64_t seed, int nodes);

// Hints as kernels would declare them, by operator; the second device by the node's provider.
MemoryHints randomModelHints(const Graph& graph);

}  // namespace cutaway
