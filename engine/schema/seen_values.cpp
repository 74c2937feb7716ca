// What a node looks like to a rule that it breaks: its inputs with their types, and its attributes.

#include "engine/schema/inference_state.h"

namespace cutaway {

namespace {

constexpr size_t kMostShown = 8;  // of inputs, attributes, and elements of one attribute

template <typename T>
std::string listText(const std::vector<T>& list) {
  const size_t shown = std::min(list.size(), kMostShown);
  return fmt::format("[{}{}]", fmt::join(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     shown < list.size() ? ", ..." : "");
}

std::string attributeText(const AttributeValue& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) return fmt::format("{}", *number);
  if (const auto* number = std::get_if<float>(&value)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&value)) return fmt::format("'{}'", text->substr(0, 64));
  if (const auto* list = std::get_if<std::vector<int64_t>>(&value)) return listText(*list);
  if (const auto* list = std::get_if<std::vector<float>>(&value)) return listText(*list);
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) return listText(*list);
  return fmt::format("({})", attributeKindName(value));
}

}  // namespace

std::string seenText(const Graph& graph, const Node& node) {
  std::vector<std::string> words;
  for (size_t slot = 0; slot < std::min(node.inputs.size(), kMostShown); ++slot) {
    if (!node.inputs[slot].valid()) continue;
    const Value& value = graph.value(node.inputs[slot]);
    words.push_back(fmt::format("{} {}", value.name, toText(value.type)));
  }
  for (size_t i = 0; i < std::min(node.attributes.size(), kMostShown); ++i)
    words.push_back(fmt::format("{}={}", node.attributes[i].name, attributeText(node.attributes[i].value)));
  return words.empty() ? "no inputs" : fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace cutaway
