#include "ui/document/accuracy_desk.h"

#include "ui/document/document.h"

namespace cutaway::ui {

AccuracyDesk::AccuracyDesk(Document* document) : QObject(document), m_document(document) {}
bool AccuracyDesk::can() const { return false; }
void AccuracyDesk::compare(const AccuracyWish&) {}
void AccuracyDesk::stopped() {
  m_busy = false;
  emit changed();
}
void AccuracyDesk::drop() {
  m_busy = false;
  m_report.reset();
  m_error.reset();
  emit changed();
}

}  // namespace cutaway::ui
