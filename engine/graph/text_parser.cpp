#include "engine/graph/text_parser.h"

#include "engine/base/input_budget.h"
#include "engine/graph/text.h"

namespace cutaway {

Result<Model> parseModelText(std::string_view text) {
  return TextParser(text).parseModel();
}

Result<void> TextParser::advance() {
  CUTAWAY_TRY(m_token, m_lexer.next());
  return {};
}

tl::unexpected<Error> TextParser::unexpected(std::string_view expected) const {
  if (m_token.kind == TokenKind::kEnd) return failAt(m_token, fmt::format("expected {} but the text ends", expected));
  return failAt(m_token, fmt::format("expected {} but found '{}'", expected, m_token.text));
}

Result<void> TextParser::expect(std::string_view mark) {
  if (!at(mark)) return unexpected(fmt::format("'{}'", mark));
  return advance();
}

Result<bool> TextParser::accept(std::string_view mark) {
  if (!at(mark)) return false;
  CUTAWAY_CHECK(advance());
  return true;
}

Result<std::string> TextParser::name(std::string_view what) {
  if (!atName()) return unexpected(what);
  std::string text = std::move(m_token.text);
  CUTAWAY_CHECK(advance());
  return text;
}

Result<int64_t> TextParser::integer() {
  if (m_token.kind != TokenKind::kNumber) return unexpected("an integer");
  const auto value = integerFromText(m_token.text);
  if (!value) return failAt(m_token, value.error().message);
  CUTAWAY_CHECK(advance());
  return *value;
}

Result<Model> TextParser::parseModel() {
  CUTAWAY_CHECK(advance());
  Model model;
  model.irVersion = 10;
  model.opsets = {{"", 21}};
  if (at("<")) CUTAWAY_CHECK(header(model));
  m_overridable = model.irVersion >= 4;
  CUTAWAY_TRY(model.graph, graph());
  while (at("<")) {
    CUTAWAY_TRY(Function made, function(model));
    model.functions.push_back(std::move(made));
  }
  if (m_token.kind != TokenKind::kEnd) return unexpected("a function or the end");
  assignOrigins(model);
  return model;
}

Result<void> TextParser::header(Model& model) {
  return list("<", ">", [&] { return headerProperty(model); });
}

Result<void> TextParser::headerProperty(Model& model) {
  const Token place = m_token;
  CUTAWAY_TRY(const std::string key, name("a property such as ir_version"));
  CUTAWAY_CHECK(expect(":"));
  if (key == "ir_version" || key == "model_version") {
    CUTAWAY_TRY((key == "ir_version" ? model.irVersion : model.modelVersion), integer());
    return {};
  }
  if (key == "opset_import") {
    CUTAWAY_TRY(model.opsets, opsets());
    return {};
  }
  if (key == "metadata_props") return metadata(model.metadata);
  std::string* target = key == "producer_name"      ? &model.producerName
                        : key == "producer_version" ? &model.producerVersion
                        : key == "domain"           ? &model.domain
                        : key == "doc_string"       ? &model.documentation
                                                    : nullptr;
  if (target == nullptr) return failAt(place, fmt::format("a model has no property '{}'", key));
  CUTAWAY_TRY(*target, name("a string"));
  return {};
}

Result<std::vector<OpsetImport>> TextParser::opsets() {
  std::vector<OpsetImport> imports;
  const auto readImport = [&]() -> Result<void> {
    OpsetImport import;
    CUTAWAY_TRY(import.domain, name("a domain"));
    CUTAWAY_CHECK(expect(":"));
    CUTAWAY_TRY(import.version, integer());
    imports.push_back(std::move(import));
    return {};
  };
  CUTAWAY_CHECK(list("[", "]", readImport));
  return imports;
}

Result<void> TextParser::metadata(std::map<std::string, std::string>& entries) {
  return list("[", "]", [&]() -> Result<void> {
    CUTAWAY_TRY(std::string key, name("a key"));
    CUTAWAY_CHECK(expect(":"));
    CUTAWAY_TRY(entries[std::move(key)], name("a string"));
    return {};
  });
}

Result<Function> TextParser::function(const Model& model) {
  Function made;
  made.opsets = model.opsets;
  CUTAWAY_CHECK(list("<", ">", [&] { return functionProperty(made); }));
  CUTAWAY_TRY(made.name, name("a function's name"));
  made.body.setName(made.name);
  if (at("<")) CUTAWAY_CHECK(list("<", ">", [&] { return functionAttribute(made); }));
  CUTAWAY_CHECK(graphRest(made.body));
  return made;
}

Result<void> TextParser::functionProperty(Function& made) {
  const Token place = m_token;
  CUTAWAY_TRY(const std::string key, name("a property such as domain"));
  CUTAWAY_CHECK(expect(":"));
  if (key == "opset_import") {
    CUTAWAY_TRY(made.opsets, opsets());
    return {};
  }
  std::string* target = key == "domain"       ? &made.domain
                        : key == "overload"   ? &made.overload
                        : key == "doc_string" ? &made.documentation
                                              : nullptr;
  if (target == nullptr) return failAt(place, fmt::format("a function has no property '{}'", key));
  CUTAWAY_TRY(*target, name("a string"));
  return {};
}

Result<void> TextParser::functionAttribute(Function& made) {
  CUTAWAY_TRY(std::string attributeName, name("an attribute's name"));
  std::string kind;
  CUTAWAY_TRY(const bool typed, accept(":"));
  if (typed) {
    CUTAWAY_TRY(kind, name("an attribute's kind"));
  }
  CUTAWAY_TRY(const bool hasDefault, accept("="));
  if (!hasDefault) {
    made.attributes.push_back(std::move(attributeName));
    return {};
  }
  CUTAWAY_TRY(AttributeValue value, attributeValue(kind));
  made.attributeDefaults.push_back({std::move(attributeName), std::move(value)});
  return {};
}

Result<Graph> TextParser::graph() {
  CUTAWAY_TRY(std::string graphName, name("a graph's name"));
  Graph made(std::move(graphName));
  CUTAWAY_CHECK(graphRest(made));
  return made;
}

Result<void> TextParser::graphRest(Graph& graph) {
  if (++m_depth > kInputBudget.notationDepth)
    return failAt(m_token, fmt::format("graphs nest deeper than {}", kInputBudget.notationDepth));
  graph.loadedFromFile = true;
  graph.overridableInitializers = m_overridable;
  CUTAWAY_CHECK(signature(graph));
  if (at("<")) CUTAWAY_CHECK(list("<", ">", [&] { return declaration(graph); }));
  CUTAWAY_CHECK(nodes(graph));
  --m_depth;
  if (m_depth > 0) closeBody(graph);
  return {};
}

Result<void> TextParser::signature(Graph& graph) {
  struct Entry {
    std::string name;
    ValueType type;
  };
  const auto readEntry = [&](auto&& add) -> Result<void> {
    Entry entry;
    if (atType()) {
      CUTAWAY_TRY(entry.type, type(0));
    }
    CUTAWAY_TRY(entry.name, name("a value's name"));
    add(std::move(entry));
    return {};
  };
  CUTAWAY_CHECK(list("(", ")", [&] {
    return readEntry([&](Entry entry) { graph.addInput(std::move(entry.name), std::move(entry.type)); });
  }));
  CUTAWAY_CHECK(expect("=>"));
  return list("(", ")", [&] {
    return readEntry(
        [&](Entry entry) { graph.addOutput(graph.addValue(std::move(entry.name), std::move(entry.type))); });
  });
}

Result<void> TextParser::declaration(Graph& graph) {
  if (!atType()) return unexpected("a type");
  CUTAWAY_TRY(ValueType declared, type(0));
  CUTAWAY_TRY(std::string valueName, name("a value's name"));
  CUTAWAY_TRY(const bool isInitializer, accept("="));
  if (!isInitializer) {
    graph.addValue(std::move(valueName), std::move(declared));
    return {};
  }
  CUTAWAY_TRY(Tensor tensor, tensorOf(declared, valueName));
  graph.addInitializer(std::move(valueName), std::move(tensor));
  return {};
}

Result<void> TextParser::nodes(Graph& graph) {
  CUTAWAY_CHECK(expect("{"));
  while (!at("}"))
    CUTAWAY_CHECK(node(graph));
  return advance();
}

Result<void> TextParser::node(Graph& graph) {
  Node made;
  CUTAWAY_TRY(const bool labelled, accept("["));
  if (labelled) {
    CUTAWAY_TRY(made.name, name("a node's name"));
    CUTAWAY_CHECK(expect("]"));
  }
  std::vector<std::string> outputs;
  if (!at("=")) {
    for (bool more = true; more;) {
      CUTAWAY_TRY(std::string output, name("a node, such as y = Relu (x)"));
      outputs.push_back(std::move(output));
      CUTAWAY_TRY(more, accept(","));
    }
  }
  CUTAWAY_CHECK(expect("="));
  CUTAWAY_CHECK(operatorName(made));
  const auto readAttribute = [&]() -> Result<void> {
    CUTAWAY_TRY(Attribute read, attribute());
    made.attributes.push_back(std::move(read));
    return {};
  };
  if (at("<")) CUTAWAY_CHECK(list("<", ">", readAttribute));
  std::vector<ValueId> inputs;
  const auto readInput = [&]() -> Result<void> {
    CUTAWAY_TRY(std::string input, name("a value's name"));
    inputs.push_back(input.empty() ? ValueId{} : graph.addValue(std::move(input)));
    return {};
  };
  CUTAWAY_CHECK(list("(", ")", readInput));
  if (at("<")) CUTAWAY_CHECK(list("<", ">", readAttribute));
  const bool hasBodies = made.hasBodies();
  const NodeId id = graph.addNode(std::move(made), inputs, outputs);
  if (hasBodies) graph.bindCaptures(id);
  return {};
}

// domain.parts.Operator:overload @provider; any part may be quoted.
Result<void> TextParser::operatorName(Node& made) {
  CUTAWAY_TRY(made.opType, name("an operator"));
  for (bool more = at("."); more; more = at(".")) {
    CUTAWAY_CHECK(advance());
    if (!made.domain.empty()) made.domain += ".";
    made.domain += made.opType;
    CUTAWAY_TRY(made.opType, name("an operator"));
  }
  CUTAWAY_TRY(const bool overloaded, accept(":"));
  if (overloaded) {
    CUTAWAY_TRY(made.overload, name("an overload"));
  }
  CUTAWAY_TRY(const bool assigned, accept("@"));
  if (assigned) {
    CUTAWAY_TRY(made.provider, name("a provider"));
  }
  return {};
}

// What a body uses but nothing in it defines comes from around it.
void TextParser::closeBody(Graph& body) const {
  for (const ValueId id : body.valueIds()) {
    const Value& value = body.value(id);
    const bool used = !value.uses.empty() || value.outputCount > 0;
    if (used && !value.producer.valid() && !value.isInput && !value.initializer)
      body.mutableValue(id).outerScope = true;
  }
}

}  // namespace cutaway
