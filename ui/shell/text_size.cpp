#include "ui/shell/text_size.h"

#include <QApplication>
#include <QWidget>

#include "ui/base/comfort.h"
#include "ui/base/theme.h"

namespace cutaway::ui {

void showTextSize(int percent) {
  const int before = textScale();
  setTextScale(percent > 0 ? percent : 100);  // nonsense in the settings
  if (before == textScale()) return QApplication::setFont(interfaceFont());
  // Widgets under a style sheet keep the font they were polished with: the sheet is taken off meanwhile.
  const QString sheet = qApp->styleSheet();
  qApp->setStyleSheet({});
  QApplication::setFont(interfaceFont());
  for (QWidget* widget : QApplication::allWidgets()) {
    QFont font = widget->font();
    if (!widget->testAttribute(Qt::WA_SetFont) || font.pixelSize() <= 0) continue;
    font.setPixelSize(qRound(font.pixelSize() * static_cast<double>(textScale()) / before));
    widget->setFont(font);
  }
  qApp->setStyleSheet(sheet);
}

}  // namespace cutaway::ui
