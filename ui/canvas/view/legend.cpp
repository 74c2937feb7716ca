#include "ui/canvas/view/legend.h"

#include <QEvent>
#include <QPainter>

#include "ui/canvas/legend_painter.h"

namespace cutaway::ui {

Legend::Legend(QWidget* canvas) : QWidget(canvas) {
  setObjectName(QStringLiteral("canvas/legend"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  canvas->installEventFilter(this);
}

void Legend::present(const Overlay* overlay, const Theme* theme) {
  m_overlay = overlay;
  m_theme = theme;
  place();
  setVisible(!size().isEmpty());
  update();
}

void Legend::place() {
  if (!m_overlay) return;
  const QSize canvas = parentWidget()->size();
  const QSize room = canvas - QSize(2 * kFloatingMargin, 2 * kFloatingMargin);
  const QSizeF whole = legendSize(*m_overlay);
  m_marksAlone = isLowCanvas(canvas) || whole.height() > room.height() || whole.width() > room.width();
  // Only a tool tip needs the pointer; what is done with the mouse goes on to the canvas.
  setAttribute(Qt::WA_TransparentForMouseEvents, !m_marksAlone);
  setToolTip(m_marksAlone ? legendWords(*m_overlay) : QString());
  const QSize size = (m_marksAlone ? legendMarksSize(*m_overlay, room.width()) : whole).toSize();
  setGeometry(leastCovered(size, canvas, kLegendCorners, m_covered));
}

void Legend::paintEvent(QPaintEvent*) {
  if (!m_overlay) return;
  QPainter painter(this);
  m_marksAlone ? paintLegendMarks(painter, *m_overlay, *m_theme, width()) : paintLegend(painter, *m_overlay, *m_theme);
}

void Legend::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) place();
}

bool Legend::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Resize) place();
  return QWidget::eventFilter(object, event);
}

}  // namespace cutaway::ui
