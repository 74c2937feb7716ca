#include "engine/stages/partition/extract.h"

#include <unordered_map>
#include <unordered_set>

namespace cutaway {

namespace {

template <typename Visit>
void forEachUsedValue(const Node& node, Visit&& visit) {
  for (const ValueId id : node.inputs) {
    if (id.valid()) visit(id);
  }
  for (const ValueId id : node.implicitInputs) visit(id);
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

Result<Graph> extractGroup(const Graph& graph, std::span<const NodeId> nodes, const GroupBorder& border) {
  Graph inner(graph.name());
  std::unordered_map<ValueId, ValueId> translated;
  for (const ValueId id : border.inputs) translated[id] = inner.addInput(graph.value(id).name, graph.value(id).type);
  for (const NodeId id : nodes) {
    for (const ValueId value : graph.node(id).outputs) {
      if (value.valid()) translated[value] = inner.addValue(graph.value(value).name, graph.value(value).type);
    }
  }
  const auto translate = [&](ValueId id) -> Result<ValueId> {
    if (!id.valid()) return ValueId{};
    if (const auto found = translated.find(id); found != translated.end()) return found->second;
    const Value& value = graph.value(id);
    if (!value.initializer) return fail(atValue({ErrorCode::kInvalidGraph, "the group needs a value from outside that its MetaDef does not list", {}}, value.name));
    return translated[id] = inner.addInitializer(value.name, *value.initializer);
  };
  for (const NodeId id : nodes) {
    const Node& original = graph.node(id);
    std::vector<ValueId> inputs;
    for (const ValueId value : original.inputs) {
      CUTAWAY_TRY(const ValueId copied, translate(value));
      inputs.push_back(copied);
    }
    std::vector<ValueId> implicit;
    for (const ValueId value : original.implicitInputs) {
      CUTAWAY_TRY(const ValueId copied, translate(value));
      implicit.push_back(copied);
    }
    std::vector<std::string> outputs;
    for (const ValueId value : original.outputs) outputs.push_back(value.valid() ? graph.value(value).name : std::string());
    Node copy = original;
    copy.inputs.clear();
    copy.outputs.clear();
    copy.implicitInputs.clear();
    const NodeId added = inner.addNode(std::move(copy), inputs, outputs);
    inner.setImplicitInputs(added, implicit);
  }
  for (const ValueId id : border.outputs) {
    const auto found = translated.find(id);
    if (found == translated.end()) return fail(atValue({ErrorCode::kInvalidGraph, "the group's MetaDef lists an output that its nodes do not make", {}}, graph.value(id).name));
    inner.addOutput(found->second);
  }
  return inner;
}

}  // namespace cutaway
