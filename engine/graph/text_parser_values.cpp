// Types, tensors and attributes of the text notation.

#include "engine/base/input_budget.h"
#include "engine/graph/text_parser.h"

namespace cutaway {
namespace {

bool isWrapper(std::string_view word) {
  return word == "seq" || word == "optional" || word == "map" || word == "sparse_tensor";
}

std::optional<Layout> layoutFromName(std::string_view name) {
  if (name == "channels_last") return Layout::kChannelsLast;
  if (name == "blocked8") return Layout::kBlocked8;
  if (name == "blocked16") return Layout::kBlocked16;
  return std::nullopt;
}

bool isFloatText(std::string_view text) {
  return text.find_first_of(".eE") != std::string_view::npos || text.ends_with("inf") || text.ends_with("nan");
}

}  // namespace

bool TextParser::atType() const {
  if (m_token.kind != TokenKind::kIdentifier) return false;
  return isWrapper(m_token.text) || m_token.text == "opaque" || m_token.text == "unknown" ||
         elementTypeFromName(m_token.text).has_value();
}

Result<ElementType> TextParser::elementType() {
  const auto element = elementTypeFromName(m_token.text);
  if (m_token.kind != TokenKind::kIdentifier || !element) return unexpected("an element type");
  CUTAWAY_CHECK(advance());
  return *element;
}

Result<Shape> TextParser::shape() {
  std::vector<Dim> dims;
  const auto readDim = [&]() -> Result<void> {
    CUTAWAY_TRY(const bool unknown, accept("?"));
    if (unknown) {
      dims.emplace_back();
    } else if (atName()) {
      CUTAWAY_TRY(std::string symbol, name("a dimension"));
      dims.emplace_back(std::move(symbol));
    } else {
      const Token place = m_token;
      CUTAWAY_TRY(const int64_t value, integer());
      if (value < 0) return failAt(place, "a dimension cannot be negative");
      dims.emplace_back(value);
    }
    return {};
  };
  CUTAWAY_CHECK(list("[", "]", readDim));
  return Shape(std::move(dims));
}

Result<ValueType> TextParser::type(int depth) {
  if (depth > kInputBudget.notationDepth)
    return failAt(m_token, fmt::format("types nest deeper than {}", kInputBudget.notationDepth));
  if (!atType()) return unexpected("a type");
  const std::string word = m_token.text;
  if (isWrapper(word)) {
    CUTAWAY_CHECK(advance());
    return wrappedType(word, depth);
  }
  ValueType made;
  if (word == "opaque" || word == "unknown") {
    CUTAWAY_CHECK(advance());
    if (word == "opaque") made.kind = TypeKind::kOpaque;
    return made;
  }
  made.kind = TypeKind::kTensor;
  CUTAWAY_TRY(made.element, elementType());
  if (at("[")) {
    CUTAWAY_TRY(made.shape, shape());
  }
  CUTAWAY_TRY(const bool hasLayout, accept("@"));
  if (hasLayout) {
    const auto layout = layoutFromName(m_token.text);
    if (!layout) return unexpected("channels_last, blocked8 or blocked16");
    made.layout = *layout;
    CUTAWAY_CHECK(advance());
  }
  return made;
}

// After seq, optional, map or sparse_tensor.
Result<ValueType> TextParser::wrappedType(std::string_view word, int depth) {
  ValueType made;
  CUTAWAY_CHECK(expect("("));
  if (word == "sparse_tensor") {
    made.kind = TypeKind::kSparseTensor;
    CUTAWAY_TRY(made.element, elementType());
    if (at("[")) {
      CUTAWAY_TRY(made.shape, shape());
    }
    CUTAWAY_CHECK(expect(")"));
    return made;
  }
  if (word == "map") {
    CUTAWAY_TRY(made.key, elementType());
    CUTAWAY_CHECK(expect(","));
  }
  made.kind = word == "map" ? TypeKind::kMap : word == "seq" ? TypeKind::kSequence : TypeKind::kOptional;
  CUTAWAY_TRY(ValueType inner, type(depth + 1));
  made.inner = std::make_shared<const ValueType>(std::move(inner));
  CUTAWAY_CHECK(expect(")"));
  return made;
}

Result<Tensor> TextParser::tensor() {
  CUTAWAY_TRY(const ValueType declared, type(0));
  return tensorOf(declared, "");
}

// The elements in braces that follow a tensor type.
Result<Tensor> TextParser::tensorOf(const ValueType& declared, std::string_view valueName) {
  const Token place = m_token;
  const auto dims = declared.shape ? declared.shape->staticDims() : std::vector<int64_t>{};
  if (!declared.isTensor() || !dims) return failAt(place, "values need a tensor type whose dimensions are numbers");
  std::vector<ElementText> elements;
  const auto readElement = [&]() -> Result<void> {
    if (at("..."))
      return failAt(m_token, fmt::format("the values of '{}' were left out when this text was printed", valueName));
    if (m_token.kind == TokenKind::kEnd || m_token.kind == TokenKind::kMark) return unexpected("a value");
    elements.push_back({std::move(m_token.text), m_token.kind == TokenKind::kString});
    return advance();
  };
  CUTAWAY_CHECK(list("{", "}", readElement));
  auto made = tensorFromText(declared.element, *dims, elements);
  if (!made) return failAt(place, made.error().message);
  return made;
}

// {dims = [3,4], values = float[1] {1}, indices = int64[1] {5}}
Result<SparseTensor> TextParser::sparseTensor() {
  SparseTensor made;
  const auto readPart = [&]() -> Result<void> {
    const Token place = m_token;
    CUTAWAY_TRY(const std::string part, name("dims, values or indices"));
    CUTAWAY_CHECK(expect("="));
    if (part == "dims") {
      return list("[", "]", [&]() -> Result<void> {
        CUTAWAY_TRY(const int64_t dim, integer());
        made.dims.push_back(dim);
        return {};
      });
    }
    if (part != "values" && part != "indices")
      return failAt(place, fmt::format("a sparse tensor has no part '{}'", part));
    CUTAWAY_TRY((part == "values" ? made.values : made.indices), tensor());
    return {};
  };
  const Token place = m_token;
  CUTAWAY_CHECK(list("{", "}", readPart));
  if (!made.values.valid() || !made.indices.valid()) return failAt(place, "a sparse tensor needs values and indices");
  return made;
}

Result<Attribute> TextParser::attribute() {
  Attribute made;
  CUTAWAY_TRY(made.name, name("an attribute's name"));
  std::string kind;
  CUTAWAY_TRY(const bool typed, accept(":"));
  if (typed) {
    CUTAWAY_TRY(kind, name("an attribute's kind"));
  }
  CUTAWAY_CHECK(expect("="));
  CUTAWAY_TRY(made.value, attributeValue(kind));
  return made;
}

// kind: as written after the name, empty when the value is to tell.
Result<AttributeValue> TextParser::attributeValue(std::string_view kind) {
  CUTAWAY_TRY(const bool reference, accept("@"));
  if (reference) {
    CUTAWAY_TRY(std::string target, name("an attribute's name"));
    return AttributeReference{std::move(target)};
  }
  if (at("[")) return listValue(kind);
  return scalarValue(kind);
}

Result<AttributeValue> TextParser::numberValue(std::string_view kind) {
  const bool asFloat = kind == "float" || (kind.empty() && isFloatText(m_token.text));
  if (!asFloat) {
    CUTAWAY_TRY(const int64_t value, integer());
    return value;
  }
  const auto value = floatFromText(m_token.text);
  if (!value) return failAt(m_token, value.error().message);
  CUTAWAY_CHECK(advance());
  return *value;
}

Result<AttributeValue> TextParser::scalarValue(std::string_view kind) {
  if (kind == "undefined") {
    CUTAWAY_CHECK(name("none").map([](const std::string&) {}));
    return std::monostate{};
  }
  if (kind == "sparse_tensor") return sparseTensor();
  if (kind == "type_proto") return type(0);
  if (kind == "tensor") return tensor();
  if (kind == "graph") return graph().map([](Graph&& body) { return GraphBox(std::move(body)); });
  if (kind == "string" || (kind.empty() && m_token.kind == TokenKind::kString)) {
    CUTAWAY_TRY(std::string text, name("a string"));
    // A quoted word before a parenthesis is the name of a body.
    if (!at("(") || !kind.empty()) return text;
    Graph body(std::move(text));
    CUTAWAY_CHECK(graphRest(body));
    return GraphBox(std::move(body));
  }
  if (kind == "float" || kind == "int") return numberValue(kind);
  if (!kind.empty()) return failAt(m_token, fmt::format("there is no attribute kind '{}' for a value like this", kind));
  if (m_token.kind == TokenKind::kNumber) return numberValue(kind);
  if (atType()) {
    CUTAWAY_TRY(const ValueType declared, type(0));
    if (!at("{")) return declared;
    return tensorOf(declared, "");
  }
  if (m_token.kind == TokenKind::kIdentifier)
    return graph().map([](Graph&& body) { return GraphBox(std::move(body)); });
  return unexpected("an attribute's value");
}

namespace {

template <typename T>
AttributeValue gathered(std::vector<AttributeValue> items) {
  std::vector<T> values;
  values.reserve(items.size());
  for (AttributeValue& item : items)
    values.push_back(std::move(*heldAs<T>(item)));
  return values;
}

template <typename T>
bool allHold(const std::vector<AttributeValue>& items) {
  return std::ranges::all_of(items, [](const AttributeValue& item) { return heldAs<T>(item) != nullptr; });
}

// One list of one kind; nullopt when the items differ.
std::optional<AttributeValue> gatherList(std::vector<AttributeValue> items, std::string_view kind) {
  const auto wants = [&](std::string_view word) { return kind.empty() ? !items.empty() : kind == word; };
  if (wants("ints") && allHold<int64_t>(items)) return gathered<int64_t>(std::move(items));
  if (wants("floats") && allHold<float>(items)) return gathered<float>(std::move(items));
  if (wants("strings") && allHold<std::string>(items)) return gathered<std::string>(std::move(items));
  if (wants("tensors") && allHold<Tensor>(items)) return gathered<Tensor>(std::move(items));
  if (wants("graphs") && allHold<GraphBox>(items)) return gathered<GraphBox>(std::move(items));
  if (wants("sparse_tensors") && allHold<SparseTensor>(items)) return gathered<SparseTensor>(std::move(items));
  if (wants("type_protos") && allHold<ValueType>(items)) return gathered<ValueType>(std::move(items));
  return std::nullopt;
}

}  // namespace

Result<AttributeValue> TextParser::listValue(std::string_view kind) {
  const Token place = m_token;
  if (!kind.empty() && !kind.ends_with('s'))
    return failAt(place, fmt::format("an attribute of kind '{}' is no list", kind));
  const std::string_view itemKind = kind.substr(0, kind.empty() ? 0 : kind.size() - 1);
  std::vector<AttributeValue> items;
  const auto readItem = [&]() -> Result<void> {
    CUTAWAY_TRY(AttributeValue item, scalarValue(itemKind));
    items.push_back(std::move(item));
    return {};
  };
  CUTAWAY_CHECK(list("[", "]", readItem));
  if (items.empty() && kind.empty()) return failAt(place, "an empty list needs its kind, such as axes: ints = []");
  auto made = gatherList(std::move(items), kind);
  if (!made) return failAt(place, "the items of this list are not of one kind");
  return std::move(*made);
}

}  // namespace cutaway
