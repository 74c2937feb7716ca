#include "ui/document/model_diff_desk.h"

#include "ui/document/document.h"

namespace cutaway::ui {

ModelDiffDesk::ModelDiffDesk(Document* document) : QObject(document), m_document(document) {}
void ModelDiffDesk::compareWith(Document* other) {
  m_other = other;
  emit changed();
}
void ModelDiffDesk::drop() {
  m_token.cancel();
  m_other = nullptr;
  m_diff.reset();
  m_error.reset();
  m_state = State::kIdle;
  emit changed();
}
NodeTarget ModelDiffDesk::partner(const NodeTarget&, bool) const { return {}; }

}  // namespace cutaway::ui
