#include "ui/shell/text_size.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QVariant>
#include <QWidget>

#include "ui/base/comfort.h"
#include "ui/base/theme.h"

namespace cutaway::ui {
namespace {
// Where Qt's style sheets keep the font that a widget had when they first dressed it, and that they give back to it
// every time they dress it anew.
constexpr const char* kFontBeforeSheet = "_q_styleSheetWidgetFont";

// Rows of tables, and fields whose width is fixed, had a size for the text before.
void growWithText(QWidget* widget, double times) {
  if (auto* header = qobject_cast<QHeaderView*>(widget); header && header->orientation() == Qt::Vertical)
    header->setDefaultSectionSize(qRound(header->defaultSectionSize() * times));
  const bool isField = qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QComboBox*>(widget);
  if (isField && widget->minimumWidth() == widget->maximumWidth())
    widget->setFixedWidth(qRound(widget->minimumWidth() * times));
}

// Qt tells windows of it when they come to their events. What is put into them before that would take over, and keep
// under a style sheet, the font that they had.
void setApplicationFont() {
  QApplication::setFont(interfaceFont());
  for (QWidget* window : QApplication::topLevelWidgets())
    if (!window->testAttribute(Qt::WA_SetFont)) window->setFont(QFont());
}
}  // namespace

void showTextSize(int percent) {
  const int before = textScale();
  setTextScale(percent > 0 ? percent : 100);  // nonsense in the settings
  if (before == textScale()) {
    // Every widget would look for its font again.
    if (QApplication::font() != interfaceFont()) setApplicationFont();
    return;
  }
  // Widgets under a style sheet keep the font they were polished with: the sheet is taken off meanwhile.
  const QString sheet = qApp->styleSheet();
  qApp->setStyleSheet({});
  setApplicationFont();
  const double times = static_cast<double>(textScale()) / before;
  for (QWidget* widget : QApplication::allWidgets()) {
    widget->setProperty(kFontBeforeSheet, QVariant());
    growWithText(widget, times);
    QFont font = widget->font();
    if (!widget->testAttribute(Qt::WA_SetFont) || font.pixelSize() <= 0) continue;
    font.setPixelSize(qRound(font.pixelSize() * times));
    widget->setFont(font);
  }
  qApp->setStyleSheet(sheet);
}

}  // namespace cutaway::ui
