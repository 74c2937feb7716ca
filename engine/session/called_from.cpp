#include "engine/session/called_from.h"

#include "engine/base/node_name.h"

namespace cutaway::session {

namespace {

struct Inlined {
  const Graph* graph = nullptr;
  const Node* node = nullptr;
};

Inlined inlinedNode(const Model& model, std::string_view name) {
  Inlined found;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      const Node& node = graph.node(id);
      if (found.node == nullptr && node.rewrite == "function inlining" && node.name == name) found = {&graph, &node};
    }
  });
  return found;
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// Names that no file has become "its input 2".
void replaceNames(std::string& text, const Graph& graph, const std::vector<ValueId>& values, std::string_view what) {
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i].valid() && graph.value(values[i]).name.starts_with("_inlfunc_"))
      replaceAll(text, fmt::format("'{}'", graph.value(values[i]).name), fmt::format("its {} {}", what, i + 1));
}

}  // namespace

Error tellCall(Error error, const Model& model) {
  const auto [graph, node] = error.where.node.empty() ? Inlined{} : inlinedNode(model, error.where.node);
  if (node == nullptr || node->origins.empty() || node->origins.front().index() >= model.origins.size()) return error;
  const Origin& call = model.origins[node->origins.front().index()];
  const std::string label = nodeName(call.name, call.opType, node->origins.front().index());
  replaceAll(error.message, fmt::format("'{}'", node->name), fmt::format("inside of {} '{}'", call.opType, label));
  replaceNames(error.message, *graph, node->inputs, "input");
  replaceNames(error.message, *graph, node->outputs, "output");
  error.where.node = label;
  return error;
}

}  // namespace cutaway::session
