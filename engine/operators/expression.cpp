#include "engine/operators/expression.h"

#include <algorithm>
#include <cmath>

#include "engine/graph/graph_query.h"
#include "engine/operators/traits/operator_traits.h"

namespace cutaway::operators {

namespace {

constexpr int kMostSteps = 8;        // no formula here has more operations one behind the other
constexpr int kStepsToVariable = 4;  // nor its variable deeper in it

Polynomial sum(const Polynomial& a, const Polynomial& b, double factor) {
  Polynomial result = a;
  for (size_t e = 0; e < Polynomial::kPowersOfE; ++e) {
    for (size_t x = 0; x < Polynomial::kPowersOfX; ++x)
      result.at[e][x] += factor * b.at[e][x];
  }
  return result;
}

std::optional<Polynomial> product(const Polynomial& a, const Polynomial& b) {
  constexpr size_t kCount = Polynomial::kPowersOfE * Polynomial::kPowersOfX;
  Polynomial result;
  for (size_t i = 0; i < kCount * kCount; ++i) {
    const size_t ofA = i / kCount, ofB = i % kCount;
    const size_t ea = ofA / Polynomial::kPowersOfX, xa = ofA % Polynomial::kPowersOfX;
    const size_t eb = ofB / Polynomial::kPowersOfX, xb = ofB % Polynomial::kPowersOfX;
    const double term = a.at[ea][xa] * b.at[eb][xb];
    if (term == 0) continue;
    if (ea + eb >= Polynomial::kPowersOfE || xa + xb >= Polynomial::kPowersOfX) return std::nullopt;
    result.at[ea + eb][xa + xb] += term;
  }
  return result;
}

// The number, where it is nothing but one.
std::optional<double> numberOf(const Polynomial& polynomial) {
  Polynomial rest = polynomial;
  rest.at[0][0] = 0;
  return rest.at == Polynomial().at ? std::optional(polynomial.at[0][0]) : std::nullopt;
}

std::optional<Polynomial> power(const Polynomial& base, const Polynomial& exponent) {
  const auto number = numberOf(exponent);
  if (!number || (*number != 2 && *number != 3)) return std::nullopt;
  const auto square = product(base, base);
  return square && *number == 3 ? product(*square, base) : square;
}

std::optional<Polynomial> combined(const Node& node, const Polynomial& a, const Polynomial& b) {
  switch (elementFunctionOf(node)) {
    case ElementFunction::kAdd:
      return sum(a, b, 1);
    case ElementFunction::kSub:
      return sum(a, b, -1);
    case ElementFunction::kMul:
      return product(a, b);
    case ElementFunction::kDiv: {
      const auto divisor = numberOf(b);
      if (!divisor || *divisor == 0) return std::nullopt;
      Polynomial inverse;
      inverse.at[0][0] = 1 / *divisor;
      return product(a, inverse);
    }
    case ElementFunction::kPow:
      return power(a, b);
    default:
      return std::nullopt;
  }
}

size_t rankOf(const Graph& graph, ValueId value) {
  const ValueType& type = graph.value(value).type;
  return type.shape ? type.shape->rank() : 0;
}

void addOnce(std::vector<NodeId>& nodes, NodeId id) {
  if (std::ranges::find(nodes, id) == nodes.end()) nodes.push_back(id);
}

}  // namespace

bool Polynomial::isNear(const Polynomial& other, double tolerance) const {
  for (size_t e = 0; e < kPowersOfE; ++e) {
    for (size_t x = 0; x < kPowersOfX; ++x) {
      if (!(std::abs(at[e][x] - other.at[e][x]) <= tolerance * std::abs(other.at[e][x]))) return false;
    }
  }
  return true;
}

bool isTaken(const Node& node, ElementFunction function, const FormulaRules& rules) {
  return !node.removed && node.domain.empty() && node.outputs.size() == 1 && node.outputs[0].valid() &&
         elementFunctionOf(node) == function && rules.takes(node);
}

bool Formulas::isArithmetic(const Node& node) const {
  if (node.inputs.size() != 2 || !node.inputs[0].valid() || !node.inputs[1].valid()) return false;
  for (const ElementFunction function : {ElementFunction::kAdd, ElementFunction::kSub, ElementFunction::kMul,
                                         ElementFunction::kDiv, ElementFunction::kPow}) {
    if (isTaken(node, function, m_rules)) return true;
  }
  return false;
}

std::optional<double> Formulas::number(ValueId value, size_t rank) const {
  const Tensor* const constant = constantOf(m_graph, value);
  return constant == nullptr || constant->rank() > rank ? std::nullopt : constantNumber(m_graph, value);
}

std::vector<ValueId> Formulas::variablesOf(ValueId value) const {
  std::vector<ValueId> found, level{value};
  for (int step = 0; step <= kStepsToVariable && !level.empty(); ++step) {
    std::vector<ValueId> below;
    for (const ValueId each : level) {
      const Value& its = m_graph.value(each);
      if (!its.type.isTensor() || constantOf(m_graph, each) != nullptr) continue;
      if (its.type.shape && std::ranges::find(found, each) == found.end()) found.push_back(each);
      if (!its.producer.valid() || !isArithmetic(m_graph.node(its.producer))) continue;
      for (const ValueId input : m_graph.node(its.producer).inputs) {
        if (std::ranges::find(below, input) == below.end()) below.push_back(input);
      }
    }
    level = std::move(below);
  }
  return found;
}

std::optional<Polynomial> Formulas::within(ValueId value, ValueId x, std::vector<NodeId>& nodes, int steps) const {
  Polynomial result;
  if (value == x) {
    result.at[0][1] = 1;
    return result;
  }
  if (const auto constant = number(value, rankOf(m_graph, x))) {
    result.at[0][0] = *constant;
    return result;
  }
  const Value& found = m_graph.value(value);
  if (steps == 0 || !found.producer.valid() || !isArithmetic(m_graph.node(found.producer))) return std::nullopt;
  const Node& node = m_graph.node(found.producer);
  const auto a = within(node.inputs[0], x, nodes, steps - 1);
  if (!a) return std::nullopt;
  const auto b = node.inputs[1] == node.inputs[0] ? a : within(node.inputs[1], x, nodes, steps - 1);
  if (!b) return std::nullopt;
  addOnce(nodes, found.producer);
  return combined(node, *a, *b);
}

std::optional<Polynomial> Formulas::polynomialOf(ValueId value, ValueId x, std::vector<NodeId>& nodes) const {
  return within(value, x, nodes, kMostSteps);
}

ValueId Formulas::endOf(ValueId e, ValueId x, const Polynomial& wanted, std::vector<NodeId>& nodes) const {
  Polynomial reached;
  reached.at[1][0] = 1;
  ValueId value = e;
  for (int step = 0; step < kMostSteps; ++step) {
    const NodeId next = onlyReader(m_graph, value);
    if (!next.valid() || !isArithmetic(m_graph.node(next))) return {};
    const Node& node = m_graph.node(next);
    const bool isFirst = node.inputs[0] == value;
    const auto other = polynomialOf(node.inputs[isFirst ? 1 : 0], x, nodes);
    if (!other) return {};
    const auto both = isFirst ? combined(node, reached, *other) : combined(node, *other, reached);
    if (!both) return {};
    addOnce(nodes, next);
    reached = *both;
    value = node.outputs[0];
    if (reached.isNear(wanted, m_rules.tolerance)) return value;
  }
  return {};
}

std::vector<NodeId> ownNodes(const Graph& graph, std::vector<NodeId> nodes, ValueId result) {
  const auto isNeeded = [&](NodeId id) {
    return std::ranges::any_of(graph.node(id).outputs, [&](ValueId output) {
      if (!output.valid() || output == result) return false;
      const Value& value = graph.value(output);
      return value.outputCount > 0 || std::ranges::any_of(value.uses, [&](const Use& use) {
               return std::ranges::find(nodes, use.node) == nodes.end();
             });
    });
  };
  // What one that stays reads stays, too.
  while (true) {
    const auto needed = std::ranges::find_if(nodes, isNeeded);
    if (needed == nodes.end()) return nodes;
    nodes.erase(needed);
  }
}

}  // namespace cutaway::operators
