// Of several nodes that compute the same from the same, one stays.

#include <algorithm>

#include "engine/schema/schema.h"
#include "engine/stages/optimize/graph_pass.h"

namespace cutaway::optimize {

namespace {

constexpr int64_t kMaxComparedBytes = 256;

template <typename T>
std::string bytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// Type, shape and bytes; nullopt for tensors that are not compared.
std::optional<std::string> tensorText(const Tensor& tensor) {
  if (tensor.type() == ElementType::kString || tensor.sizeBytes() > kMaxComparedBytes || tensor.data() == nullptr)
    return std::nullopt;
  return fmt::format("T{}{}:", elementTypeName(tensor.type()), dimsToText(tensor.dims())) +
         std::string(static_cast<const char*>(tensor.data()), static_cast<size_t>(tensor.sizeBytes()));
}

// Text that is equal only for equal values; nullopt for kinds that are not compared.
std::optional<std::string> valueText(const AttributeValue& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) return fmt::format("i{}", *number);
  if (const auto* real = std::get_if<float>(&value))
    return "f" + std::string(reinterpret_cast<const char*>(real), sizeof(float));
  if (const auto* text = std::get_if<std::string>(&value)) return fmt::format("s{}:{}", text->size(), *text);
  if (const auto* list = std::get_if<std::vector<int64_t>>(&value))
    return fmt::format("I{}:", list->size()) + bytesOf(*list);
  if (const auto* reals = std::get_if<std::vector<float>>(&value))
    return fmt::format("F{}:", reals->size()) + bytesOf(*reals);
  if (const auto* tensor = heldAs<Tensor>(value)) return tensorText(*tensor);
  return std::nullopt;
}

// A small constant stands for its value: exporters write one initializer for each reader.
std::string inputText(const PassContext& context, ValueId input) {
  if (!input.valid()) return ",-";
  const Tensor* const constant = context.constant(input);
  const auto text = constant != nullptr ? tensorText(*constant) : std::nullopt;
  return text ? ',' + *text : fmt::format(",{}", input.index());
}

std::optional<std::string> keyOf(const PassContext& context, const Node& node) {
  std::string key =
      fmt::format("{}:{}:{}:{}:{}:", node.domain, node.opType, node.overload, node.opsetVersion, node.outputs.size());
  for (const ValueId output : node.outputs)
    key += output.valid() ? '1' : '0';
  for (const ValueId input : node.inputs)
    key += inputText(context, input);
  std::vector<const Attribute*> attributes;
  for (const Attribute& attribute : node.attributes)
    attributes.push_back(&attribute);
  std::ranges::sort(attributes, {}, &Attribute::name);
  for (const Attribute* attribute : attributes) {
    const auto text = valueText(attribute->value);
    if (!text) return std::nullopt;
    key += fmt::format(";{}=", attribute->name) + *text;
  }
  return key;
}

bool isComparable(const Node& node) {
  if (node.hasBodies() || node.opType == "EPContext" || node.inputs.empty()) return false;
  const OperatorSchema* schema = findSchema(node.opType, node.domain, node.opsetVersion);
  if (schema == nullptr || !schema->deterministic) return false;
  // A Dropout that trains draws numbers too.
  return node.opType != "Dropout";
}

std::optional<GraphPatch> match(const PassContext& context, NodeId id) {
  const Node& node = context.node(id);
  if (!isComparable(node)) return std::nullopt;
  const auto key = keyOf(context, node);
  if (!key) return std::nullopt;
  const auto [entry, isNew] = context.seen.try_emplace(*key, id);
  if (isNew || entry->second == id) return std::nullopt;
  const Node& kept = context.node(entry->second);
  if (kept.removed || keyOf(context, kept) != key) {
    entry->second = id;
    return std::nullopt;
  }
  // Names of graph outputs stay: the node that makes one is kept.
  if (std::ranges::any_of(node.outputs, [&](ValueId output) { return output.valid() && context.isOutput(output); }))
    return std::nullopt;
  GraphPatch patch;
  patch.note = fmt::format("{} computes what {} computes", context.label(id), context.label(entry->second));
  patch.removeNodes = {id};
  for (size_t slot = 0; slot < node.outputs.size(); ++slot) {
    if (node.outputs[slot].valid()) patch.replaceValues.emplace_back(node.outputs[slot], kept.outputs[slot]);
  }
  return patch;
}

constexpr GraphPass kPass{.name = "CommonSubexpressionElimination",
                          .purpose = "keeps one of several nodes that compute the same",
                          .level = 1,
                          .wholeGraph = true,
                          .match = match};

}  // namespace

const GraphPass& pass_eliminate_common_subexpressions() {
  return kPass;
}

}  // namespace cutaway::optimize
