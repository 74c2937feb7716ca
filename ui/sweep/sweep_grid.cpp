#include "ui/sweep/sweep_grid.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include "ui/base/comfort.h"
#include "ui/base/theme_store.h"

namespace cutaway::ui {
namespace {

constexpr int kCellWidth = 132, kCellHeight = 26, kWidestHead = 300, kMargin = 7;
constexpr double kLeastZoom = 0.15, kMostZoom = 2, kZoomStep = 1.2;
constexpr int kLeastTextHeight = 15;  // lower cells are colours alone, and their tips say the words
constexpr int kClickSlack = 4;

int roundedUp(double number) {
  return std::max(2, static_cast<int>(std::lround(number)));
}

}  // namespace

SweepGrid::SweepGrid(const ThemeStore* themes, QWidget* parent) : QAbstractScrollArea(parent), m_themes(themes) {
  setObjectName(QStringLiteral("sweepGrid"));
  setAccessibleName(tr("Models and configurations"));
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  viewport()->setMouseTracking(true);
  connect(themes, &ThemeStore::changed, this, [this] {
    measure();
    viewport()->update();
  });
}

void SweepGrid::present(QStringList rows, QStringList columns, std::vector<SweepFace> faces) {
  const bool isSame = rows.size() == m_rows.size() && columns.size() == m_columns.size();
  m_rows = std::move(rows);
  m_columns = std::move(columns);
  m_faces = std::move(faces);
  if (!isSame) m_row = m_column = -1;
  measure();
  viewport()->update();
}

const SweepFace& SweepGrid::face(int row, int column) const {
  return m_faces[static_cast<size_t>(row) * static_cast<size_t>(m_columns.size()) + static_cast<size_t>(column)];
}

QString SweepGrid::wordsAt(int row, int column) const {
  return face(row, column).words;
}

// Heads keep their size, whatever size cells have: names are what one looks for.
void SweepGrid::measure() {
  const QFontMetrics metrics(interfaceFont(-1));
  int widest = scaled(80);
  for (const QString& row : m_rows)
    widest = std::max(widest, metrics.horizontalAdvance(row) + 2 * kMargin);
  m_head = {std::min({widest, scaled(kWidestHead), std::max(scaled(80), viewport()->width() / 2)}),
            scaled(kCellHeight)};
  m_cell = {roundedUp(scaled(kCellWidth) * m_zoom), roundedUp(scaled(kCellHeight) * m_zoom)};
  const QSize page = viewport()->size() - m_head;
  horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(m_columns.size()) * m_cell.width() - page.width()));
  verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(m_rows.size()) * m_cell.height() - page.height()));
  horizontalScrollBar()->setPageStep(std::max(1, page.width()));
  verticalScrollBar()->setPageStep(std::max(1, page.height()));
  horizontalScrollBar()->setSingleStep(m_cell.width() / 2 + 1);
  verticalScrollBar()->setSingleStep(m_cell.height());
}

QRect SweepGrid::cellRect(int row, int column) const {
  return {QPoint(m_head.width() + column * m_cell.width() - horizontalScrollBar()->value(),
                 m_head.height() + row * m_cell.height() - verticalScrollBar()->value()),
          m_cell};
}

QPoint SweepGrid::cellAt(const QPoint& point) const {
  if (point.x() < m_head.width() || point.y() < m_head.height()) return {-1, -1};
  const int column = (point.x() - m_head.width() + horizontalScrollBar()->value()) / m_cell.width();
  const int row = (point.y() - m_head.height() + verticalScrollBar()->value()) / m_cell.height();
  return row < m_rows.size() && column < m_columns.size() ? QPoint(column, row) : QPoint(-1, -1);
}

void SweepGrid::choose(int row, int column) {
  if (row < 0 || column < 0 || row >= m_rows.size() || column >= m_columns.size()) return;
  m_row = row;
  m_column = column;
  setAccessibleDescription(QStringLiteral("%1, %2: %3").arg(m_rows[row], m_columns[column], face(row, column).words));
  ensureInSight();
  viewport()->update();
  emit chosen(row, column);
}

void SweepGrid::ensureInSight() {
  const QRect cell = cellRect(m_row, m_column);
  const QRect sight(m_head.width(), m_head.height(), viewport()->width() - m_head.width(),
                    viewport()->height() - m_head.height());
  const auto move = [](QScrollBar* bar, int low, int high, int first, int last) {
    if (high > last) bar->setValue(bar->value() + high - last);
    if (low < first) bar->setValue(bar->value() + low - first);
  };
  move(horizontalScrollBar(), cell.left(), cell.right(), sight.left(), sight.right());
  move(verticalScrollBar(), cell.top(), cell.bottom(), sight.top(), sight.bottom());
}

