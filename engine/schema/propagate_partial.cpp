// Elements of small integer tensors that come from shapes, so that Shape -> Gather -> Concat -> Reshape chains become
// concrete.
//
// A rule per operator gives the elements of output 0, or nothing. A scalar is one element. Written after the operators'
// definitions in the ONNX specification.

#include <algorithm>
#include <array>
#include <numeric>

#include "engine/base/input_budget.h"
#include "engine/schema/inference_state.h"

namespace cutaway {

namespace {

using Elements = std::optional<std::vector<Dim>>;
constexpr size_t kMaxPropagated = static_cast<size_t>(kInputBudget.shownElements);

struct Rule {
  const InferenceScope& scope;
  const Node& node;

  Elements input(size_t slot) const {
    return slot < node.inputs.size() && node.inputs[slot].valid() ? scope.elements(node.inputs[slot]) : std::nullopt;
  }
  const ValueType* type(size_t slot) const {
    return slot < node.inputs.size() && node.inputs[slot].valid() ? &scope.graph.value(node.inputs[slot]).type
                                                                  : nullptr;
  }
  std::optional<int64_t> number(size_t slot) const {
    const Elements elements = input(slot);
    return elements && elements->size() == 1 ? elementValue(elements->front()) : std::nullopt;
  }
  bool absent(size_t slot) const { return slot >= node.inputs.size() || !node.inputs[slot].valid(); }
};

// A symbol that reads like a number would be mistaken for one.
Dim asElement(const Dim& dim) {
  return dim.isSymbol() && dim.symbol().starts_with('-') ? Dim() : dim;
}

Elements shapeRule(const Rule& rule) {
  const ValueType* type = rule.type(0);
  if (type == nullptr || !type->shape) return std::nullopt;
  const auto rank = static_cast<int64_t>(type->shape->rank());
  const auto clampAxis = [&](int64_t axis) { return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank); };
  const int64_t start = clampAxis(rule.node.attributeOr<int64_t>("start", 0));
  const int64_t end = clampAxis(rule.node.attributeOr<int64_t>("end", rank));
  std::vector<Dim> elements;
  for (int64_t axis = start; axis < end; ++axis)
    elements.push_back(asElement((*type->shape)[axis]));
  return elements;
}

Elements sizeRule(const Rule& rule) {
  const ValueType* type = rule.type(0);
  if (type == nullptr || !type->shape) return std::nullopt;
  const auto count = type->shape->elementCount();
  if (!count) return std::nullopt;
  return std::vector<Dim>{Dim(*count)};
}

Elements gatherRule(const Rule& rule) {
  const Elements data = rule.input(0);
  const Elements indices = rule.input(1);
  const int64_t axis = rule.node.attributeOr<int64_t>("axis", 0);
  if (!data || !indices || (axis != 0 && axis != -1)) return std::nullopt;
  std::vector<Dim> elements;
  for (const Dim& each : *indices) {
    auto index = elementValue(each);
    if (!index) return std::nullopt;
    const auto size = static_cast<int64_t>(data->size());
    if (*index < 0) *index += size;
    if (*index < 0 || *index >= size) return std::nullopt;
    elements.push_back((*data)[*index]);
  }
  return elements;
}

Elements sliceRule(const Rule& rule) {
  const Elements data = rule.input(0);
  if (!data) return std::nullopt;
  std::optional<int64_t> start, end, step = 1;
  if (rule.node.opsetVersion < 10) {
    const auto starts = rule.node.attributeOr<std::vector<int64_t>>("starts", {});
    const auto ends = rule.node.attributeOr<std::vector<int64_t>>("ends", {});
    if (starts.size() != 1 || ends.size() != 1) return std::nullopt;
    start = starts[0];
    end = ends[0];
  } else {
    start = rule.number(1);
    end = rule.number(2);
    if (!rule.absent(4)) step = rule.number(4);
  }
  if (!start || !end || !step || *step == 0) return std::nullopt;
  const auto size = static_cast<int64_t>(data->size());
  const auto fromEnd = [&](int64_t value) { return value < 0 ? std::max(value + size, int64_t{-1}) : value; };
  std::vector<Dim> elements;
  if (*step > 0) {
    const int64_t first = std::clamp<int64_t>(*start < 0 ? std::max<int64_t>(*start + size, 0) : *start, 0, size);
    const int64_t last = std::clamp<int64_t>(*end < 0 ? std::max<int64_t>(*end + size, 0) : *end, 0, size);
    for (int64_t i = first; i < last; i += std::min(*step, size))
      elements.push_back((*data)[i]);
  } else {
    const int64_t first = std::clamp<int64_t>(fromEnd(*start), -1, size - 1);
    const int64_t last = std::clamp<int64_t>(*end < -size ? -1 : fromEnd(*end), -1, size - 1);
    for (int64_t i = first; i > last; i += std::max(*step, -std::max<int64_t>(size, 1)))
      elements.push_back((*data)[i]);
  }
  return elements;
}

Elements concatRule(const Rule& rule) {
  std::vector<Dim> elements;
  for (size_t slot = 0; slot < rule.node.inputs.size(); ++slot) {
    const Elements part = rule.input(slot);
    const ValueType* type = rule.type(slot);
    if (part) {
      elements.insert(elements.end(), part->begin(), part->end());
    } else if (type != nullptr && type->shape && type->shape->rank() == 1 && (*type->shape)[0].isKnown() &&
               (*type->shape)[0].value() <= static_cast<int64_t>(kMaxPropagated)) {
      elements.resize(elements.size() + static_cast<size_t>((*type->shape)[0].value()));  // there, but not known
    } else {
      return std::nullopt;
    }
    if (elements.size() > kMaxPropagated) return std::nullopt;
  }
  return elements;
}

Elements sameRule(const Rule& rule) {
  return rule.input(0);
}

Elements castRule(const Rule& rule) {
  const auto to = static_cast<ElementType>(rule.node.attributeOr<int64_t>("to", 0));
  return to == ElementType::kInt64 || to == ElementType::kInt32 ? rule.input(0) : std::nullopt;
}

Elements rangeRule(const Rule& rule) {
  const auto start = rule.number(0);
  const auto limit = rule.number(1);
  const auto delta = rule.number(2);
  if (!start || !limit || !delta || *delta == 0) return std::nullopt;
  std::vector<Dim> elements;
  for (int64_t each = *start; *delta > 0 ? each < *limit : each > *limit;) {
    if (elements.size() == kMaxPropagated) return std::nullopt;
    elements.push_back(elementDim(each));
    if (__builtin_add_overflow(each, *delta, &each)) break;
  }
  return elements;
}

Elements constantOfShapeRule(const Rule& rule) {
  const Elements shape = rule.input(0);
  const Attribute* value = rule.node.findAttribute("value");
  const Tensor* tensor = value == nullptr ? nullptr : heldAs<Tensor>(value->value);
  if (!shape || shape->size() != 1 || tensor == nullptr || tensor->type() != ElementType::kInt64 ||
      tensor->elementCount() != 1)
    return std::nullopt;
  const auto count = elementValue(shape->front());
  if (!count || *count < 0 || *count > static_cast<int64_t>(kMaxPropagated)) return std::nullopt;
  return std::vector<Dim>(static_cast<size_t>(*count), elementDim(tensor->span<int64_t>()[0]));
}

Elements reduceProdRule(const Rule& rule) {
  const Elements data = rule.input(0);
  if (!data) return std::nullopt;
  int64_t product = 1;
  for (const Dim& each : *data) {
    const auto value = elementValue(each);
    if (!value || __builtin_mul_overflow(product, *value, &product)) return std::nullopt;
  }
  return std::vector<Dim>{elementDim(product)};
}

std::optional<int64_t> calculate(std::string_view op, int64_t a, int64_t b) {
  int64_t result = 0;
  if (op == "Add") return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (op == "Sub") return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (op == "Mul") return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (op == "Div")
    return b == 0 || (b == -1 && a == std::numeric_limits<int64_t>::min()) ? std::nullopt : std::optional(a / b);
  if (op == "Min") return std::min(a, b);
  if (op == "Max") return std::max(a, b);
  return std::nullopt;
}

Dim calculateElement(std::string_view op, const Dim& a, const Dim& b) {
  const auto left = elementValue(a);
  const auto right = elementValue(b);
  if (left && right) {
    const auto result = calculate(op, *left, *right);
    return result ? elementDim(*result) : Dim();
  }
  // What leaves the other operand as it is keeps its symbol.
  if (right && ((*right == 0 && (op == "Add" || op == "Sub")) || (*right == 1 && (op == "Mul" || op == "Div"))))
    return a;
  if (left && ((*left == 0 && op == "Add") || (*left == 1 && op == "Mul"))) return b;
  if (op == "Div" && a.sameAs(b)) return Dim(1);
  return Dim();
}

Elements arithmeticRule(const Rule& rule) {
  if (rule.node.inputs.size() != 2) return std::nullopt;
  const Elements a = rule.input(0);
  const Elements b = rule.input(1);
  if (!a || !b) return std::nullopt;
  const size_t count = a->size() == 1 ? b->size() : a->size();
  if (a->empty() || b->empty() || (a->size() != count && a->size() != 1) || (b->size() != count && b->size() != 1))
    return std::nullopt;
  std::vector<Dim> elements;
  for (size_t i = 0; i < count; ++i)
    elements.push_back(calculateElement(rule.node.opType, (*a)[a->size() == 1 ? 0 : i], (*b)[b->size() == 1 ? 0 : i]));
  return elements;
}

struct NamedRule {
  std::string_view opType;
  Elements (*apply)(const Rule&);
};

constexpr std::array kRules = {
    NamedRule{"Shape", shapeRule},
    NamedRule{"Size", sizeRule},
    NamedRule{"Gather", gatherRule},
    NamedRule{"Slice", sliceRule},
    NamedRule{"Concat", concatRule},
    NamedRule{"Squeeze", sameRule},
    NamedRule{"Unsqueeze", sameRule},
    NamedRule{"Identity", sameRule},
    NamedRule{"Cast", castRule},
    NamedRule{"Range", rangeRule},
    NamedRule{"Reshape", sameRule},
    NamedRule{"ConstantOfShape", constantOfShapeRule},
    NamedRule{"Add", arithmeticRule},
    NamedRule{"Sub", arithmeticRule},
    NamedRule{"Mul", arithmeticRule},
    NamedRule{"Div", arithmeticRule},
    NamedRule{"Min", arithmeticRule},
    NamedRule{"Max", arithmeticRule},
    NamedRule{"ReduceProd", reduceProdRule},
};

}  // namespace

void propagatePartial(InferenceScope& scope, NodeId id) {
  const Node& node = scope.graph.node(id);
  if (!node.domain.empty() || node.outputs.empty() || !node.outputs[0].valid()) return;
  // Only small integer tensors of rank 0 and 1 are kept.
  const ValueType& type = scope.graph.value(node.outputs[0]).type;
  if (!type.isTensor() || (type.element != ElementType::kInt64 && type.element != ElementType::kInt32) ||
      (type.shape && type.shape->rank() > 1))
    return;
  const auto rule = std::ranges::find(kRules, std::string_view(node.opType), &NamedRule::opType);
  if (rule == kRules.end()) return;
  Elements elements = rule->apply(Rule{scope, node});
  if (!elements || elements->size() > kMaxPropagated) return;
  const bool anyKnown = elements->empty() || std::ranges::any_of(*elements, [](const Dim& each) {
                          return each.isKnown() || each.isSymbol();
                        });
  if (anyKnown) scope.partial.set(node.outputs[0], *std::move(elements));
}

}  // namespace cutaway
