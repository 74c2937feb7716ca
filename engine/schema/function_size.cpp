#include "engine/schema/function_size.h"

#include <algorithm>
#include <unordered_map>

namespace cutaway {

namespace {

constexpr size_t kConnection = 32;  // a slot of a node, and the use of its value

size_t bytesOf(const Tensor& tensor) {
  return sizeof(Tensor) + (tensor.rank() > Dims::kInlineRank ? tensor.rank() * sizeof(int64_t) : 0);
}

size_t bytesOf(const SparseTensor& sparse) {
  return bytesOf(sparse.values) + bytesOf(sparse.indices) + sparse.dims.size() * sizeof(int64_t);
}

size_t bytesOf(const ValueType& type) {
  return type.shape ? type.shape->rank() * sizeof(Dim) : 0;
}

template <typename T>
size_t bytesOf(const std::vector<T>& list) {
  size_t bytes = list.size() * sizeof(T);
  if constexpr (requires(const T& each) { bytesOf(each); }) {
    for (const T& each : list)
      bytes += bytesOf(each);
  } else if constexpr (std::is_same_v<T, std::string>) {
    for (const T& each : list)
      bytes += each.size();
  }
  return bytes;
}

}  // namespace

int64_t nodesWithBodies(const Graph& graph) {
  int64_t nodes = 0;
  forEachGraph(graph, [&nodes](const Graph& each) { nodes += static_cast<int64_t>(each.nodeCount()); });
  return nodes;
}

size_t copiedBytes(const AttributeValue& value) {
  return visitHeld(
      []<typename T>(const T& held) -> size_t {
        if constexpr (std::is_same_v<T, std::string>) return held.size();
        if constexpr (requires { bytesOf(held); }) return bytesOf(held);
        return 0;
      },
      value);
}

size_t copiedBytes(const Node& node) {
  size_t bytes = node.name.size() + (node.inputs.size() + node.outputs.size()) * kConnection;
  for (const Attribute& attribute : node.attributes)
    bytes += sizeof(Attribute) + copiedBytes(attribute.value);
  for (const auto& [key, text] : node.metadata)
    bytes += sizeof(key) + sizeof(text) + key.size() + text.size();
  return bytes;
}

size_t copiedBytes(const Graph& graph) {
  size_t bytes = graph.name().size();
  for (const NodeId id : graph.nodeIds())
    bytes += copiedBytes(graph.node(id));
  for (const ValueId id : graph.valueIds())
    bytes += graph.value(id).name.size() + bytesOf(graph.value(id).type);
  return bytes;
}

size_t repeatedArguments(const Function& function, const Node& call) {
  std::unordered_map<std::string_view, size_t> bytes, references;
  for (const Attribute& each : function.attributeDefaults)
    bytes[each.name] = copiedBytes(each.value);
  for (const Attribute& each : call.attributes)
    bytes[each.name] = copiedBytes(each.value);
  size_t sum = 0;
  forEachGraph(function.body, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      for (const Attribute& attribute : graph.node(id).attributes) {
        const auto* const reference = std::get_if<AttributeReference>(&attribute.value);
        if (reference != nullptr && references[reference->name]++ > 0) sum += bytes[reference->name];
      }
    }
  });
  return sum;
}

}  // namespace cutaway
