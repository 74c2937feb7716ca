#pragma once
// What a graph costs as formulas over its open dimensions: "4128*batch*seq" instead of "at least 0".
//
// Thread rule: pure. Example: GraphFormulas all = graphFormulas(graph);
// put("{}", formulaText(all.flops, all.free, formatFlops));

#include <functional>
#include <set>
#include <string>

#include "engine/graph/graph.h"
#include "engine/tensor/size_polynomial.h"

namespace cutaway::plan {

// Sums over the nodes that have a formula (numbers are constants), and how many have none. Bodies and what compiled
// groups hold are not counted.
struct GraphFormulas {
  SizePolynomial flops, movedBytes;
  int64_t nodesWithoutFlops = 0, nodesWithoutBytes = 0;
  std::set<std::string>
      free;  // dimensions that who runs the graph chooses: those of its inputs, as formulas write them
  bool isOpen() const { return !flops.isConstant() || !movedBytes.isConstant(); }
};
GraphFormulas graphFormulas(const Graph& graph);

// "4.13 k x batch x seq + 12": the numbers as `write` writes them. Terms in other dimensions than the free ones, which
// follow inside the graph and tell nobody anything, are counted at the end.
std::string formulaText(const SizePolynomial& formula, const std::set<std::string>& free,
                        const std::function<std::string(int64_t)>& write);

}  // namespace cutaway::plan
