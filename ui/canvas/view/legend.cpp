#include "ui/canvas/view/legend.h"

#include <limits>

#include <QEvent>
#include <QPainter>

#include "ui/canvas/legend_painter.h"

namespace cutaway::ui {
namespace {
constexpr int kMargin = 12;
}  // namespace

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
  const QSize room = parentWidget()->size() - QSize(2 * kMargin, 2 * kMargin);
  const QSizeF whole = legendSize(*m_overlay);
  m_marksAlone = whole.height() > room.height() || whole.width() > room.width();
  const QSize size = (m_marksAlone ? legendMarksSize(*m_overlay) : whole).toSize();
  // The lower right corner is the minimap's.
  const int right = parentWidget()->width() - size.width() - kMargin;
  const int bottom = parentWidget()->height() - size.height() - kMargin;
  double least = std::numeric_limits<double>::infinity();
  for (const QPoint corner : {QPoint(kMargin, bottom), QPoint(kMargin, kMargin), QPoint(right, kMargin)}) {
    const QRect place(corner, size);
    const double covered = m_covered ? m_covered(place) : 0;
    if (covered >= least) continue;
    least = covered;
    setGeometry(place);
  }
}

void Legend::paintEvent(QPaintEvent*) {
  if (!m_overlay) return;
  QPainter painter(this);
  m_marksAlone ? paintLegendMarks(painter, *m_overlay, *m_theme) : paintLegend(painter, *m_overlay, *m_theme);
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
