#pragma once
// What a graph costs as formulas over its open dimensions: "4128*batch*seq" instead of "at least 0".
//
// Thread rule: pure. Example: put("{}", formulaText(graphFormulas(graph).flops, formatFlops));

#include <functional>
#include <string>

#include "engine/graph/graph.h"
#include "engine/tensor/size_polynomial.h"

namespace cutaway::plan {

// Sums over the nodes that have a formula (numbers are constants), and how many have none. Bodies and what compiled
// groups hold are not counted.
struct GraphFormulas {
  SizePolynomial flops, movedBytes;
  int64_t nodesWithoutFlops = 0, nodesWithoutBytes = 0;
  bool isOpen() const { return !flops.isConstant() || !movedBytes.isConstant(); }
};
GraphFormulas graphFormulas(const Graph& graph);

// "4.13 k x batch x seq + 12": the numbers as `write` writes them.
std::string formulaText(const SizePolynomial& formula, const std::function<std::string(int64_t)>& write);

}  // namespace cutaway::plan
