// Texts of forms. Attributes are written in the order of their names, so that order in the file does not matter.
#include "engine/provider/node_form.h"

#include <algorithm>

#include <spdlog/fmt/ranges.h>

#include "engine/base/hash.h"

namespace cutaway {

namespace {

constexpr int64_t kMaxShownElements = 16;

struct ValueText {
  std::string& text;

  void number(auto value) const { fmt::format_to(std::back_inserter(text), "{}", value); }
  void operator()(int64_t value) const { number(value); }
  void operator()(float value) const { number(value); }
  void operator()(const std::string& value) const { text += value; }
  void operator()(const Tensor& value) const {
    number(static_cast<int32_t>(value.type()));
    text += dimsToText(value.dims());
    if (value.type() == ElementType::kString) {
      for (const std::string& each : value.span<std::string>())
        (text += each) += ',';
    } else {
      number(hash64(value.bytes()));
    }
  }
  void operator()(const std::vector<int64_t>& values) const { text += fmt::format("{}", fmt::join(values, ",")); }
  void operator()(const std::vector<float>& values) const { text += fmt::format("{}", fmt::join(values, ",")); }
  void operator()(const std::vector<std::string>& values) const { text += fmt::format("{}", fmt::join(values, ",")); }
  void operator()(const ValueType& value) const { text += toText(value); }
  // Bodies, sparse tensors and lists of tensors: who asks about such nodes asks without a form.
  void operator()(const auto&) const { text += '?'; }
};

void addAttributes(const Node& node, std::string& text) {
  std::vector<const Attribute*> sorted;
  for (const Attribute& attribute : node.attributes)
    sorted.push_back(&attribute);
  std::sort(sorted.begin(), sorted.end(), [](const Attribute* a, const Attribute* b) { return a->name < b->name; });
  for (const Attribute* attribute : sorted) {
    ((text += ' ') += attribute->name) += '=';
    visitHeld(ValueText{text}, attribute->value);
  }
}

void addType(const ValueType& type, bool exact, std::string& text) {
  fmt::format_to(std::back_inserter(text), "{}", static_cast<int32_t>(type.element));
  if (!type.shape) {
    text += '*';
    return;
  }
  if (exact) {
    text += toText(*type.shape);
    return;
  }
  text += '[';
  for (const Dim& dim : type.shape->dims())
    text += !dim.isKnown() ? '?' : dim.value() == 0 ? '0' : dim.value() == 1 ? '1' : 'n';
  text += ']';
}

template <typename T>
void addElements(const Tensor& tensor, std::string& text) {
  fmt::format_to(std::back_inserter(text), "{{{}}}", fmt::join(tensor.span<T>(), ","));
}

void addConstant(const Tensor& tensor, std::string& text) {
  text += 'c';
  if (tensor.elementCount() > kMaxShownElements) return;
  if (tensor.type() == ElementType::kInt64) addElements<int64_t>(tensor, text);
  if (tensor.type() == ElementType::kInt32) addElements<int32_t>(tensor, text);
}

}  // namespace

std::string formOf(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const bool exact =
      node.attributeOr<int64_t>("ceil_mode", 0) != 0;  // the last window may be left out or not, as lengths have it
  std::string text = fmt::format("{}:{}@{}", node.domain, node.opType, node.sinceVersion);
  addAttributes(node, text);
  for (size_t slot = 0; slot < node.inputs.size(); ++slot) {
    text += " (";
    if (const ValueId input = node.inputs[slot]; input.valid()) {
      const Value& value = graph.value(input);
      addType(value.type, exact, text);
      if (graph.isConstant(input) && value.initializer) addConstant(*value.initializer, text);
      // Multiply(x, x) is another question than Multiply(x, y).
      const auto first = std::find(node.inputs.begin(), node.inputs.end(), input) - node.inputs.begin();
      if (first < static_cast<std::ptrdiff_t>(slot)) fmt::format_to(std::back_inserter(text), "={}", first);
    }
    text += ')';
  }
  text += " ->";
  for (const ValueId output : node.outputs) {
    text += ' ';
    if (output.valid()) addType(graph.value(output).type, exact, text);
  }
  return text;
}

}  // namespace cutaway
