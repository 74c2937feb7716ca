#include "tests/unit/engine/schema/odd_nodes.h"

#include <algorithm>
#include <limits>

namespace cutaway::test {
namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kHuge = int64_t{1} << 40;

struct InputKind {
  std::string_view words;
  std::function<ValueType(ElementType)> type;
};

ValueType shaped(ElementType element, std::vector<Dim> dims) {
  return ValueType::tensor(element, Shape(std::move(dims)));
}

ValueType ofKind(TypeKind kind, ElementType element) {
  ValueType type;
  type.kind = kind;
  type.element = kind == TypeKind::kSparseTensor ? element : ElementType::kUndefined;
  if (kind == TypeKind::kMap) {
    type.key = ElementType::kInt64;
    type.inner = std::make_shared<ValueType>(ValueType::tensor(element, std::nullopt));
  }
  return type;
}

// The first five are ordinary.
const std::vector<InputKind>& inputKinds() {
  static const std::vector<InputKind> kinds = {
      {"four axes", [](ElementType e) { return shaped(e, {Dim(2), Dim(3), Dim(4), Dim(4)}); }},
      {"two axes", [](ElementType e) { return shaped(e, {Dim(3), Dim(4)}); }},
      {"one axis", [](ElementType e) { return shaped(e, {Dim(3)}); }},
      {"scalar", [](ElementType e) { return shaped(e, {}); }},
      {"no shape", [](ElementType e) { return ValueType::tensor(e, std::nullopt); }},
      {"untyped", [](ElementType) { return ValueType(); }},
      {"no element type", [](ElementType) { return shaped(ElementType::kUndefined, {Dim(2), Dim(2)}); }},
      {"zero", [](ElementType e) { return shaped(e, {Dim(0), Dim(0), Dim(0), Dim(0)}); }},
      {"one", [](ElementType e) { return shaped(e, {Dim(1), Dim(1), Dim(1)}); }},
      {"huge", [](ElementType e) { return shaped(e, {Dim(kMost), Dim(kHuge), Dim(kMost), Dim(1)}); }},
      {"symbols", [](ElementType e) { return shaped(e, {Dim(std::string("n")), Dim(), Dim(std::string("-3"))}); }},
      {"many axes", [](ElementType e) { return shaped(e, std::vector<Dim>(70, Dim(2))); }},
      {"opaque", [](ElementType e) { return ofKind(TypeKind::kOpaque, e); }},
      {"sparse", [](ElementType e) { return ofKind(TypeKind::kSparseTensor, e); }},
      {"map", [](ElementType e) { return ofKind(TypeKind::kMap, e); }},
      {"sequence", [](ElementType e) { return ValueType::sequence(ValueType::tensor(e, std::nullopt)); }},
      {"sequence of nothing", [](ElementType) { return ValueType::sequence(ValueType()); }},
      {"optional", [](ElementType e) { return ValueType::optional(ValueType::tensor(e, std::nullopt)); }},
      {"optional of a sequence",
       [](ElementType e) { return ValueType::optional(ValueType::sequence(shaped(e, {Dim(1)}))); }},
  };
  return kinds;
}
constexpr size_t kOrdinaryKinds = 5;

// The element types of tensors that an input takes; none: it takes no tensor.
std::vector<ElementType> allowedElements(const OperatorSchema& schema, size_t slot) {
  const std::string& text = schema.inputs[std::min(slot, schema.inputs.size() - 1)].typeText;
  std::vector<std::string> types = {text};
  for (const TypeConstraint& each : schema.typeConstraints) {
    if (each.name == text) types = each.allowed;
  }
  std::vector<ElementType> elements;
  for (const std::string& type : types) {
    if (!type.starts_with("tensor(")) continue;
    if (const auto element = elementTypeFromName(type.substr(7, type.size() - 8))) elements.push_back(*element);
  }
  return elements;
}

ElementType firstAllowed(const OperatorSchema& schema, size_t slot) {
  const std::vector<ElementType> allowed = allowedElements(schema, slot);
  const bool takesFloats = allowed.empty() || std::ranges::find(allowed, ElementType::kFloat) != allowed.end();
  return takesFloats ? ElementType::kFloat : allowed.front();
}

Graph smallBody() {
  Graph body("body");
  const NodeId node = body.addNode({.opType = "Constant", .attributes = {{"value_int", int64_t{1}}}}, {}, {"inner"});
  body.addOutput(body.node(node).outputs[0]);
  return body;
}

// A value of the attribute's kind made of one number; nothing where the kind has none.
AttributeValue attributeOf(const std::string& kind, int64_t number, size_t count) {
  if (kind == "INT") return number;
  if (kind == "FLOAT") return static_cast<float>(number);
  if (kind == "STRING") return std::string(number == 0 ? "" : "x");
  if (kind == "INTS") return std::vector<int64_t>(count, number);
  if (kind == "FLOATS") return std::vector<float>(count, static_cast<float>(number));
  if (kind == "STRINGS") return std::vector<std::string>(count, "x");
  if (kind == "TENSOR") return Tensor::of(std::span<const int64_t>(std::vector<int64_t>(count, number)));
  if (kind == "GRAPH") return GraphBox(smallBody());
  if (kind == "TYPE_PROTO") return number < 0 ? ValueType() : ValueType::tensor(ElementType::kFloat, std::nullopt);
  return {};
}

class Cases {
 public:
  Cases(const OperatorSchema& schema, const std::function<void(const std::string&, Model&)>& visit)
      : m_schema(schema), m_visit(visit) {
    const auto many = [](int32_t least, int32_t most, size_t formals) {
      return static_cast<size_t>(std::max<int32_t>(least, std::min<int32_t>(most, static_cast<int32_t>(formals) + 1)));
    };
    m_inputs = many(schema.minInputs, schema.maxInputs, schema.inputs.size());
    m_outputs = many(schema.minOutputs, schema.maxOutputs, schema.outputs.size());
  }

