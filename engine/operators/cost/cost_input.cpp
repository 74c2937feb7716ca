// Counts that may be unknown, and dimensions of a node's values as such counts.

#include "engine/operators/cost/cost_input.h"

namespace cutaway::operators::cost {

Count Count::of(std::optional<SizePolynomial> formula) {
  if (formula && formula->isConstant()) return formula->constantTerm();
  Count count;
  count.m_formula = std::move(formula);
  return count;
}

std::optional<SizePolynomial> Count::formula() const {
  return known() ? std::optional(SizePolynomial::constant(m_value)) : m_formula;
}

Count operator*(const Count& a, const Count& b) {
  if (!a.known() || !b.known()) {
    const auto left = a.formula(), right = b.formula();
    return left && right ? Count::of(left->times(*right)) : Count();
  }
  int64_t product = 0;
  return __builtin_mul_overflow(a.m_value, b.m_value, &product) ? Count() : Count(product);
}

Count operator+(const Count& a, const Count& b) {
  if (!a.known() || !b.known()) {
    const auto left = a.formula(), right = b.formula();
    return left && right ? Count::of(left->plus(*right)) : Count();
  }
  int64_t sum = 0;
  return __builtin_add_overflow(a.m_value, b.m_value, &sum) ? Count() : Count(sum);
}

Count operator/(const Count& a, const Count& b) {
  if (b.m_value <= 0) return {};
  if (!a.known()) return a.m_formula ? Count::of(a.m_formula->dividedBy(b.m_value)) : Count();
  return a.m_value / b.m_value;
}

const Shape* CostInput::shapeOf(ValueId id) const {
  const ValueType& type = m_graph.value(id).type;
  return type.isTensor() && type.shape ? &*type.shape : nullptr;
}

Count CostInput::dimOf(const Shape* shape, int axis) {
  if (shape == nullptr) return {};
  const auto rank = static_cast<int>(shape->rank());
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) return {};
  return Count::of(polynomialOf((*shape)[static_cast<size_t>(axis)]));
}

Count CostInput::elementsOf(const Shape* shape) {
  if (shape == nullptr) return {};
  if (const std::optional<int64_t> count = shape->elementCount()) return *count;
  return Count::of(elementCountOf(*shape));
}

}  // namespace cutaway::operators::cost
