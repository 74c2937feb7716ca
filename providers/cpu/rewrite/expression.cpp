#include "providers/cpu/rewrite/expression.h"

#include <cmath>

#include "engine/operators/traits/operator_traits.h"

namespace cutaway::cpu {

namespace {

using operators::ElementFunction;

constexpr int kMostSteps = 8;  // no formula here has more operations one behind the other

std::optional<Polynomial> sum(const Polynomial& a, const Polynomial& b, double factor) {
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

bool isArithmetic(const Node& node) {
  if (node.inputs.size() != 2 || !node.inputs[0].valid() || !node.inputs[1].valid()) return false;
  for (const ElementFunction function : {ElementFunction::kAdd, ElementFunction::kSub, ElementFunction::kMul,
                                         ElementFunction::kDiv, ElementFunction::kPow}) {
    if (isTaken(node, function)) return true;
  }
  return false;
}

std::optional<Polynomial> combined(const Node& node, const Polynomial& a, const Polynomial& b) {
  switch (operators::elementFunctionOf(node)) {
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

bool isFloatOfKnownRank(const Graph& graph, ValueId value) {
  const ValueType& type = graph.value(value).type;
  return type.isTensor() && type.element == ElementType::kFloat && type.shape.has_value();
}

ValueId variableWithin(const Graph& graph, ValueId value, int steps) {
  const Value& found = graph.value(value);
  const bool isOwn = onlyUse(graph, value) && found.producer.valid() && isArithmetic(graph.node(found.producer));
  if (!isOwn || steps == 0) return isFloatOfKnownRank(graph, value) && !graph.isConstant(value) ? value : ValueId{};
  ValueId variable;
  for (const ValueId input : graph.node(found.producer).inputs) {
    if (graph.isConstant(input)) continue;
    const ValueId of = variableWithin(graph, input, steps - 1);
    if (!of.valid() || (variable.valid() && variable != of)) return {};
    variable = of;
  }
  return variable;
}

std::optional<Polynomial> polynomialWithin(const Graph& graph, ValueId value, ValueId x, std::vector<NodeId>& nodes,
                                           int steps) {
  Polynomial result;
  if (value == x) {
    result.at[0][1] = 1;
    return result;
  }
  if (const auto number = scalarOf(graph, value, rankOf(graph, x))) {
    result.at[0][0] = *number;
    return result;
  }
  const Value& found = graph.value(value);
  if (steps == 0 || !onlyUse(graph, value) || !found.producer.valid() || !isArithmetic(graph.node(found.producer)))
    return std::nullopt;
  const Node& node = graph.node(found.producer);
  const auto a = polynomialWithin(graph, node.inputs[0], x, nodes, steps - 1);
  if (!a) return std::nullopt;
  const auto b = polynomialWithin(graph, node.inputs[1], x, nodes, steps - 1);
  if (!b) return std::nullopt;
  nodes.push_back(found.producer);
  return combined(node, *a, *b);
}

}  // namespace

bool Polynomial::isNear(const Polynomial& other) const {
  for (size_t e = 0; e < kPowersOfE; ++e) {
    for (size_t x = 0; x < kPowersOfX; ++x) {
      if (!(std::abs(at[e][x] - other.at[e][x]) <= 1e-5 * std::abs(other.at[e][x]))) return false;
    }
  }
  return true;
}

bool isTaken(const Node& node, ElementFunction function) {
  return !node.removed && node.provider == "cpu" && node.domain.empty() &&
         operators::elementFunctionOf(node) == function && node.outputs.size() == 1 && node.outputs[0].valid();
}

std::optional<double> scalarOf(const Graph& graph, ValueId value, size_t rank) {
  const Tensor* const constant = constantOf(graph, value);
  if (constant == nullptr || constant->type() != ElementType::kFloat || constant->elementCount() != 1 ||
      constant->rank() > rank)
    return std::nullopt;
  return constant->span<float>()[0];
}

ValueId variableOf(const Graph& graph, ValueId value) {
  const ValueId variable = variableWithin(graph, value, kMostSteps);
  return variable == value ? ValueId{} : variable;
}

std::optional<Polynomial> polynomialOf(const Graph& graph, ValueId value, ValueId x, std::vector<NodeId>& nodes) {
  return polynomialWithin(graph, value, x, nodes, kMostSteps);
}

ValueId endOf(const Graph& graph, ValueId e, ValueId x, const Polynomial& wanted, std::vector<NodeId>& nodes) {
  Polynomial reached;
  reached.at[1][0] = 1;
  ValueId value = e;
  for (int step = 0; step < kMostSteps; ++step) {
    const NodeId next = onlyReader(graph, value);
    if (!next.valid() || !isArithmetic(graph.node(next))) return {};
    const Node& node = graph.node(next);
    const bool isFirst = node.inputs[0] == value;
    const auto other = polynomialOf(graph, node.inputs[isFirst ? 1 : 0], x, nodes);
    if (!other) return {};
    const auto both = isFirst ? combined(node, reached, *other) : combined(node, *other, reached);
    if (!both) return {};
    nodes.push_back(next);
    reached = *both;
    value = node.outputs[0];
    if (reached.isNear(wanted)) return value;
  }
  return {};
}

}  // namespace cutaway::cpu
