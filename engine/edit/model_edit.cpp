#include "engine/edit/model_edit.h"

namespace cutaway {

const char* editKindName(EditKind) { return ""; }
std::string describe(const ModelEdit&, const Model&) { return {}; }
Result<Model> applyEdits(const Model& model, std::span<const ModelEdit> edits) {
  if (edits.empty()) return model;
  return fail(ErrorCode::kNotImplemented, "edits are not built yet");
}
Result<void> checkEdit(const Model&, const ModelEdit&) { return fail(ErrorCode::kNotImplemented, "edits are not built yet"); }
std::string editsToJson(std::span<const ModelEdit>) { return "{}"; }
Result<std::vector<ModelEdit>> editsFromJson(std::string_view) { return std::vector<ModelEdit>(); }

}  // namespace cutaway