  void all() {
    oddInputs();
    oddConstants();
    oddAttributes();
  }

 private:
  struct Odd {
    std::vector<const InputKind*> kinds;           // by slot
    std::vector<std::optional<Tensor>> constants;  // by slot
    std::vector<Attribute> attributes;             // beside the required ones
    size_t inputs = 0;
  };

  Odd ordinary(size_t kind) const {
    return {std::vector<const InputKind*>(m_inputs, &inputKinds()[kind]),
            std::vector<std::optional<Tensor>>(m_inputs),
            {},
            m_inputs};
  }

  void oddInputs() {
    for (size_t plain = 0; plain < 2; ++plain) {
      for (const InputKind& kind : inputKinds()) {
        for (size_t slot = 0; slot <= m_inputs; ++slot) {
          Odd odd = ordinary(plain);
          for (size_t i = 0; i < m_inputs; ++i) {
            if (slot == m_inputs || i == slot) odd.kinds[i] = &kind;
          }
          visit(fmt::format("{} at {}", kind.words, slot == m_inputs ? "all" : std::to_string(slot)), odd);
        }
        Odd least = ordinary(plain);
        least.inputs = static_cast<size_t>(m_schema.minInputs);
        if (least.inputs > 0) least.kinds[0] = &kind;
        visit(fmt::format("{} at 0, no optional inputs", kind.words), least);
      }
    }
  }

  void oddConstants() {
    for (size_t plain = 0; plain < kOrdinaryKinds; ++plain) {
      for (size_t slot = 0; slot < m_inputs; ++slot) {
        const ElementType element = constantType(slot);
        if (element == ElementType::kUndefined) continue;
        for (const int64_t number : {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{-7}, kHuge, kMost, kLeast}) {
          for (const size_t count : {0, 1, 2, 4, 9}) {
            Odd odd = ordinary(plain);
            odd.constants[slot] = constantOf(element, number, count);
            visit(fmt::format("{}, the constant {} x {} at {}", inputKinds()[plain].words, number, count, slot), odd);
          }
        }
      }
    }
  }

