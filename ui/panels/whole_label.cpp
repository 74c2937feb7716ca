#include "ui/panels/whole_label.h"

#include <QEvent>

namespace cutaway::ui {

WholeLabel::WholeLabel(QWidget* parent) : QLabel(parent) {
  setWordWrap(true);
}

void WholeLabel::setText(const QString& words) {
  QLabel::setText(words);
  keepWhole();
}

void WholeLabel::keepWhole() {
  const int needed = text().isEmpty() ? 0 : heightForWidth(width());
  if (minimumHeight() != needed) setMinimumHeight(needed);
}

void WholeLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  keepWhole();
}

void WholeLabel::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) keepWhole();
}

}  // namespace cutaway::ui
