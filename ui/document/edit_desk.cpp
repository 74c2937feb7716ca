#include "ui/document/edit_desk.h"

#include "ui/document/document.h"

namespace cutaway::ui {

EditDesk::EditDesk(Document* document) : QObject(document), m_document(document) {}

bool EditDesk::can() const { return false; }
void EditDesk::add(const ModelEdit&) {}
void EditDesk::undo() {}
void EditDesk::redo() {}
void EditDesk::set(std::vector<ModelEdit> edits) {
  m_done = std::move(edits);
  apply();
}
void EditDesk::save(const QString&, bool) {}
void EditDesk::drop() {
  m_done.clear();
  m_undone.clear();
  m_saved.clear();
  m_error.reset();
  m_savedFile.clear();
  emit changed();
}
void EditDesk::apply() { emit changed(); }

}  // namespace cutaway::ui
