// One entry of "operators" or "refused", and what its own rules contradict.
#include <algorithm>
#include <charconv>

#include "engine/schema/schema.h"
#include "providers/declared/profile_reader.h"

namespace cutaway::declared {

namespace {

using Kind = JsonValue::Kind;
using Need = ObjectReader::Need;

std::optional<int> slotNumber(std::string_view text) {
  int slot = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), slot);
  if (error != std::errc() || end != text.data() + text.size() || slot < 0 || slot >= kMostSlots) return std::nullopt;
  return slot;
}

// Calls read(value, path) for every member of a table by slot: "0", "1", "*", "out0", "out*".
template <typename Rule, typename Read>
void readSlots(const JsonValue& table, const std::string& path, ProfileErrors& errors, SlotRules<Rule>& rules,
               Read&& read) {
  for (const auto& [key, value] : table.members) {
    const std::string own = path + "." + key;
    const bool output = key.rfind("out", 0) == 0;
    const std::string_view slot = output ? std::string_view(key).substr(3) : std::string_view(key);
    const std::optional<int> number = slotNumber(slot);
    if (slot != "*" && !number) {
      errors.add(own, value.line,
                 "is no slot; slots are written \"0\", \"1\", \"*\" for inputs and \"out0\", \"out*\" for outputs");
      continue;
    }
    std::optional<Rule> rule = read(value, own);
    if (!rule) continue;
    if (number) {
      (output ? rules.outputs : rules.inputs)[*number] = std::move(*rule);
    } else {
      (output ? rules.otherOutputs : rules.otherInputs) = std::move(rule);
    }
  }
}

bool isWhole(const JsonValue& value, int64_t minimum) {
  return value.is(Kind::kNumber) && value.whole && value.integer >= minimum;
}

// [first, last], where null as last means "and later".
std::optional<Span> readPair(const JsonValue& value, const std::string& path, int64_t minimum, ProfileErrors& errors) {
  if (!value.is(Kind::kArray) || value.items.size() != 2 || !isWhole(value.items[0], minimum) ||
      !(isWhole(value.items[1], minimum) || value.items[1].is(Kind::kNull))) {
    errors.add(
        path, value.line,
        fmt::format(
            "is {}, and [smallest, largest] of whole numbers from {} on is wanted, with null as largest for no end",
            toText(value), minimum));
    return std::nullopt;
  }
  Span span{.minimum = value.items[0].integer};
  if (!value.items[1].is(Kind::kNull)) span.maximum = value.items[1].integer;
  if (span.minimum <= span.maximum) return span;
  errors.add(path, value.line, fmt::format("its smallest {} is above its largest {}", span.minimum, span.maximum));
  return std::nullopt;
}

std::vector<Span> readVersions(const JsonValue& value, const std::string& path, ProfileErrors& errors) {
  std::vector<Span> spans;
  const bool many = !value.items.empty() && value.items[0].is(Kind::kArray);
  if (!many) {
    if (const std::optional<Span> span = readPair(value, path, 1, errors)) spans.push_back(*span);
    return spans;
  }
  for (size_t i = 0; i < value.items.size(); ++i) {
    const std::optional<Span> span = readPair(value.items[i], fmt::format("{}[{}]", path, i), 1, errors);
    if (!span) continue;
    if (!spans.empty() && span->minimum <= spans.back().maximum)
      errors.add(fmt::format("{}[{}]", path, i), value.items[i].line,
                 "overlaps the span before it, or stands before it; spans are written in ascending order");
    spans.push_back(*span);
  }
  return spans;
}

std::optional<Span> readCount(ObjectReader& reader, std::string_view name) {
  const JsonValue* value = reader.member(name, Kind::kObject);
  if (value == nullptr) return std::nullopt;
  ObjectReader count(*value, reader.pathOf(name), reader.errors());
  Span span;
  span.minimum = count.whole("minimum", {.minimum = 0}).value_or(0);
  span.maximum = count.whole("maximum", {.minimum = 0}).value_or(span.maximum);
  count.finish();
  if (span.minimum <= span.maximum) return span;
  reader.wrong(name, fmt::format("its minimum {} is above its maximum {}", span.minimum, span.maximum));
  return std::nullopt;
}

