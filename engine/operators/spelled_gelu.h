#pragma once
// A Gelu that is written in other operators, with their products and sums in whatever order an exporter chose:
// x/2 (1 + erf(x / sqrt 2)), and its approximation x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).
//
// Source of both formulas: D. Hendrycks, K. Gimpel, "Gaussian Error Linear Units", 2016, section 2. Thread rule: pure.
// Example: if (const auto gelu = spelledGelu(Formulas(graph, {.takes = isMine}), id)) replace(gelu->nodes, gelu->x);

#include <optional>
#include <vector>

#include "engine/operators/expression.h"

namespace cutaway::operators {

struct SpelledGelu {
  ValueId x, result;
  bool isApproximate = false;   // by Tanh
  std::vector<NodeId> nodes{};  // what nobody needs beside it: those that compute it, but for what others read, too
};

// The one whose Erf or Tanh the node is; nothing: it is no such node, or part of another formula.
std::optional<SpelledGelu> spelledGelu(const Formulas& formulas, NodeId function);

}  // namespace cutaway::operators
