#pragma once
// Arithmetic of nodes as what it computes: a polynomial in one value x and in one function e of it. Exporters write the
// same formula in many orders of the same products and sums; as polynomials they are equal.
//
// Thread rule: pure. Example: x * 0.5 * (1 + e) and (0.5 * x) + e * (x / 2) are both Polynomial{{{0, 0.5}, {0, 0.5}}}.

#include <array>
#include <optional>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/operators/element_function.h"

namespace cutaway::operators {

// Coefficients by the power of e and the power of x.
struct Polynomial {
  static constexpr size_t kPowersOfE = 2, kPowersOfX = 4;
  std::array<std::array<double, kPowersOfX>, kPowersOfE> at{};

  // Every coefficient within this share of the other's.
  bool isNear(const Polynomial& other, double tolerance) const;
};

// Which nodes a formula may be made of, and how near its constants must be.
struct FormulaRules {
  bool (*takes)(const Node&);  // beside being of the standard operators and making one value
  double tolerance = 1e-5;     // constants are written with five digits and more
};

// A node that may be part of a formula and computes `function`.
bool isTaken(const Node& node, ElementFunction function, const FormulaRules& rules);

class Formulas {
 public:
  Formulas(const Graph& graph, FormulaRules rules) : m_graph(graph), m_rules(rules) {}

  const Graph& graph() const { return m_graph; }
  const FormulaRules& rules() const { return m_rules; }

  // The number of a constant whose shape adds no axis to a value of `rank` axes.
  std::optional<double> number(ValueId value, size_t rank) const;
  // Values that `value` may be a formula of, the nearest first: what its sums, products and powers are made of, a few
  // steps down. Each has a known rank and is no constant.
  std::vector<ValueId> variablesOf(ValueId value) const;
  // `value` in powers of x; the nodes that compute it are appended, each once. Nothing: it is no polynomial of x alone.
  std::optional<Polynomial> polynomialOf(ValueId value, ValueId x, std::vector<NodeId>& nodes) const;
  // Where the formula `wanted` in x and e ends, going from the value e to its only reader and on; the nodes on the way
  // are appended. Invalid: it comes to nothing of the kind.
  ValueId endOf(ValueId e, ValueId x, const Polynomial& wanted, std::vector<NodeId>& nodes) const;

 private:
  bool isArithmetic(const Node& node) const;
  std::optional<Polynomial> within(ValueId value, ValueId x, std::vector<NodeId>& nodes, int steps) const;

  const Graph& m_graph;
  FormulaRules m_rules;
};

// Those of `nodes` that nobody needs once `result` is made in another way: all who read what they make are among them,
// and the graph gives none of it away but `result`.
std::vector<NodeId> ownNodes(const Graph& graph, std::vector<NodeId> nodes, ValueId result);

}  // namespace cutaway::operators
