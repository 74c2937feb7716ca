#pragma once
// Edits of a model for inspection, as plain values: applied one after the other to a model as loaded, so that undo is
// leaving the last one out.
//
// Nodes are named by their origin (index into LoadReport::origins), which survives every edit; values by name and graph
// index (0: main graph). Thread rule: pure. Example:
//   std::vector<ModelEdit> edits = {{.kind = EditKind::kBypassNode, .origin = 12}, {.kind = EditKind::kSetShape, .name
//   = "input", .text = "1,3,224,224"}}; CUTAWAY_TRY(Model edited, applyEdits(model, edits));

#include <span>
#include <string>
#include <vector>

#include "engine/graph/model.h"

namespace cutaway::edit {

enum class EditKind : uint8_t {
  kRenameValue,     // name -> text, wherever it is read
  kSetElementType,  // of an input or output: text "float16"
  kSetShape,        // of an input or output: text "batch,3,224,224"; empty parts are unknown
  kSetDim,          // every dimension called name becomes text (a number or another name)
  kRenameNode,      // origin -> text
  kDeleteNode,      // origin; who read its outputs reads graph inputs of their types, and outputs nobody makes any more
                    // leave the graph
  kBypassNode,      // origin; readers of its first output read its first input of the same type
  kSetAttribute,    // origin, name = text in the notation of AttributeReport::text, of the attribute's present kind
  kRemoveAttribute,  // origin, name
  kAddOutput,        // value name becomes a graph output too
  kRemoveOutput,     // value name is no graph output any more
  kExtract,          // names: values the part begins with; outputs: values it ends with
  kSetMetadata,      // name = text, in metadata_props
  kRemoveMetadata,   // name
  kSetProducer,      // text
  kSetDocumentation  // text
};
const char* editKindName(EditKind kind);  // "rename value", "set shape" ...

struct ModelEdit {
  EditKind kind = EditKind::kRenameValue;
  int32_t graph = 0;
  int32_t origin = -1;
  std::string name;
  std::string text;
  std::vector<std::string> names;
  std::vector<std::string> outputs;
  bool operator==(const ModelEdit&) const = default;
};

// "bypass Relu 'relu_3'", "shape of 'input' = [1,3,224,224]": for lists and undo.
std::string describe(const ModelEdit& edit, const Model& model);

// INVALID_ARGUMENT naming the edit, node and value: it is not there, the name is taken, nothing would be left, a bypass
// whose types differ, no type or shape of that form; the model stays as it was.
Result<Model> applyEdits(const Model& model, std::span<const ModelEdit> edits);
// Whether one more edit would be possible; cheaper than applying all.
Result<void> checkEdit(const Model& model, const ModelEdit& edit);

// {"edits": [...]}: what session files keep and `cutaway-cli edit --edits FILE` reads. INVALID_ARGUMENT with the place.
std::string editsToJson(std::span<const ModelEdit> edits);
Result<std::vector<ModelEdit>> editsFromJson(std::string_view json);

}  // namespace cutaway::edit
