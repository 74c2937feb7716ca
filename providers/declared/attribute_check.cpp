// A node's attributes against the values that a profile allows.
#include <algorithm>

#include "providers/declared/node_check.h"

namespace cutaway::declared {

namespace {

// Numbers and texts as lists, so that one rule serves single values and lists; nullopt for tensors, graphs and types.
struct Elements {
  std::vector<Scalar> values;
  bool isList = false;
};

Scalar scalarOf(int64_t value) {
  return value;
}
Scalar scalarOf(float value) {
  return static_cast<double>(value);
}
Scalar scalarOf(const std::string& value) {
  return value;
}

template <typename T>
bool read(const AttributeValue& value, Elements& elements) {
  if (const T* one = std::get_if<T>(&value)) {
    elements.values.push_back(scalarOf(*one));
    return true;
  }
  if (const auto* list = std::get_if<std::vector<T>>(&value)) {
    elements.isList = true;
    for (const T& each : *list)
      elements.values.push_back(scalarOf(each));
    return true;
  }
  return false;
}

std::optional<Elements> elementsOf(const AttributeValue& value) {
  Elements elements;
  if (read<int64_t>(value, elements) || read<float>(value, elements) || read<std::string>(value, elements))
    return elements;
  return std::nullopt;
}

std::optional<double> numberOf(const Scalar& scalar) {
  if (const auto* whole = std::get_if<int64_t>(&scalar)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&scalar)) return *number;
  return std::nullopt;
}

// Attributes are single precision, profiles are not: 0.2 in a file means the nearest float.
bool same(const Scalar& wanted, const Scalar& seen) {
  const std::optional<double> a = numberOf(wanted);
  const std::optional<double> b = numberOf(seen);
  if (a && b) return *a == *b || static_cast<float>(*a) == static_cast<float>(*b);
  return wanted == seen;
}

// A list must be equal as a whole; single allowed values hold for each element.
bool fits(const std::vector<RuleValue>& allowed, const Elements& elements) {
  const bool whole = std::any_of(allowed.begin(), allowed.end(), [&](const RuleValue& value) {
    return value.isList == elements.isList && value.elements.size() == elements.values.size() &&
           std::equal(value.elements.begin(), value.elements.end(), elements.values.begin(), same);
  });
  if (whole) return true;
  return elements.isList && std::all_of(elements.values.begin(), elements.values.end(), [&](const Scalar& seen) {
           return std::any_of(allowed.begin(), allowed.end(), [&](const RuleValue& value) {
             return !value.isList && same(value.elements.front(), seen);
           });
         });
}

std::string text(const Scalar& scalar) {
  if (const auto* whole = std::get_if<int64_t>(&scalar)) return fmt::format("{}", *whole);
  if (const auto* number = std::get_if<double>(&scalar)) return fmt::format("{}", static_cast<float>(*number));
  return std::get<std::string>(scalar);
}

std::string text(const std::vector<Scalar>& values, bool isList) {
  std::vector<std::string> parts;
  for (const Scalar& value : values)
    parts.push_back(text(value));
  const std::string joined = fmt::format("{}", fmt::join(parts, ", "));
  return isList ? "[" + joined + "]" : joined;
}

std::string text(const AttributeValue& value) {
  const std::optional<Elements> elements = elementsOf(value);
  return elements ? text(elements->values, elements->isList) : std::string(attributeKindName(value));
}

std::string allowedText(const AttributeRule& rule) {
  if (!rule.allowed.empty()) {
    std::vector<std::string> parts;
    for (const RuleValue& value : rule.allowed)
      parts.push_back(text(value.elements, value.isList));
    return fmt::format("{}", fmt::join(parts, " or "));
  }
  if (rule.minimum && rule.maximum) return fmt::format("{} to {}", *rule.minimum, *rule.maximum);
  return rule.minimum ? fmt::format("at least {}", *rule.minimum) : fmt::format("at most {}", *rule.maximum);
}

bool withinBounds(const AttributeRule& rule, const Elements& elements) {
  return std::all_of(elements.values.begin(), elements.values.end(), [&](const Scalar& scalar) {
    const std::optional<double> number = numberOf(scalar);
    return number && (!rule.minimum || *number >= *rule.minimum) && (!rule.maximum || *number <= *rule.maximum);
  });
}

bool sameValue(const AttributeValue& a, const AttributeValue& b) {
  const std::optional<Elements> left = elementsOf(a);
  const std::optional<Elements> right = elementsOf(b);
  return left && right && left->isList == right->isList &&
         std::equal(left->values.begin(), left->values.end(), right->values.begin(), right->values.end(), same);
}

}  // namespace

std::optional<Refusal> NodeCheck::attribute(const AttributeRule& rule,
                                            const std::optional<Attribute>& otherwise) const {
  const Attribute* present = m_node.findAttribute(rule.name);
  const auto no = [&](const std::string& what, const AttributeValue& seen, const std::string& remedy) {
    return refuse(RefusalCause::kAttribute, "attributes." + rule.name, what,
                  fmt::format("{} = {}", rule.name, text(seen)), remedy);
  };
  if (rule.absent) {
    if (present == nullptr || (otherwise && sameValue(present->value, otherwise->value))) return std::nullopt;
    return no(fmt::format("attribute {} is not supported", rule.name), present->value,
              otherwise ? fmt::format("{} = {}, or none", rule.name, text(otherwise->value))
                        : fmt::format("no attribute {}", rule.name));
  }
  // Neither the node nor the schema gives a value: nothing is asked of the hardware.
  if (present == nullptr && !otherwise) return std::nullopt;
  const AttributeValue& value = present != nullptr ? present->value : otherwise->value;
  const std::optional<Elements> elements = elementsOf(value);
  const bool fine = elements && (rule.allowed.empty() ? withinBounds(rule, *elements) : fits(rule.allowed, *elements));
  if (fine) return std::nullopt;
  return no(fmt::format("attribute {} is {}{}, and {} is supported", rule.name, text(value),
                        present == nullptr ? " by default" : "", allowedText(rule)),
            value, fmt::format("{} {}", rule.name, allowedText(rule)));
}

std::optional<Refusal> NodeCheck::attributes(const AttributeDefaults& defaults) const {
  for (size_t i = 0; i < m_rule.attributes.size(); ++i) {
    if (auto no = attribute(m_rule.attributes[i], defaults[i])) return no;
  }
  return std::nullopt;
}

}  // namespace cutaway::declared
