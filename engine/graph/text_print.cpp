// Printing of the text notation. What is read back gives the same text again.

#include <cmath>

#include "engine/base/quote.h"
#include "engine/graph/text.h"
#include "engine/graph/text_tensor.h"

namespace cutaway {
namespace {

// Words that begin a type or a number: names like these are quoted, so that the parser needs no look-ahead.
bool isReserved(std::string_view name) {
  static constexpr std::string_view kWords[] = {"seq",     "map", "optional", "sparse_tensor", "opaque",
                                                "unknown", "inf", "nan",      "true",          "false"};
  return elementTypeFromName(name).has_value() || std::ranges::find(kWords, name) != std::end(kWords);
}

std::string nameText(std::string_view name) {
  return isReserved(name) ? quotedText(name) : identifierOrQuoted(name);
}

std::string operatorText(const Node& node) {
  std::string text;
  if (!node.domain.empty()) {
    // Dotted domains print bare when every part is an identifier.
    bool bare = true;
    for (size_t begin = 0; begin <= node.domain.size() && bare;) {
      const size_t end = std::min(node.domain.find('.', begin), node.domain.size());
      bare = isIdentifier(std::string_view(node.domain).substr(begin, end - begin));
      begin = end + 1;
    }
    text = (bare ? node.domain.string() : quotedText(node.domain)) + ".";
  }
  text += identifierOrQuoted(node.opType);
  if (!node.overload.empty()) text += ":" + identifierOrQuoted(node.overload);
  return text;
}

template <typename Items, typename ToText>
std::string joined(const Items& items, ToText&& toItemText) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += ", ";
    text += toItemText(item);
  }
  return text;
}

class Printer {
 public:
  explicit Printer(const TextOptions& options) : m_options(options) {}

  std::string graphText(const Graph& graph, const std::string& indent) const {
    std::string text = nameText(graph.name()) + " (" + valueList(graph, graph.inputs()) + ") => (" +
                       valueList(graph, graph.outputs()) + ")";
    return text + declarations(graph, indent) + nodesText(graph, indent);
  }

  std::string functionText(const Function& function) const {
    std::string text = "<domain: " + quotedText(function.domain) + ", opset_import: " + opsetText(function.opsets);
    if (!function.overload.empty()) text += ", overload: " + quotedText(function.overload);
    if (!function.documentation.empty()) text += ", doc_string: " + quotedText(function.documentation);
    text += ">\n" + nameText(function.name);
    std::vector<std::string> attributes;
    for (const std::string& name : function.attributes)
      attributes.push_back(nameText(name));
    for (const Attribute& attribute : function.attributeDefaults)
      attributes.push_back(attributeText(attribute, "  "));
    if (!attributes.empty()) text += " <" + joined(attributes, [](const std::string& each) { return each; }) + ">";
    const Graph& body = function.body;
    text += " (" + valueList(body, body.inputs()) + ") => (" + valueList(body, body.outputs()) + ")";
    return text + declarations(body, "") + nodesText(body, "");
  }

  static std::string opsetText(const std::vector<OpsetImport>& opsets) {
    return "[" +
           joined(
               opsets,
               [](const OpsetImport& each) { return fmt::format("{} : {}", quotedText(each.domain), each.version); }) +
           "]";
  }

 private:
  static std::string typedName(const Value& value) {
    return (value.type.known() ? toText(value.type) + " " : "") + nameText(value.name);
  }

  static std::string valueList(const Graph& graph, std::span<const ValueId> ids) {
    return joined(ids, [&](ValueId id) { return typedName(graph.value(id)); });
  }

  static std::string nameList(const Graph& graph, std::span<const ValueId> ids) {
    return joined(ids, [&](ValueId id) { return id.valid() ? nameText(graph.value(id).name) : std::string("\"\""); });
  }

  std::string elements(const Tensor& tensor) const {
    if (!tensor.valid()) return "{}";
    return tensor.elementCount() > m_options.maxInlineElements ? "{...}" : fmt::format("{{{}}}", elementsText(tensor));
  }

  std::string tensorText(const Tensor& tensor) const {
    return fmt::format("{}{} {}", elementTypeName(tensor.type()), dimsToText(tensor.dims()), elements(tensor));
  }

  // Initializers, and types of values that are neither input nor output.
  std::string declarations(const Graph& graph, const std::string& indent) const {
    std::vector<std::string> entries;
    size_t length = 0;
    for (const ValueId id : graph.valueIds()) {
      const Value& value = graph.value(id);
      if (value.initializer) {
        const Tensor& tensor = *value.initializer;
        entries.push_back(fmt::format("{}{} {} = {}", elementTypeName(tensor.type()), dimsToText(tensor.dims()),
                                      nameText(value.name), elements(tensor)));
      } else if (value.type.known() && !value.isInput && value.outputCount == 0 && !value.outerScope) {
        entries.push_back(typedName(value));
      } else {
        continue;
      }
      length += entries.back().size() + 2;
    }
    if (entries.empty()) return "";
    const std::string separator = length > 100 ? ",\n" + indent + "  " : ", ";
    std::string text = length > 100 ? " <\n" + indent + "  " : " <";
    for (size_t i = 0; i < entries.size(); ++i)
      text += (i > 0 ? separator : "") + entries[i];
    return text + ">";
  }

