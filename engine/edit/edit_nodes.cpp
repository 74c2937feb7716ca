// Edits of nodes: names, taking them out, attributes.
#include <algorithm>

#include "engine/base/quote.h"
#include "engine/edit/edit_text.h"
#include "engine/edit/model_editor.h"
#include "engine/graph/attribute_text.h"
#include "engine/graph/patch.h"
#include "engine/schema/schema.h"

namespace cutaway::edit {
namespace {

// Weights that only the deleted node read would be left behind in the file.
void dropUnused(Graph& graph, const std::vector<ValueId>& inputs) {
  for (const ValueId id : inputs) {
    if (!id.valid()) continue;
    const Value& value = graph.value(id);
    if (value.removed || !value.initializer || value.isInput || value.outputCount > 0 || !value.uses.empty()) continue;
    graph.clearInitializer(id);  // first, so that its pages, which others may map, are left alone
    graph.removeValue(id);
  }
}

bool fixedBorder(const ModelEditor& editor, int32_t graph) {
  return graph != 0 || editor.graphs()[static_cast<size_t>(graph)].isFunction;
}

// Nothing known says that they differ.
bool sameType(const ValueType& a, const ValueType& b) {
  if (!a.known() || !b.known()) return true;
  if (a.kind != b.kind || a.element != b.element || a.key != b.key) return false;
  if (!a.shape || !b.shape) return true;
  if (a.shape->rank() != b.shape->rank()) return false;
  for (size_t axis = 0; axis < a.shape->rank(); ++axis)
    if ((*a.shape)[axis].isKnown() && (*b.shape)[axis].isKnown() &&
        (*a.shape)[axis].value() != (*b.shape)[axis].value())
      return false;
  return true;
}

const SchemaAttribute* schemaAttribute(const ModelEditor& editor, const Model& model, const NodePlaceIn& place,
                                       const std::string& name) {
  const Node& node = place.graph->node(place.id);
  const int64_t opset = node.opsetVersion > 0 ? node.opsetVersion : importedVersion(model.opsets, node.domain);
  const OperatorSchema* schema = editor.graphs()[static_cast<size_t>(place.index)].isFunction
                                     ? nullptr
                                     : findSchema(node.opType, node.domain, opset);
  if (schema == nullptr) return nullptr;
  const auto found = std::ranges::find(schema->attributes, name, &SchemaAttribute::name);
  return found == schema->attributes.end() ? nullptr : &*found;
}

}  // namespace

Result<void> renameNode(ModelEditor& editor, const ModelEdit& edit) {
  CUTAWAY_TRY(const NodePlaceIn place, editor.node(edit.origin));
  Node& node = place.graph->mutableNode(place.id);
  if (node.name == edit.text) return {};
  auto& names = editor.nodeNames(place.index);
  if (!edit.text.empty() && names[edit.text] > 0)
    return refuseNode(place, fmt::format("another node of this graph is called {}", quotedText(edit.text)));
  --names[node.name];
  ++names[edit.text];
  node.name = edit.text;
  return {};
}

Result<void> deleteNode(ModelEditor& editor, const ModelEdit& edit) {
  CUTAWAY_TRY(const NodePlaceIn place, editor.node(edit.origin));
  Graph& graph = *place.graph;
  const Node node = graph.node(place.id);
  if (graph.nodeCount() == 1) return refuseNode(place, "it is the only node of its graph: nothing would be left");
  std::vector<ValueId> wanted;  // outputs that become inputs
  for (const ValueId output : node.outputs) {
    if (!output.valid()) continue;
    const Value& value = graph.value(output);
    if (fixedBorder(editor, place.index) && (!value.uses.empty() || value.outputCount > 0)) {
      return refuseNode(place, fmt::format("{} is still needed, and the caller of a body or function sets its inputs "
                                           "and outputs: bypass the node instead",
                                           quotedText(value.name)));
    }
    if (value.uses.empty()) continue;
    editor.declareType(place.index, output);
    if (!graph.value(output).type.known())
      return refuseNode(place,
                        fmt::format("{} would become an input, and its type is not known", quotedText(value.name)));
    wanted.push_back(output);
  }
  std::vector<ValueId> outputs(graph.outputs().begin(), graph.outputs().end());
  std::erase_if(outputs, [&](ValueId id) { return graph.value(id).producer == place.id; });
  if (outputs.empty()) return refuseNode(place, "no output would be left");
  graph.setOutputs(outputs);
  --editor.nodeNames(place.index)[node.name];
  graph.removeNode(place.id);
  for (const ValueId output : node.outputs)
    if (output.valid()) graph.removeValue(output);  // only where nobody needs it
  for (const ValueId output : wanted) {
    std::vector<ValueId> inputs(graph.inputs().begin(), graph.inputs().end());
    inputs.push_back(output);
    graph.setInputs(inputs);
  }
  dropUnused(graph, node.inputs);
  dropUnused(graph, node.implicitInputs);
  if (node.hasBodies()) editor.relist();
  return {};
}

Result<void> bypassNode(ModelEditor& editor, const ModelEdit& edit) {
  CUTAWAY_TRY(const NodePlaceIn place, editor.node(edit.origin));
  Graph& graph = *place.graph;
  const Node node = graph.node(place.id);
  if (node.outputs.empty() || !node.outputs.front().valid())
    return refuseNode(place, "it has no first output to bypass");
  const ValueId out = node.outputs.front();
  const ValueType outType = editor.typeOf(place.index, out);
  ValueId in;
  bool hasInput = false;
  for (const ValueId input : node.inputs) {
    if (!input.valid()) continue;
    hasInput = true;
    if (!sameType(editor.typeOf(place.index, input), outType)) continue;
    in = input;
    break;
  }
  if (!hasInput) return refuseNode(place, "it has no input that could take the place of its output");
  if (!in.valid()) return refuseNode(place, fmt::format("no input has the type of its output, {}", toText(outType)));
  editor.declareType(place.index, out);
  GraphPatch patch{.note = "bypass"};
  patch.removeNodes = {place.id};
  patch.replaceValues = {{out, in}};
  const std::string name = node.name;
  const Result<PatchResult> done = applyPatch(graph, std::move(patch), "bypass");
  if (!done) return refuseNode(place, done.error().message);
  --editor.nodeNames(place.index)[name];
  editor.typesChanged();
  if (node.hasBodies()) editor.relist();
  return {};
}

Result<void> setAttribute(ModelEditor& editor, const ModelEdit& edit) {
  CUTAWAY_TRY(const NodePlaceIn place, editor.node(edit.origin));
  const Attribute* present = place.graph->node(place.id).findAttribute(edit.name);
  std::string kind;
  if (present != nullptr) {
    if (edit.text == attributeText(*present)) return {};  // long values are shortened in texts: the whole one stays
    kind = attributeKindName(present->value);
  } else if (const SchemaAttribute* known = schemaAttribute(editor, editor.model(), place, edit.name)) {
    kind = known->kind;
  } else {
    return refuseNode(place, fmt::format("it has no attribute {}, and its operator knows none", quotedText(edit.name)));
  }
  Result<AttributeValue> value = readAttribute(kind, edit.text);
  if (!value) return refuseNode(place, fmt::format("attribute {}: {}", quotedText(edit.name), value.error().message));
  place.graph->mutableNode(place.id).setAttribute(edit.name, *std::move(value));
  editor.typesChanged();
  return {};
}

Result<void> removeAttribute(ModelEditor& editor, const ModelEdit& edit) {
  CUTAWAY_TRY(const NodePlaceIn place, editor.node(edit.origin));
  Node& node = place.graph->mutableNode(place.id);
  const Attribute* present = node.findAttribute(edit.name);
  if (present == nullptr) return refuseNode(place, fmt::format("it has no attribute {}", quotedText(edit.name)));
  const bool isBody =
      std::holds_alternative<GraphBox>(present->value) || std::holds_alternative<std::vector<GraphBox>>(present->value);
  const SchemaAttribute* known = schemaAttribute(editor, editor.model(), place, edit.name);
  if (isBody || (known != nullptr && known->required))
    return refuseNode(place, fmt::format("attribute {} is required", quotedText(edit.name)));
  std::erase_if(node.attributes, [&](const Attribute& each) { return each.name == edit.name; });
  editor.typesChanged();
  return {};
}

}  // namespace cutaway::edit
