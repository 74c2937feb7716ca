#include "engine/session/called_from.h"

#include "engine/base/node_name.h"

namespace cutaway::session {

namespace {

const Node* inlinedNode(const Model& model, std::string_view name) {
  const Node* found = nullptr;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      const Node& node = graph.node(id);
      if (found == nullptr && node.rewrite == "function inlining" && node.name == name) found = &node;
    }
  });
  return found;
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

Error tellCall(Error error, const Model& model) {
  const Node* const node = error.where.node.empty() ? nullptr : inlinedNode(model, error.where.node);
  if (node == nullptr || node->origins.empty() || node->origins.front().index() >= model.origins.size()) return error;
  const Origin& call = model.origins[node->origins.front().index()];
  const std::string label = nodeName(call.name, call.opType, node->origins.front().index());
  replaceAll(error.message, fmt::format("'{}'", node->name), fmt::format("inside of {} '{}'", call.opType, label));
  error.where.node = label;
  return error;
}

}  // namespace cutaway::session