  std::string nodesText(const Graph& graph, const std::string& indent) const {
    std::string text = " {\n";
    for (const NodeId id : graph.nodeIds())
      text += nodeText(graph, graph.node(id), indent + "  ") + "\n";
    return text + indent + "}";
  }

  std::string nodeText(const Graph& graph, const Node& node, const std::string& indent) const {
    std::string text = indent;
    if (!node.name.empty()) text += "[" + nameText(node.name) + "] ";
    const std::string outputs = nameList(graph, node.outputs);
    text += (outputs.empty() ? "" : outputs + " ") + "= " + operatorText(node);
    if (m_options.showProvider && !node.provider.empty()) text += " @" + identifierOrQuoted(node.provider);
    if (!node.attributes.empty())
      text += " <" + joined(node.attributes, [&](const Attribute& each) { return attributeText(each, indent); }) + ">";
    text += " (" + nameList(graph, node.inputs) + ")";
    if (m_options.showOrigins) {
      std::string origins;
      for (const OriginId origin : node.origins)
        origins += (origins.empty() ? "" : ",") + std::to_string(origin.index());
      text += "  # origins " + (origins.empty() ? std::string("none") : origins);
    }
    return text;
  }

  std::string attributeText(const Attribute& attribute, const std::string& indent) const {
    const std::string kind = explicitKind(attribute.value);
    return nameText(attribute.name) + (kind.empty() ? "" : ": " + kind) + " = " +
           visitHeld([&](const auto& value) { return valueText(value, indent); }, attribute.value);
  }

  // The kind is written where the value alone does not tell it.
  static std::string explicitKind(const AttributeValue& value) {
    static constexpr std::string_view kKinds[] = {
        "undefined", "int",     "float",  "string",        "tensor",         "graph",      "ints",        "floats",
        "strings",   "tensors", "graphs", "sparse_tensor", "sparse_tensors", "type_proto", "type_protos", ""};
    bool plain = false;
    if (const auto* number = std::get_if<float>(&value)) plain = std::isfinite(*number);
    if (const auto* list = std::get_if<std::vector<float>>(&value))
      plain = !list->empty() && std::ranges::all_of(*list, [](float each) { return std::isfinite(each); });
    if (const auto* list = std::get_if<std::vector<int64_t>>(&value)) plain = !list->empty();
    if (const auto* list = std::get_if<std::vector<std::string>>(&value)) plain = !list->empty();
    plain = plain || std::holds_alternative<int64_t>(value) || std::holds_alternative<std::string>(value) ||
            heldAs<Tensor>(value) != nullptr || std::holds_alternative<GraphBox>(value);
    return plain ? "" : std::string(kKinds[value.index()]);
  }

  std::string valueText(std::monostate, const std::string&) const { return "none"; }
  std::string valueText(int64_t value, const std::string&) const { return std::to_string(value); }
  std::string valueText(float value, const std::string&) const { return floatText(value); }
  std::string valueText(const std::string& value, const std::string&) const { return quotedText(value); }
  std::string valueText(const Tensor& value, const std::string&) const { return tensorText(value); }
  std::string valueText(const GraphBox& value, const std::string& indent) const {
    return graphText(*value, indent + "  ");
  }
  std::string valueText(const ValueType& value, const std::string&) const { return toText(value); }
  std::string valueText(const AttributeReference& value, const std::string&) const {
    return "@" + nameText(value.name);
  }
  std::string valueText(const SparseTensor& value, const std::string&) const {
    return fmt::format("{{dims = {}, values = {}, indices = {}}}", dimsToText(value.dims), tensorText(value.values),
                       tensorText(value.indices));
  }
  template <typename T>
  std::string valueText(const std::vector<T>& values, const std::string& indent) const {
    return "[" + joined(values, [&](const T& each) { return valueText(each, indent); }) + "]";
  }

  const TextOptions& m_options;
};

}  // namespace

std::string printGraph(const Graph& graph, const TextOptions& options) {
  return Printer(options).graphText(graph, "") + "\n";
}

std::string printModel(const Model& model, const TextOptions& options) {
  std::string text =
      fmt::format("<ir_version: {}, opset_import: {}", model.irVersion, Printer::opsetText(model.opsets));
  const auto property = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += fmt::format(", {}: {}", name, quotedText(value));
  };
  property("producer_name", model.producerName);
  property("producer_version", model.producerVersion);
  property("domain", model.domain);
  if (model.modelVersion != 0) text += fmt::format(", model_version: {}", model.modelVersion);
  property("doc_string", model.documentation);
  if (!model.metadata.empty()) {
    text += ", metadata_props: [" +
            joined(model.metadata,
                   [](const auto& each) { return quotedText(each.first) + " : " + quotedText(each.second); }) +
            "]";
  }
  text += ">\n" + printGraph(model.graph, options);
  for (const Function& function : model.functions)
    text += Printer(options).functionText(function) + "\n";
  return text;
}

}  // namespace cutaway
