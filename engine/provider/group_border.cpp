#include <unordered_set>

#include "engine/provider/group_builder.h"

namespace cutaway {

namespace {

template <typename Visit>
void forEachUsedValue(const Node& node, Visit&& visit) {
  for (const ValueId id : node.inputs) {
    if (id.valid()) visit(id);
  }
  for (const ValueId id : node.implicitInputs)
    visit(id);
}

bool leavesGroup(const Graph& graph, ValueId id, const std::unordered_set<NodeId>& members) {
  const Value& value = graph.value(id);
  if (value.outputCount > 0) return true;
  for (const Use& use : value.uses) {
    if (!members.contains(use.node)) return true;
  }
  return false;
}

}  // namespace

GroupBorder borderOf(const Graph& graph, std::span<const NodeId> nodes, bool constantsAsInputs) {
  const std::unordered_set<NodeId> members(nodes.begin(), nodes.end());
  std::unordered_set<ValueId> seen;
  GroupBorder border;
  for (const NodeId id : nodes) {
    forEachUsedValue(graph.node(id), [&](ValueId value) {
      const NodeId producer = graph.value(value).producer;
      const bool inside = producer.valid() && members.contains(producer);
      if (inside || (!constantsAsInputs && graph.isConstant(value)) || !seen.insert(value).second) return;
      border.inputs.push_back(value);
    });
  }
  for (const NodeId id : nodes) {
    for (const ValueId value : graph.node(id).outputs) {
      if (value.valid() && leavesGroup(graph, value, members)) border.outputs.push_back(value);
    }
  }
  return border;
}

}  // namespace cutaway
