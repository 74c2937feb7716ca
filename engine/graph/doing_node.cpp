#include "engine/graph/doing_node.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace cutaway {

namespace {

size_t tellNodeOf(const void* graph, size_t index, char* out, size_t room) {
  const Graph& of = *static_cast<const Graph*>(graph);
  return index < of.nodeSlots() ? tellNode(of.node(NodeId{index}), out, room) : 0;
}

}  // namespace

size_t tellNode(const Node& node, char* out, size_t room) {
  size_t length = 0;
  const std::string_view open = node.name.empty() ? "" : " '", close = node.name.empty() ? "" : "'";
  for (const std::string_view part : {std::string_view(node.opType), open, std::string_view(node.name), close}) {
    const size_t count = std::min(part.size(), room - length);
    std::memcpy(out + length, part.data(), count);
    length += count;
  }
  return length;
}

DoingNode::DoingNode(const Graph& graph, NodeId id) : m_scope(&tellNodeOf, &graph) {
  setDoing(id.index());
}

}  // namespace cutaway
