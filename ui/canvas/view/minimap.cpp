#include "ui/canvas/view/minimap.h"

#include <algorithm>

#include <QMouseEvent>
#include <QPainter>

namespace cutaway::ui {
namespace {
constexpr double kInset = 6;
constexpr double kNarrowest = 34;  // pixels a graph must keep across and down to be of use
}  // namespace

Minimap::Minimap(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Overview of the graph"));
  setCursor(Qt::PointingHandCursor);
}

void Minimap::follow(GraphView* view) {
  m_view = view;
  connect(view, &GraphView::transformChanged, this, [this] { update(); });
}

void Minimap::refresh() {
  m_picture = {};
  update();
}

QSize Minimap::wantedSize(const QSize& room) const {
  if (!m_view || !m_view->scene() || m_view->scene()->items.empty()) return {};
  const QRectF& bounds = m_view->scene()->bounds;
  const double scale =
      std::min((room.width() - 2 * kInset) / bounds.width(), (room.height() - 2 * kInset) / bounds.height());
  return QSizeF(std::max(kNarrowest, bounds.width() * scale) + 2 * kInset,
                std::max(kNarrowest, bounds.height() * scale) + 2 * kInset)
      .toSize();
}

QPointF Minimap::scales() const {
  const QRectF& bounds = m_view->scene()->bounds;
  return {(width() - 2 * kInset) / bounds.width(), (height() - 2 * kInset) / bounds.height()};
}

void Minimap::drawGraph() {
  const Scene& scene = *m_view->scene();
  const SceneLook& look = m_view->look();
  const double ratio = devicePixelRatioF();
  QImage image(size() * ratio, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  const QPointF scale = scales();
  std::vector<bool> taken(static_cast<size_t>(width()) * height(), false);
  for (size_t i = 0; i < scene.items.size(); ++i) {
    const QRectF& rect = scene.items[i].rect;
    const QRectF place(kInset + (rect.left() - scene.bounds.left()) * scale.x(),
                       kInset + (rect.top() - scene.bounds.top()) * scale.y(), std::max(1.5, rect.width() * scale.x()),
                       std::max(1.5, rect.height() * scale.y()));
    if (place.height() < 2) {
      // Many nodes to a pixel: one of them stands for all.
      const size_t cell =
          static_cast<size_t>(std::clamp(static_cast<int>(place.center().y()), 0, height() - 1)) * width() +
          std::clamp(static_cast<int>(place.center().x()), 0, width() - 1);
      if (taken[cell]) continue;
      taken[cell] = true;
    }
    painter.fillRect(place, look.strong(static_cast<int>(i)));
  }
  painter.end();
  m_picture = QPixmap::fromImage(image);
}

void Minimap::paintEvent(QPaintEvent*) {
  if (!m_view || !m_view->scene() || !m_view->look().theme ||
      m_view->look().share.size() != m_view->scene()->items.size())
    return;
  if (m_picture.isNull()) drawGraph();
  const Theme& theme = *m_view->look().theme;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QColor ground = theme.surface;
  ground.setAlphaF(0.94f);
  painter.setPen(QPen(theme.border, 1));
  painter.setBrush(ground);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 7, 7);
  painter.drawPixmap(0, 0, m_picture);
  const QRectF& bounds = m_view->scene()->bounds;
  const QRectF window = m_view->transform().toScene(QRectF(m_view->rect())).intersected(bounds);
  const QPointF scale = scales();
  QRectF frame(kInset + (window.left() - bounds.left()) * scale.x(), kInset + (window.top() - bounds.top()) * scale.y(),
               window.width() * scale.x(), window.height() * scale.y());
  if (frame.height() < 4) frame.adjust(0, -2, 0, 2);
  QColor soft = theme.accent;
  soft.setAlphaF(0.12f);
  painter.setPen(QPen(theme.accent, 1.5));
  painter.setBrush(soft);
  painter.drawRoundedRect(frame.adjusted(-1, -1, 1, 1).intersected(QRectF(rect()).adjusted(2, 2, -2, -2)), 3, 3);
  drawFlags(painter);
}

// Small flags with the digits of bookmarks, on poles that stand at their places.
void Minimap::drawFlags(QPainter& painter) const {
  constexpr double kPole = 14, kWide = 12, kHigh = 11;
  const Theme& theme = *m_view->look().theme;
  const QRectF& bounds = m_view->scene()->bounds;
  const QPointF scale = scales();
  painter.setFont(interfaceFont(-4, QFont::Bold));
  for (const MinimapFlag& flag : m_flags) {
    QPointF foot(kInset + (flag.point.x() - bounds.left()) * scale.x(),
                 kInset + (flag.point.y() - bounds.top()) * scale.y());
    foot.setX(std::clamp(foot.x(), 2.0, std::max(2.0, width() - kWide - 2)));
    foot.setY(std::clamp(foot.y(), kPole + 1, std::max(kPole + 1, height() - 2.0)));
    painter.setPen(QPen(theme.text, 1.2));
    painter.drawLine(foot, foot - QPointF(0, kPole));
    const QRectF cloth(foot.x(), foot.y() - kPole, kWide, kHigh);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    painter.drawRect(cloth);
    painter.setPen(theme.surface);
    painter.drawText(cloth, Qt::AlignCenter, QString::number(flag.digit));
  }
}

void Minimap::moveView(const QPointF& position) {
  if (!m_view || !m_view->scene()) return;
  const QRectF& bounds = m_view->scene()->bounds;
  const QPointF scale = scales();
  const QPointF point(bounds.left() + (position.x() - kInset) / scale.x(),
                      bounds.top() + (position.y() - kInset) / scale.y());
  ViewTransform t = m_view->transform();
  t.centreOn(point, m_view->size());
  m_view->setTransform(t);
}

void Minimap::mousePressEvent(QMouseEvent* event) {
  moveView(event->position());
}
void Minimap::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons()) moveView(event->position());
}

}  // namespace cutaway::ui