void SweepGrid::setZoom(double zoom) {
  m_zoom = std::clamp(zoom, kLeastZoom, kMostZoom);
  measure();
  if (m_row >= 0) ensureInSight();
  viewport()->update();
}

// sight: columns and rows that are to be seen, the last ones included.
void SweepGrid::paintCells(QPainter& painter, const QRect& sight) const {
  const Theme& theme = m_themes->current();
  const bool withWords = m_cell.height() >= kLeastTextHeight;
  const QFont font = interfaceFont(m_cell.height() < scaled(22) ? -3 : -1);
  const QFontMetrics metrics(font);
  painter.setFont(font);
  for (int row = sight.top(); row <= sight.bottom(); ++row) {
    for (int column = sight.left(); column <= sight.right(); ++column) {
      const SweepFace& cell = face(row, column);
      if (cell.isEmpty) continue;
      const QRect place =
          cellRect(row, column).adjusted(0, 0, m_cell.width() > 8 ? -1 : 0, m_cell.height() > 8 ? -1 : 0);
      const QColor fill = cell.fill.isValid() ? cell.fill : theme.raised;
      painter.fillRect(place, fill);
      if (!withWords || cell.words.isEmpty()) continue;
      painter.setPen(cell.fill.isValid() ? theme.textOn(fill) : theme.text);
      const int room = place.width() - 2 * kMargin;
      const QString words = metrics.horizontalAdvance(cell.words) <= room
                                ? cell.words
                                : metrics.elidedText(cell.words, Qt::ElideRight, room);
      painter.drawText(
          QPoint(place.left() + kMargin, place.top() + (place.height() + metrics.ascent() - metrics.descent()) / 2),
          words);
    }
  }
  if (m_row < 0) return;
  painter.setPen(QPen(theme.accent, 2));
  painter.drawRect(cellRect(m_row, m_column).adjusted(1, 1, -2, -2));
}

void SweepGrid::paintHeads(QPainter& painter, const QRect& sight) const {
  const Theme& theme = m_themes->current();
  painter.setFont(interfaceFont(-1));
  const QFontMetrics metrics = painter.fontMetrics();
  const QRect across(m_head.width(), 0, viewport()->width() - m_head.width(), m_head.height());
  const QRect down(0, m_head.height(), m_head.width(), viewport()->height() - m_head.height());
  painter.fillRect(QRect(0, 0, viewport()->width(), m_head.height()), theme.surface);
  painter.fillRect(down, theme.surface);
  painter.setPen(theme.textSecondary);
  painter.setClipRect(across);
  // Names of narrow columns would cover each other: every so many of them is written.
  const int stride = std::max(1, static_cast<int>(std::ceil(scaled(56) / static_cast<double>(m_cell.width()))));
  for (int column = sight.left() - sight.left() % stride; column <= sight.right(); column += stride) {
    const QRect place(cellRect(0, column).left(), 0, m_cell.width() * stride, m_head.height());
    painter.drawText(place.adjusted(kMargin, 0, -kMargin, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(m_columns[column], Qt::ElideMiddle, place.width() - 2 * kMargin));
  }
  painter.setPen(theme.text);
  painter.setClipRect(down);
  const int every = std::max(1, static_cast<int>(std::ceil(metrics.height() / static_cast<double>(m_cell.height()))));
  for (int row = sight.top() - sight.top() % every; row <= sight.bottom(); row += every) {
    const QRect place(0, cellRect(row, 0).top(), m_head.width(), m_cell.height() * every);
    painter.drawText(place.adjusted(kMargin, 0, -kMargin, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(m_rows[row], Qt::ElideLeft, place.width() - 2 * kMargin));
  }
  painter.setClipping(false);
  painter.setPen(theme.border);
  painter.drawLine(0, m_head.height() - 1, viewport()->width(), m_head.height() - 1);
  painter.drawLine(m_head.width() - 1, 0, m_head.width() - 1, viewport()->height());
}

void SweepGrid::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  const Theme& theme = m_themes->current();
  painter.fillRect(viewport()->rect(), theme.window);
  if (m_faces.empty()) return;
  const int left = horizontalScrollBar()->value() / m_cell.width(),
            top = verticalScrollBar()->value() / m_cell.height();
  const int right = (horizontalScrollBar()->value() + viewport()->width() - m_head.width()) / m_cell.width();
  const int bottom = (verticalScrollBar()->value() + viewport()->height() - m_head.height()) / m_cell.height();
  const QRect sight(QPoint(left, top), QPoint(std::min(right, static_cast<int>(m_columns.size()) - 1),
                                              std::min(bottom, static_cast<int>(m_rows.size()) - 1)));
  paintCells(painter, sight);
  paintHeads(painter, sight);
  if (!hasFocus()) return;
  painter.setPen(QPen(theme.accent, 1));
  painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
}

void SweepGrid::resizeEvent(QResizeEvent*) {
  measure();
}

void SweepGrid::scrollContentsBy(int, int) {
  viewport()->update();
}

void SweepGrid::wheelEvent(QWheelEvent* event) {
  if (!(event->modifiers() & Qt::ControlModifier)) return QAbstractScrollArea::wheelEvent(event);
  if (event->angleDelta().y() != 0) setZoom(m_zoom * (event->angleDelta().y() > 0 ? kZoomStep : 1 / kZoomStep));
  event->accept();
}

void SweepGrid::mousePressEvent(QMouseEvent* event) {
  m_pressed = event->pos();
  m_scrolled = {horizontalScrollBar()->value(), verticalScrollBar()->value()};
  m_dragging = false;
}

void SweepGrid::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & (Qt::LeftButton | Qt::MiddleButton))) return;
  const QPoint by = event->pos() - m_pressed;
  if (!m_dragging && by.manhattanLength() <= kClickSlack) return;
  m_dragging = true;
  viewport()->setCursor(Qt::ClosedHandCursor);
  horizontalScrollBar()->setValue(m_scrolled.x() - by.x());
  verticalScrollBar()->setValue(m_scrolled.y() - by.y());
}

