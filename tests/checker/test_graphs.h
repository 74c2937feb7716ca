#pragma once
// Graphs built in code, for tests of orders and plans.
//
// Thread rule: pure; the same seed gives the same graph.
// Example: const Graph graph = randomGraph({.seed = 7, .nodes = 200});

#include <cstdint>

#include "engine/stages/allocate/allocate.h"

namespace cutaway {

struct RandomGraphOptions {
  uint64_t seed = 1;
  int nodes = 50;
  bool symbolicDims = false;
  bool unusualTypes = false;  // strings, scalars, sequences, unknown shapes
};
// Relu, Add, Concat, Reshape, Split, MatMul, Identity and body-holding nodes over a few shapes; some outputs unused,
// some both output and input of others.
Graph randomGraph(const RandomGraphOptions& options);

// The worked example: X[2,8] -> A=Relu(X) -> B=MatMul(A,W[8,8]) -> C=Relu(B) -> D=Add(C,B) -> Y=Relu(D).
Graph workedExample();

// Hints by operator, as kernels would declare them. Reference: Add has none; Cutaway: Add may be written over either
// input.
MemoryHints referenceHints(const Graph& graph);
MemoryHints cutawayHints(const Graph& graph);

ValueType floatTensor(std::initializer_list<int64_t> dims);

}  // namespace cutaway
