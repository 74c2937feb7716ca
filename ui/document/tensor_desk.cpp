#include "ui/document/tensor_desk.h"

#include "ui/document/document.h"

namespace cutaway::ui {

TensorDesk::TensorDesk(Document* document) : QObject(document), m_document(document) {}
TensorDesk::~TensorDesk() { m_token.cancel(); }

TensorDesk::Way TensorDesk::wayTo(const ValueTarget&) const { return Way::kNone; }
QString TensorDesk::whyNot(const ValueTarget&) const { return {}; }
void TensorDesk::fetch(const ValueTarget& value) {
  m_value = value;
  emit changed();
}
void TensorDesk::cancel() { m_token.cancel(); }
void TensorDesk::drop() {
  cancel();
  m_content.reset();
  m_error.reset();
  m_state = State::kIdle;
  emit changed();
}
void TensorDesk::end(quint64, Result<std::shared_ptr<const TensorContent>>) {}

}  // namespace cutaway::ui