void SweepGrid::mouseReleaseEvent(QMouseEvent* event) {
  viewport()->unsetCursor();
  if (m_dragging || event->button() != Qt::LeftButton) return;
  const QPoint cell = cellAt(event->pos());
  choose(cell.y(), cell.x());
}

void SweepGrid::mouseDoubleClickEvent(QMouseEvent* event) {
  const QPoint cell = cellAt(event->pos());
  if (event->button() == Qt::LeftButton && cell.y() >= 0) emit opened(cell.y(), cell.x());
}

void SweepGrid::keyPressEvent(QKeyEvent* event) {
  const int row = std::max(0, m_row), column = std::max(0, m_column);
  const int page = std::max(1, (viewport()->height() - m_head.height()) / m_cell.height() - 1);
  const int lastRow = static_cast<int>(m_rows.size()) - 1, lastColumn = static_cast<int>(m_columns.size()) - 1;
  switch (event->key()) {
    case Qt::Key_Left:
      return choose(row, std::max(0, column - 1));
    case Qt::Key_Right:
      return choose(row, std::min(lastColumn, column + 1));
    case Qt::Key_Up:
      return choose(std::max(0, row - 1), column);
    case Qt::Key_Down:
      return choose(std::min(lastRow, m_row < 0 ? 0 : row + 1), column);
    case Qt::Key_PageUp:
      return choose(std::max(0, row - page), column);
    case Qt::Key_PageDown:
      return choose(std::min(lastRow, row + page), column);
    case Qt::Key_Home:
      return choose(event->modifiers() & Qt::ControlModifier ? 0 : row, 0);
    case Qt::Key_End:
      return choose(event->modifiers() & Qt::ControlModifier ? lastRow : row, lastColumn);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_row >= 0) emit opened(m_row, m_column);
      return;
    case Qt::Key_Plus:
      return setZoom(m_zoom * kZoomStep);
    case Qt::Key_Minus:
      return setZoom(m_zoom / kZoomStep);
    case Qt::Key_0:
      return setZoom(1);
    default:
      return QAbstractScrollArea::keyPressEvent(event);
  }
}

bool SweepGrid::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QPoint cell = cellAt(help->pos());
  const bool isCell = cell.y() >= 0 && !face(cell.y(), cell.x()).isEmpty;
  QToolTip::showText(
      help->globalPos(),
      isCell ? QStringLiteral("%1\n%2\n%3").arg(m_rows[cell.y()], m_columns[cell.x()], wordsAt(cell.y(), cell.x()))
             : QString());
  return true;
}

}  // namespace cutaway::ui
