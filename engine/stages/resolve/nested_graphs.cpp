#include "engine/stages/resolve/nested_graphs.h"

#include <algorithm>

#include "engine/report/graph_report.h"

namespace cutaway::resolve {

std::vector<NestedGraph> nestedGraphs(Graph& root) {
  std::vector<NestedGraph> graphs{{&root, kNone}};
  for (size_t i = 0; i < graphs.size(); ++i) {
    Graph& graph = *graphs[i].graph;
    for (size_t n = 0; n < graph.nodeSlots(); ++n) {
      Node& node = graph.mutableNode(NodeId{n});
      if (!node.removed)
        forEachBody(node, [&](const std::string&, Graph& body) { graphs.push_back({&body, static_cast<int32_t>(i)}); });
    }
  }
  return graphs;
}

void keepKnownCaptures(const std::vector<NestedGraph>& graphs, size_t index) {
  Graph& body = *graphs[index].graph;
  for (size_t i = 0; i < body.valueSlots(); ++i) {
    Value& value = body.mutableValue(ValueId{i});
    if (value.removed || !value.outerScope) continue;
    bool known = false;
    for (int32_t at = graphs[index].parent; at != kNone && !known; at = graphs[at].parent) {
      const Graph& outer = *graphs[at].graph;
      const ValueId id = outer.findValue(value.name);
      if (!id.valid()) continue;
      const Value& found = outer.value(id);
      const bool readDirectly = std::ranges::any_of(
          found.uses, [&](const Use& use) { return use.slot < outer.node(use.node).inputs.size(); });
      known = found.producer.valid() || found.isInput || found.initializer.has_value() || readDirectly;
    }
    if (!known) value.outerScope = false;
  }
}

}  // namespace cutaway::resolve
