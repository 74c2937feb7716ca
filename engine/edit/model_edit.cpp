// The list of edits: kinds and their functions, applied one after the other to a copy; what they are called.
#include "engine/edit/model_edit.h"

#include <array>

#include "engine/base/node_name.h"
#include "engine/base/quote.h"
#include "engine/edit/model_editor.h"

namespace cutaway::edit {
namespace {

struct EditRow {
  const char* name;
  ApplyEdit apply;
};
constexpr std::array kRows = {
    EditRow{"rename value", renameValue},
    EditRow{"set element type", setElementType},
    EditRow{"set shape", setShape},
    EditRow{"set dimension", setDim},
    EditRow{"rename node", renameNode},
    EditRow{"delete node", deleteNode},
    EditRow{"bypass node", bypassNode},
    EditRow{"set attribute", setAttribute},
    EditRow{"remove attribute", removeAttribute},
    EditRow{"add output", addOutput},
    EditRow{"remove output", removeOutput},
    EditRow{"extract", extractPart},
    EditRow{"set metadata", setMetadata},
    EditRow{"remove metadata", removeMetadata},
    EditRow{"set producer", setProducer},
    EditRow{"set documentation", setDocumentation},
};

const EditRow* rowOf(EditKind kind) {
  return static_cast<size_t>(kind) < kRows.size() ? &kRows[static_cast<size_t>(kind)] : nullptr;
}

std::string nodeText(const ModelEdit& edit, const Model& model) {
  if (edit.origin < 0 || edit.origin >= static_cast<int32_t>(model.origins.size()))
    return fmt::format("node {}", edit.origin);
  const Origin& origin = model.origins[static_cast<size_t>(edit.origin)];
  return origin.name.empty() ? nodeName("", origin.opType, static_cast<size_t>(edit.origin))
                             : fmt::format("{} '{}'", origin.opType, origin.name);
}

std::string listText(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += fmt::format("{}'{}'", text.empty() ? "" : ", ", name);
  return text;
}

// After "cannot": descriptions that are no deeds get one.
std::string deed(const ModelEdit& edit, const Model& model) {
  switch (edit.kind) {
    case EditKind::kSetElementType:
    case EditKind::kSetShape:
    case EditKind::kSetDim:
    case EditKind::kSetAttribute:
    case EditKind::kSetMetadata:
    case EditKind::kSetProducer:
    case EditKind::kSetDocumentation:
      return fmt::format("set {}", describe(edit, model));
    case EditKind::kAddOutput:
      return fmt::format("make '{}' an output", edit.name);
    case EditKind::kRemoveOutput:
      return fmt::format("take '{}' from the outputs", edit.name);
    default:
      return describe(edit, model);
  }
}

std::string bracketed(const std::string& shape) {
  return shape.empty() || shape.front() == '[' ? (shape.empty() ? "unknown" : shape) : "[" + shape + "]";
}

}  // namespace

const char* editKindName(EditKind kind) {
  const EditRow* row = rowOf(kind);
  return row == nullptr ? "unknown edit" : row->name;
}

std::string describe(const ModelEdit& edit, const Model& model) {
  switch (edit.kind) {
    case EditKind::kRenameValue:
      return fmt::format("rename '{}' to '{}'", edit.name, edit.text);
    case EditKind::kSetElementType:
      return fmt::format("type of '{}' = {}", edit.name, edit.text);
    case EditKind::kSetShape:
      return fmt::format("shape of '{}' = {}", edit.name, bracketed(edit.text));
    case EditKind::kSetDim:
      return fmt::format("dimension {} = {}", edit.name, edit.text);
    case EditKind::kRenameNode:
      return fmt::format("rename {} to '{}'", nodeText(edit, model), edit.text);
    case EditKind::kDeleteNode:
      return fmt::format("delete {}", nodeText(edit, model));
    case EditKind::kBypassNode:
      return fmt::format("bypass {}", nodeText(edit, model));
    case EditKind::kSetAttribute:
      return fmt::format("{} of {} = {}", edit.name, nodeText(edit, model), edit.text);
    case EditKind::kRemoveAttribute:
      return fmt::format("remove {} of {}", edit.name, nodeText(edit, model));
    case EditKind::kAddOutput:
      return fmt::format("output '{}' too", edit.name);
    case EditKind::kRemoveOutput:
      return fmt::format("no output '{}'", edit.name);
    case EditKind::kExtract:
      return edit.names.empty() ? fmt::format("extract what {} needs", listText(edit.outputs))
                                : fmt::format("extract from {} to {}", listText(edit.names), listText(edit.outputs));
    case EditKind::kSetMetadata:
      return fmt::format("metadata {} = {}", edit.name, edit.text);
    case EditKind::kRemoveMetadata:
      return fmt::format("remove metadata {}", edit.name);
    case EditKind::kSetProducer:
      return fmt::format("producer = {}", edit.text);
    case EditKind::kSetDocumentation:
      return "documentation";
  }
  return editKindName(edit.kind);
}

Result<Model> applyEdits(const Model& model, std::span<const ModelEdit> edits) {
  Model edited = model;
  if (edits.empty()) return edited;
  ModelEditor editor(edited);
  for (size_t i = 0; i < edits.size(); ++i) {
    const EditRow* row = rowOf(edits[i].kind);
    if (row == nullptr)
      return fail(ErrorCode::kInvalidArgument, "edit {}: unknown kind of edit {}", i + 1,
                  static_cast<int>(edits[i].kind));
    Result<void> done = row->apply(editor, edits[i]);
    if (done) continue;
    Error error = std::move(done).error();
    error.message = edits.size() == 1
                        ? fmt::format("cannot {}: {}", deed(edits[i], model), error.message)
                        : fmt::format("edit {} ({}): {}", i + 1, describe(edits[i], model), error.message);
    return fail(std::move(error));
  }
  return edited;
}

Result<void> checkEdit(const Model& model, const ModelEdit& edit) {
  CUTAWAY_TRY(const Model edited, applyEdits(model, std::span(&edit, 1)));
  return {};
}

}  // namespace cutaway::edit
