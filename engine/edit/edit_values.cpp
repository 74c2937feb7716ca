// Edits of values: names, types, shapes, dimensions, what is an output.
#include <algorithm>

#include "engine/base/quote.h"
#include "engine/edit/edit_text.h"
#include "engine/edit/model_editor.h"

namespace cutaway::edit {
namespace {

std::string noun(const Value& value) {
  return value.isInput ? "input" : "output";
}

// Inputs and outputs of graphs whose types a file declares.
Result<ValueId> borderValue(ModelEditor& editor, const ModelEdit& edit) {
  CUTAWAY_TRY(const EditableGraph at, editor.graph(edit.graph));
  CUTAWAY_TRY(const ValueId id, editor.value(edit.graph, edit.name));
  const Value& value = at.graph->value(id);
  if (at.isFunction)
    return refuseValue(edit.name, "the values of a function have no types of their own: they take those of each call");
  if (!value.isInput && value.outputCount == 0)
    return refuseValue(
        edit.name,
        fmt::format("{} is neither an input nor an output of its graph: its type follows from the node that makes it",
                    quotedText(edit.name)));
  if (value.type.known() && !value.type.isTensor())
    return refuseValue(edit.name, fmt::format("{} is {}, not a tensor", quotedText(edit.name), toText(value.type)));
  return id;
}

bool agrees(const Shape& shape, const Dims& dims) {
  if (shape.rank() != dims.size()) return false;
  for (size_t axis = 0; axis < dims.size(); ++axis)
    if (shape[axis].isKnown() && shape[axis].value() != dims[axis]) return false;
  return true;
}

// Every dimension of a type, inner types too; true when one was changed.
bool setDims(ValueType& type, const std::string& name, const Dim& dim, int depth = 0) {
  bool changed = false;
  if (type.shape) {
    for (Dim& each : type.shape->mutableDims()) {
      if (!each.isSymbol() || each.symbol() != name) continue;
      each = dim;
      changed = true;
    }
  }
  if (!type.inner || depth > 16) return changed;
  ValueType inner = *type.inner;
  if (!setDims(inner, name, dim, depth + 1)) return changed;
  type.inner = std::make_shared<const ValueType>(std::move(inner));
  return true;
}

Result<ValueId> mainValue(ModelEditor& editor, const ModelEdit& edit) {
  if (edit.graph != 0)
    return refuseValue(
        edit.name,
        "only the main graph's outputs can be chosen: those of bodies and functions are set by their callers");
  return editor.value(0, edit.name);
}

}  // namespace

Result<void> renameValue(ModelEditor& editor, const ModelEdit& edit) {
  CUTAWAY_TRY(const ValueId id, editor.value(edit.graph, edit.name));
  if (edit.text.empty()) return refuseValue(edit.name, "a value needs a name");
  if (edit.text == edit.name) return {};
  if (editor.nameTaken(edit.graph, edit.text))
    return refuseValue(edit.name,
                       fmt::format("the name {} is taken by another value in this graph, around it or inside it",
                                   quotedText(edit.text)));
  editor.graphs()[static_cast<size_t>(edit.graph)].graph->renameValue(id, edit.text);
  editor.typesChanged();
  return {};
}

Result<void> setElementType(ModelEditor& editor, const ModelEdit& edit) {
  CUTAWAY_TRY(const ValueId id, borderValue(editor, edit));
  const std::optional<ElementType> type = elementTypeFromName(edit.text);
  if (!type || *type == ElementType::kUndefined)
    return refuseValue(edit.name,
                       fmt::format("{} is no element type; float, float16, int64, uint8, bool and string are some",
                                   quotedText(edit.text)));
  Value& value = editor.graphs()[static_cast<size_t>(edit.graph)].graph->mutableValue(id);
  if (value.initializer && value.initializer->type() != *type) {
    return refuseValue(edit.name, fmt::format("the {} has a value of type {} in the file: it cannot be {}", noun(value),
                                              elementTypeName(value.initializer->type()), edit.text));
  }
  if (!value.type.isTensor()) value.type = ValueType::tensor(*type, std::nullopt);
  value.type.element = *type;
  editor.typesChanged();
  return {};
}

Result<void> setShape(ModelEditor& editor, const ModelEdit& edit) {
  CUTAWAY_TRY(const ValueId id, borderValue(editor, edit));
  Result<std::optional<Shape>> shape = readShape(edit.text);
  if (!shape) return refuseValue(edit.name, shape.error().message);
  Value& value = editor.graphs()[static_cast<size_t>(edit.graph)].graph->mutableValue(id);
  if (value.initializer && *shape && !agrees(**shape, value.initializer->dims())) {
    return refuseValue(edit.name, fmt::format("the {} has a value of shape {} in the file: it cannot be {}",
                                              noun(value), dimsToText(value.initializer->dims()), toText(**shape)));
  }
  if (!value.type.isTensor()) return refuseValue(edit.name, "the type is not known: set the element type first");
  value.type.shape = *std::move(shape);
  editor.typesChanged();
  return {};
}

Result<void> setDim(ModelEditor& editor, const ModelEdit& edit) {
  if (edit.name.empty()) return fail(ErrorCode::kInvalidArgument, "which dimension? It needs a name, such as batch");
  CUTAWAY_TRY(const Dim dim, readDim(edit.text));
  bool found = false;
  for (const EditableGraph& each : editor.graphs()) {
    for (size_t i = 0; i < each.graph->valueSlots(); ++i) {
      Value& value = each.graph->mutableValue(ValueId{i});
      if (!value.removed && setDims(value.type, edit.name, dim)) found = true;
    }
  }
  if (!found)
    return fail(ErrorCode::kInvalidArgument, "no declared shape has a dimension called {}", quotedText(edit.name));
  editor.typesChanged();
  return {};
}

Result<void> addOutput(ModelEditor& editor, const ModelEdit& edit) {
  CUTAWAY_TRY(const ValueId id, mainValue(editor, edit));
  Graph& graph = editor.model().graph;
  const Value& value = graph.value(id);
  if (value.outputCount > 0)
    return refuseValue(edit.name, fmt::format("{} is an output already", quotedText(edit.name)));
  if (!value.producer.valid())
    return refuseValue(edit.name, fmt::format("{} is {}: no node makes it", quotedText(edit.name),
                                              value.initializer ? "a constant" : "an input"));
  editor.declareType(0, id);
  graph.addOutput(id);
  return {};
}

Result<void> removeOutput(ModelEditor& editor, const ModelEdit& edit) {
  CUTAWAY_TRY(const ValueId id, mainValue(editor, edit));
  Graph& graph = editor.model().graph;
  if (graph.value(id).outputCount == 0)
    return refuseValue(edit.name, fmt::format("{} is no output", quotedText(edit.name)));
  std::vector<ValueId> left(graph.outputs().begin(), graph.outputs().end());
  std::erase(left, id);
  if (left.empty())
    return refuseValue(edit.name, fmt::format("{} is the only output: a model needs one", quotedText(edit.name)));
  graph.setOutputs(left);
  return {};
}

}  // namespace cutaway::edit