std::optional<Scalar> readScalar(const JsonValue& value) {
  if (value.is(Kind::kString)) return Scalar(value.string);
  if (value.is(Kind::kBool)) return Scalar(int64_t{value.boolean ? 1 : 0});
  if (!value.is(Kind::kNumber)) return std::nullopt;
  return value.whole ? Scalar(value.integer) : Scalar(value.number);
}

std::optional<RuleValue> readRuleValue(const JsonValue& value, const std::string& path, ProfileErrors& errors) {
  RuleValue rule;
  rule.isList = value.is(Kind::kArray);
  bool fits = true;
  if (rule.isList) {
    for (const JsonValue& item : value.items) {
      const std::optional<Scalar> scalar = readScalar(item);
      fits = fits && scalar.has_value();
      if (scalar) rule.elements.push_back(*scalar);
    }
  } else if (const std::optional<Scalar> scalar = readScalar(value)) {
    rule.elements.push_back(*scalar);
  } else {
    fits = false;
  }
  if (fits) return rule;
  errors.add(path, value.line, fmt::format("is {}, and a number, a string or a list of them is wanted", toText(value)));
  return std::nullopt;
}

class AttributeReader {
 public:
  AttributeReader(const JsonValue& value, const std::string& path, ProfileErrors& errors)
      : m_value(value), m_reader(value, path, errors) {}

  AttributeRule read(std::string name) {
    AttributeRule rule;
    rule.name = std::move(name);
    readAbsent(rule);
    readAllowed(rule);
    rule.minimum = m_reader.number("minimum");
    rule.maximum = m_reader.number("maximum");
    m_reader.finish();
    checkTogether(rule);
    return rule;
  }

 private:
  void readAbsent(AttributeRule& rule) {
    rule.absent = m_reader.flag("absent", false);
    if (m_value.member("absent") != nullptr && !rule.absent)
      m_reader.wrong("absent", "can only be true; leave it out where the attribute may be there");
  }

  void readAllowed(AttributeRule& rule) {
    if (const JsonValue* equals = m_reader.anyMember("equals")) {
      if (std::optional<RuleValue> value = readRuleValue(*equals, m_reader.pathOf("equals"), m_reader.errors()))
        rule.allowed.push_back(std::move(*value));
    }
    const JsonValue* choices = m_reader.member("one_of", Kind::kArray);
    if (choices == nullptr) return;
    if (choices->items.empty())
      m_reader.wrong("one_of", "is empty: no node could have the attribute; write \"absent\": true when that is meant");
    for (size_t i = 0; i < choices->items.size(); ++i) {
      if (std::optional<RuleValue> value =
              readRuleValue(choices->items[i], fmt::format("{}[{}]", m_reader.pathOf("one_of"), i), m_reader.errors()))
        rule.allowed.push_back(std::move(*value));
    }
  }

  void checkTogether(const AttributeRule& rule) {
    const bool bounded = rule.minimum || rule.maximum;
    const bool equals = m_value.member("equals") != nullptr;
    const bool oneOf = m_value.member("one_of") != nullptr;
    const int kinds = static_cast<int>(m_value.member("absent") != nullptr) + static_cast<int>(equals) +
                      static_cast<int>(oneOf) + static_cast<int>(bounded);
    if (kinds == 0 && m_value.is(Kind::kObject))
      m_reader.errors().add(m_reader.path(), m_value.line,
                            "says nothing; one of one_of, equals, absent, or minimum and maximum is wanted");
    if (kinds > 1)
      m_reader.errors().add(m_reader.path(), m_value.line,
                            "mixes rules; one of one_of, equals, absent, or minimum and maximum is wanted");
    if (rule.minimum && rule.maximum && *rule.minimum > *rule.maximum)
      m_reader.errors().add(m_reader.path(), m_value.line,
                            fmt::format("its minimum {} is above its maximum {}", *rule.minimum, *rule.maximum));
  }

  const JsonValue& m_value;
  ObjectReader m_reader;
};