  void oddAttributes() {
    for (size_t plain = 0; plain < kOrdinaryKinds; ++plain) {
      for (const SchemaAttribute& attribute : m_schema.attributes) {
        for (const int64_t number : {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{-5}, int64_t{1000}, int64_t{1} << 31,
                                     kHuge, kMost, kLeast}) {
          for (const size_t count : {0, 1, 2, 4}) {
            if (count != 1 && !attribute.kind.ends_with("S") && attribute.kind != "TENSOR") continue;
            Odd odd = ordinary(plain);
            odd.attributes = {{attribute.name, attributeOf(attribute.kind, number, count)}};
            if (std::holds_alternative<std::monostate>(odd.attributes[0].value)) continue;
            visit(fmt::format("{}, {} = {} x {}", inputKinds()[plain].words, attribute.name, number, count), odd);
          }
        }
      }
    }
  }

  ElementType constantType(size_t slot) const {
    const std::vector<ElementType> allowed = allowedElements(m_schema, slot);
    for (const ElementType each : {ElementType::kInt64, ElementType::kInt32, ElementType::kFloat}) {
      if (std::ranges::find(allowed, each) != allowed.end()) return each;
    }
    return ElementType::kUndefined;
  }

  static Tensor constantOf(ElementType element, int64_t number, size_t count) {
    if (element == ElementType::kInt32)
      return Tensor::of(std::span<const int32_t>(std::vector<int32_t>(count, static_cast<int32_t>(number))));
    if (element == ElementType::kFloat)
      return Tensor::of(std::span<const float>(std::vector<float>(count, static_cast<float>(number))));
    return Tensor::of(std::span<const int64_t>(std::vector<int64_t>(count, number)));
  }

  void visit(const std::string& words, const Odd& odd) {
    Model model;
    model.graph = Graph("odd");
    model.graph.loadedFromFile = true;
    std::vector<ValueId> inputs;
    for (size_t slot = 0; slot < odd.inputs; ++slot) {
      const std::string name = fmt::format("x{}", slot);
      if (odd.constants[slot])
        inputs.push_back(model.graph.addInitializer(name, *odd.constants[slot]));
      else
        inputs.push_back(model.graph.addInput(name, odd.kinds[slot]->type(firstAllowed(m_schema, slot))));
    }
    Node node{.name = "odd", .opType = m_schema.opType, .domain = m_schema.domain};
    node.opsetVersion = m_schema.sinceVersion;
    for (const SchemaAttribute& attribute : m_schema.attributes) {
      const bool given =
          std::ranges::any_of(odd.attributes, [&](const Attribute& a) { return a.name == attribute.name; });
      if (attribute.required && !given) node.attributes.push_back({attribute.name, attributeOf(attribute.kind, 1, 1)});
    }
    for (const Attribute& each : odd.attributes)
      node.attributes.push_back(each);
    std::vector<std::string> outputs;
    for (size_t i = 0; i < m_outputs; ++i)
      outputs.push_back(fmt::format("y{}", i));
    model.opsets = {{m_schema.domain, m_schema.sinceVersion}, {"", 21}};
    if (m_schema.domain.empty()) model.opsets.pop_back();
    const NodeId id = model.graph.addNode(std::move(node), inputs, outputs);
    model.graph.addOutput(model.graph.node(id).outputs[0]);
    m_visit(words, model);
  }

  const OperatorSchema& m_schema;
  const std::function<void(const std::string&, Model&)>& m_visit;
  size_t m_inputs = 0, m_outputs = 0;
};

}  // namespace

void forEachOddNode(const OperatorSchema& schema, const std::function<void(const std::string&, Model&)>& visit) {
  Cases(schema, visit).all();
}

}  // namespace cutaway::test
