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
#include "providers/cpu/rewrite/graph_query.h"

namespace cutaway::cpu {

// Coefficients by the power of e and the power of x.
struct Polynomial {
  static constexpr size_t kPowersOfE = 2, kPowersOfX = 4;
  std::array<std::array<double, kPowersOfX>, kPowersOfE> at{};

  // Every coefficient within 1e-5 of the other's: constants are written with five digits and more.
  bool isNear(const Polynomial& other) const;
};

// A node of this provider and of the standard operators that computes `function` and makes one value.
bool isTaken(const Node& node, operators::ElementFunction function);

// The number that a constant of one float has, when its shape adds no axis to a value of `rank` axes.
std::optional<double> scalarOf(const Graph& graph, ValueId value, size_t rank);

// The float value of known rank that sums, products and powers of this provider make `value` of, and that something
// else reads, too; invalid: there is none, or there are several.
ValueId variableOf(const Graph& graph, ValueId value);

// `value` in powers of x; the nodes that compute it are appended. Nothing: it is no polynomial of x alone, or something
// else reads what lies between.
std::optional<Polynomial> polynomialOf(const Graph& graph, ValueId value, ValueId x, std::vector<NodeId>& nodes);

// Where the formula `wanted` in x and e ends, going from the value e to its only reader and on; the nodes on the way
// are appended. Invalid: it comes to nothing of the kind.
ValueId endOf(const Graph& graph, ValueId e, ValueId x, const Polynomial& wanted, std::vector<NodeId>& nodes);

}  // namespace cutaway::cpu