ShapeRule readShape(const JsonValue& value, const std::string& path, ProfileErrors& errors) {
  ObjectReader reader(value, path, errors);
  ShapeRule rule;
  const Span slots{.minimum = 0, .maximum = kMostSlots - 1};
  const std::optional<int64_t> input = reader.whole("input", slots);
  const std::optional<int64_t> output = reader.whole("output", slots);
  if ((value.member("input") != nullptr) == (value.member("output") != nullptr))
    errors.add(path, value.line, "needs either input or output, the number of a slot");
  rule.output = output.has_value();
  rule.slot = static_cast<int>(output.value_or(input.value_or(0)));
  if (value.member("axis") == nullptr && value.is(Kind::kObject))
    reader.wrong("axis", "is missing; a whole number is wanted, from the end when negative");
  rule.axis = static_cast<int>(reader.whole("axis", {.minimum = -1024, .maximum = 1023}).value_or(0));
  rule.minimum = reader.whole("minimum", {.minimum = 0});
  rule.maximum = reader.whole("maximum", {.minimum = 0});
  rule.multipleOf = reader.whole("multiple_of", {.minimum = 1}).value_or(1);
  rule.known = reader.flag("known", false);
  reader.finish();
  if (rule.minimum && rule.maximum && *rule.minimum > *rule.maximum)
    errors.add(path, value.line, fmt::format("its minimum {} is above its maximum {}", *rule.minimum, *rule.maximum));
  if (!rule.minimum && !rule.maximum && rule.multipleOf == 1 && !rule.known && value.is(Kind::kObject))
    errors.add(path, value.line, "says nothing; minimum, maximum, multiple_of or known is wanted");
  return rule;
}

// An attribute that no version of the operator has would be a rule that never applies.
void checkAttributes(const OperatorRule& rule, const JsonValue& table, const std::string& path, ProfileErrors& errors) {
  if (table.members.empty() || findSchema(rule.op, rule.domain, newestOpset(rule.domain)) == nullptr) return;
  for (const auto& [name, value] : table.members) {
    bool known = false;
    for (int64_t opset = newestOpset(rule.domain); opset > 0 && !known;) {
      const OperatorSchema* schema = findSchema(rule.op, rule.domain, opset);
      if (schema == nullptr) break;
      known = std::any_of(schema->attributes.begin(), schema->attributes.end(),
                          [&wanted = name](const SchemaAttribute& each) { return each.name == wanted; });
      opset = schema->sinceVersion - 1;
    }
    if (!known)
      errors.add(path + "." + name, value.line,
                 fmt::format("{} has no attribute of this name in any version", rule.op));
  }
}

// What the slot rules of one operator say against each other.
void checkSlots(const OperatorRule& rule, const JsonValue& value, const std::string& path, ProfileErrors& errors) {
  const auto wrong = [&](std::string_view member, std::string message) {
    const JsonValue* found = value.member(member);
    errors.add(fmt::format("{}.{}", path, member), found == nullptr ? value.line : found->line, std::move(message));
  };
  const auto forbidden = [&](int slot) {
    return std::find(rule.forbiddenInputs.begin(), rule.forbiddenInputs.end(), slot) != rule.forbiddenInputs.end();
  };
  const auto check = [&](std::string_view member, int slot) {
    if (forbidden(slot)) wrong(member, fmt::format("speaks of input {}, which forbidden_inputs rules out", slot));
    if (rule.inputCount && slot >= rule.inputCount->maximum)
      wrong(member, fmt::format("speaks of input {}, and inputs.maximum is {}", slot, rule.inputCount->maximum));
  };
  for (const auto& [slot, types] : rule.types.inputs)
    check("types", slot);
  for (const auto& [slot, ranks] : rule.ranks.inputs)
    check("ranks", slot);
  for (const int slot : rule.constantInputs)
    check("constant_inputs", slot);
  for (const ShapeRule& shape : rule.shapes) {
    if (!shape.output) check("shapes", shape.slot);
    const Span* ranks = shape.output ? rule.ranks.forOutput(shape.slot) : rule.ranks.forInput(shape.slot);
    const int64_t needed = shape.axis < 0 ? -shape.axis : shape.axis + 1;
    if (ranks != nullptr && needed > ranks->maximum)
      wrong("shapes", fmt::format("speaks of axis {}, and ranks allow {} axes", shape.axis, ranks->maximum));
  }
  for (const int slot : rule.forbiddenInputs) {
    if (rule.inputCount && slot < rule.inputCount->minimum)
      wrong("forbidden_inputs",
            fmt::format("rules out input {}, and inputs.minimum asks for {}", slot, rule.inputCount->minimum));
  }
}

