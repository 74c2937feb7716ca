// The part between some values and others: what the outputs need is kept, everything else leaves the graph. Names,
// origins, opsets, functions and metadata stay.
#include <algorithm>

#include "engine/base/quote.h"
#include "engine/edit/model_editor.h"

namespace cutaway::edit {
namespace {

Result<std::vector<ValueId>> findAll(ModelEditor& editor, const std::vector<std::string>& names) {
  std::vector<ValueId> ids;
  for (const std::string& name : names) {
    CUTAWAY_TRY(const ValueId id, editor.value(0, name));
    if (std::ranges::find(ids, id) != ids.end())
      return refuseValue(name, fmt::format("{} is listed twice", quotedText(name)));
    ids.push_back(id);
  }
  return ids;
}

// What the outputs need, without what lies before the given inputs.
struct Needed {
  std::vector<char> values, nodes;
};

Needed neededFor(const Graph& graph, const std::vector<ValueId>& inputs, const std::vector<ValueId>& outputs) {
  Needed needed{std::vector<char>(graph.valueSlots(), 0), std::vector<char>(graph.nodeSlots(), 0)};
  std::vector<char> stops(graph.valueSlots(), 0);
  for (const ValueId id : inputs)
    stops[id.index()] = 1;
  std::vector<ValueId> open = outputs;
  while (!open.empty()) {
    const ValueId id = open.back();
    open.pop_back();
    if (!id.valid() || std::exchange(needed.values[id.index()], 1)) continue;
    const NodeId producer = graph.value(id).producer;
    if (stops[id.index()] || !producer.valid() || std::exchange(needed.nodes[producer.index()], 1)) continue;
    const Node& node = graph.node(producer);
    open.insert(open.end(), node.inputs.begin(), node.inputs.end());
    open.insert(open.end(), node.implicitInputs.begin(), node.implicitInputs.end());
  }
  return needed;
}

Result<void> checkBorder(const Graph& graph, const std::vector<ValueId>& inputs, const std::vector<ValueId>& outputs,
                         const Needed& needed) {
  for (const ValueId id : outputs) {
    const std::string& name = graph.value(id).name;
    if (!graph.value(id).producer.valid() || std::ranges::find(inputs, id) != inputs.end())
      return refuseValue(name,
                         fmt::format("{} cannot be an output of the part: no node of it makes it", quotedText(name)));
  }
  for (const ValueId id : inputs) {
    const std::string& name = graph.value(id).name;
    if (!needed.values[id.index()])
      return refuseValue(name,
                         fmt::format("the outputs do not need {} (or other listed inputs hide it)", quotedText(name)));
    if (graph.value(id).initializer && !graph.value(id).isInput)
      return refuseValue(name, fmt::format("{} is a constant: the part has it anyway", quotedText(name)));
  }
  return {};
}

void removeRest(Graph& graph, const Needed& needed) {
  for (const NodeId id : graph.nodeIds())
    if (!needed.nodes[id.index()]) graph.removeNode(id);
  for (const ValueId id : graph.valueIds()) {
    const Value& value = graph.value(id);
    if (value.isInput || value.outputCount > 0 || value.producer.valid() || !value.uses.empty()) continue;
    graph.clearInitializer(id);
    graph.removeValue(id);
  }
}

}  // namespace

Result<void> extractPart(ModelEditor& editor, const ModelEdit& edit) {
  if (edit.outputs.empty())
    return fail(ErrorCode::kInvalidArgument, "a part needs at least one value that it ends with");
  CUTAWAY_TRY(std::vector<ValueId> inputs, findAll(editor, edit.names));
  CUTAWAY_TRY(const std::vector<ValueId> outputs, findAll(editor, edit.outputs));
  Graph& graph = editor.model().graph;
  const Needed needed = neededFor(graph, inputs, outputs);
  CUTAWAY_CHECK(checkBorder(graph, inputs, outputs, needed));
  for (const std::vector<ValueId>* list : {&std::as_const(inputs), &outputs})
    for (const ValueId id : *list)
      editor.declareType(0, id);
  for (const ValueId id : inputs)
    if (!graph.value(id).type.known())
      return refuseValue(graph.value(id).name, fmt::format("{} would become an input, and its type is not known",
                                                           quotedText(graph.value(id).name)));
  // Nodes before the given inputs go; then they have no producer. Inputs of the model that are needed beside them
  // follow.
  std::vector<ValueId> kept = inputs;
  for (const ValueId id : graph.inputs())
    if (needed.values[id.index()] && std::ranges::find(inputs, id) == inputs.end()) kept.push_back(id);
  graph.setInputs(kept);
  graph.setOutputs(outputs);
  removeRest(graph, needed);
  editor.relist();
  editor.typesChanged();
  return {};
}

}  // namespace cutaway::edit
