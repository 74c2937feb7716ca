// Counts that may be unknown, and dimensions of a node's values as such counts.

#include "engine/operators/cost/cost_input.h"

namespace cutaway::operators::cost {

Count operator*(Count a, Count b) {
  if (a.m_value == 0 || b.m_value == 0) return a.known() && b.known() ? Count(0) : Count();
  int64_t product = 0;
  if (!a.known() || !b.known() || __builtin_mul_overflow(a.m_value, b.m_value, &product)) return {};
  return product;
}

Count operator+(Count a, Count b) {
  int64_t sum = 0;
  if (!a.known() || !b.known() || __builtin_add_overflow(a.m_value, b.m_value, &sum)) return {};
  return sum;
}

Count operator/(Count a, Count b) {
  if (!a.known() || b.m_value <= 0) return {};
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
  return (*shape)[static_cast<size_t>(axis)].value();
}

Count CostInput::elementsOf(const Shape* shape) {
  if (shape == nullptr) return {};
  const std::optional<int64_t> count = shape->elementCount();
  return count ? Count(*count) : Count();
}

}  // namespace cutaway::operators::cost