std::string readDomain(ObjectReader& reader) {
  const std::string domain = reader.text("domain");
  return domain == "ai.onnx" ? std::string() : domain;
}

}  // namespace

TypeSet readTypes(const JsonValue& value, const std::string& path, ProfileErrors& errors) {
  TypeSet types;
  if (!value.is(Kind::kArray) || value.items.empty()) {
    errors.add(path, value.line,
               fmt::format("is {}, and a list of element types with at least one is wanted", toText(value)));
    return types;
  }
  for (size_t i = 0; i < value.items.size(); ++i) {
    const JsonValue& item = value.items[i];
    const std::optional<ElementType> type = item.is(Kind::kString) ? profileTypeFromName(item.string) : std::nullopt;
    if (type) {
      types.add(*type);
    } else {
      TypeSet all;
      for (int each = 1; each < kElementTypeCount; ++each)
        all.add(static_cast<ElementType>(each));
      errors.add(fmt::format("{}[{}]", path, i), item.line,
                 fmt::format("{} is no element type; those are {}", toText(item), all.text()));
    }
  }
  return types;
}

OperatorRule readOperator(const JsonValue& value, const std::string& path, const OperatorReading& context) {
  ObjectReader reader(value, path, context.errors);
  OperatorRule rule;
  rule.op = reader.text("op", Need::kRequired);
  rule.domain = readDomain(reader);
  if (const JsonValue* versions = reader.member("versions", Kind::kArray))
    rule.versions = readVersions(*versions, reader.pathOf("versions"), context.errors);
  if (const JsonValue* types = reader.member("types", Kind::kObject)) {
    readSlots(*types, reader.pathOf("types"), context.errors, rule.types,
              [&](const JsonValue& each, const std::string& own) {
                return std::optional(readTypes(each, own, context.errors));
              });
  }
  if (const JsonValue* ranks = reader.member("ranks", Kind::kObject)) {
    readSlots(*ranks, reader.pathOf("ranks"), context.errors, rule.ranks,
              [&](const JsonValue& each, const std::string& own) { return readPair(each, own, 0, context.errors); });
  }
  if (const JsonValue* attributes = reader.member("attributes", Kind::kObject)) {
    for (const auto& [name, each] : attributes->members)
      rule.attributes.push_back(AttributeReader(each, reader.pathOf("attributes." + name), context.errors).read(name));
    checkAttributes(rule, *attributes, reader.pathOf("attributes"), context.errors);
  }
  rule.constantInputs = reader.slotNumbers("constant_inputs");
  rule.forbiddenInputs = reader.slotNumbers("forbidden_inputs");
  if (const JsonValue* shapes = reader.member("shapes", Kind::kArray)) {
    for (size_t i = 0; i < shapes->items.size(); ++i)
      rule.shapes.push_back(
          readShape(shapes->items[i], fmt::format("{}[{}]", reader.pathOf("shapes"), i), context.errors));
  }
  rule.inputCount = readCount(reader, "inputs");
  rule.outputCount = readCount(reader, "outputs");
  rule.note = reader.text("note");
  rule.source = readSource(reader, context);
  reader.finish();
  checkSlots(rule, value, path, context.errors);
  return rule;
}

RefusedOperator readRefused(const JsonValue& value, const std::string& path, const OperatorReading& context) {
  ObjectReader reader(value, path, context.errors);
  RefusedOperator refused;
  refused.op = reader.text("op", Need::kRequired);
  refused.domain = readDomain(reader);
  refused.reason = reader.text("reason", Need::kRequired);
  refused.source = readSource(reader, context);
  reader.finish();
  return refused;
}

}  // namespace cutaway::declared
