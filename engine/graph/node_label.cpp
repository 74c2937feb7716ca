#include "engine/graph/node_label.h"

#include <spdlog/fmt/fmt.h>

namespace cutaway {

std::string nodeName(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  return nodeName(node.name, node.opType, id.index());
}

std::string nodeLabel(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  // A fused node's operator is a hash, which tells nobody anything.
  if (node.rewrite.starts_with("fused by")) return fmt::format("group '{}'", node.name);
  return node.name.empty() ? nodeName(graph, id) : fmt::format("{} '{}'", node.opType, node.name);
}

}  // namespace cutaway
