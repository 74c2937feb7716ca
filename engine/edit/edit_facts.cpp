// Edits of what a model says of itself.
#include "engine/base/quote.h"
#include "engine/edit/model_editor.h"

namespace cutaway::edit {

Result<void> setMetadata(ModelEditor& editor, const ModelEdit& edit) {
  if (edit.name.empty()) return fail(ErrorCode::kInvalidArgument, "metadata needs a key");
  editor.model().metadata[edit.name] = edit.text;
  return {};
}

Result<void> removeMetadata(ModelEditor& editor, const ModelEdit& edit) {
  if (editor.model().metadata.erase(edit.name) == 0)
    return fail(ErrorCode::kInvalidArgument, "the model has no metadata called {}", quotedText(edit.name));
  return {};
}

Result<void> setProducer(ModelEditor& editor, const ModelEdit& edit) {
  editor.model().producerName = edit.text;
  return {};
}

Result<void> setDocumentation(ModelEditor& editor, const ModelEdit& edit) {
  editor.model().documentation = edit.text;
  return {};
}

}  // namespace cutaway::edit
