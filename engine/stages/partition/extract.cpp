#include "engine/stages/partition/extract.h"

#include <unordered_map>

namespace cutaway::partition {

Result<Graph> extractGroup(const Graph& graph, std::span<const NodeId> nodes, const GroupBorder& border) {
  Graph inner(graph.name());
  std::unordered_map<ValueId, ValueId> translated;
  for (const ValueId id : border.inputs)
    translated[id] = inner.addInput(graph.value(id).name, graph.value(id).type);
  for (const NodeId id : nodes) {
    for (const ValueId value : graph.node(id).outputs) {
      if (value.valid()) translated[value] = inner.addValue(graph.value(value).name, graph.value(value).type);
    }
  }
  const auto translate = [&](ValueId id) -> Result<ValueId> {
    if (!id.valid()) return ValueId{};
    if (const auto found = translated.find(id); found != translated.end()) return found->second;
    const Value& value = graph.value(id);
    if (!value.initializer)
      return fail(
          atValue({ErrorCode::kInvalidGraph, "the group needs a value from outside that its MetaDef does not list", {}},
                  value.name));
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
    const std::vector<std::string> outputs = graph.namesOf(original.outputs);
    Node copy = original;
    copy.inputs.clear();
    copy.outputs.clear();
    copy.implicitInputs.clear();
    const NodeId added = inner.addNode(std::move(copy), inputs, outputs);
    inner.setImplicitInputs(added, implicit);
  }
  for (const ValueId id : border.outputs) {
    const auto found = translated.find(id);
    if (found == translated.end())
      return fail(
          atValue({ErrorCode::kInvalidGraph, "the group's MetaDef lists an output that its nodes do not make", {}},
                  graph.value(id).name));
    inner.addOutput(found->second);
  }
  return inner;
}

}  // namespace cutaway::partition
