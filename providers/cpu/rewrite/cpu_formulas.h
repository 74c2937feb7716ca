#pragma once
// Formulas of this provider's nodes, for rewrites.
//
// Thread rule: pure. Example: if (isTaken(node, operators::ElementFunction::kMul) && scalarOf(graph, node.inputs[1],
// 1))

#include "engine/operators/expression.h"

namespace cutaway::cpu {

inline constexpr operators::FormulaRules kFormulas{.takes = [](const Node& node) { return node.provider == "cpu"; }};

// A node of this provider and of the standard operators that computes `function` and makes one value.
inline bool isTaken(const Node& node, operators::ElementFunction function) {
  return operators::isTaken(node, function, kFormulas);
}

// The number of a constant whose shape adds no axis to a value of `rank` axes.
inline std::optional<double> scalarOf(const Graph& graph, ValueId value, size_t rank) {
  return operators::Formulas(graph, kFormulas).number(value, rank);
}

}  // namespace cutaway::cpu
