#include "ui/canvas/view/graph_view.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QEasingCurve>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include "engine/base/clock.h"
#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/canvas/card_painter.h"
#include "ui/canvas/scene_graph.h"
#include "ui/canvas/scene_painter.h"
#include "ui/canvas/scene_tips.h"
#include "ui/canvas/view/graph_accessible.h"

namespace cutaway::ui {
namespace {
constexpr qint64 kTileBudgetNs = 6'000'000;
constexpr int kDirectItems = 700;  // up to here a frame is painted afresh
constexpr int kDirectSegments = 2500;
constexpr double kZoomStep = 1.2;
constexpr double kReadableScale = 0.8;  // of cards with all their words
constexpr double kClickSlack = 4;       // pixels the pointer may move within a click
constexpr double kLinePick = 6;
constexpr double kLineHoverScale = 0.42;  // smaller: lines lie too close to point at one
constexpr int kFrameMs = 12;
constexpr double kMorphMs = 220;
constexpr size_t kMostMorphed = 12'000;   // items that are matched
constexpr int kMostMorphedInSight = 900;  // items, and lines in fours, that a frame may move
constexpr double kFoldSign = 24;          // pixels of a title bar that fold its body

int boxOf(const Scene& scene, int scope) {
  const auto box = std::find_if(scene.boxes.begin(), scene.boxes.end(),
                                [scope](const SceneBox& other) { return other.scope == scope; });
  return box == scene.boxes.end() ? -1 : static_cast<int>(box - scene.boxes.begin());
}
}  // namespace

GraphView::GraphView(QWidget* parent) : QWidget(parent) {
  GraphAccessible::install();
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Graph"));
  setMinimumSize(200, 120);
  m_frames.setInterval(kFrameMs);
  connect(&m_frames, &QTimer::timeout, this, qOverload<>(&QWidget::update));
}

void GraphView::setScene(std::shared_ptr<const Scene> scene, const std::optional<QPointF>& morphShift) {
  const bool known = m_scene && m_look.theme && m_look.share.size() == m_scene->items.size();
  m_morph.reset();
  m_frames.stop();
  if (morphShift && m_motion && known && scene && isVisible() &&
      std::max(scene->items.size(), m_scene->items.size()) <= kMostMorphed) {
    m_morph = std::make_unique<SceneMorph>(m_scene, scene, *morphShift);
    m_lookBefore = m_look;
    m_morphClock.invalidate();
  }
  m_scene = std::move(scene);
  m_look = {};
  m_tiles.clear();
  m_still = {};
  update();
}

void GraphView::setLook(SceneLook look) {
  m_look = std::move(look);
  m_tiles.clear();
  m_still = {};
  update();
}

void GraphView::setTheme(const Theme& theme) {
  m_look.theme = &theme;
  m_tiles.clear();
  m_still = {};
  update();
}

void GraphView::setHighlights(const SceneLook& look) {
  m_look.selected = look.selected;
  m_look.neighbours = look.neighbours;
  m_look.nets = look.nets;
  m_look.hits = look.hits;
  m_look.currentHit = look.currentHit;
  GraphAccessible::selectionChanged(this);
  update();
}

void GraphView::setPlayed(std::vector<Played> played) {
  if (played.empty() && m_look.played.empty()) return;
  m_look.played = std::move(played);
  update();
}

double GraphView::smallestScale() const {
  return m_scene ? ViewTransform::fitScale(m_scene->bounds, size()) * 0.8 : 0.1;
}

void GraphView::changeTransform(const ViewTransform& transform, Placed placed) {
  m_placed = placed;
  m_transform = transform;
  if (m_scene) m_transform.keepInSight(m_scene->bounds, size());
  // Whole pixels: tiles and text stay sharp while panning.
  m_transform.offset = QPointF(std::round(m_transform.offset.x()), std::round(m_transform.offset.y()));
  emit transformChanged();
  update();
}

void GraphView::setTransform(const ViewTransform& transform) {
  changeTransform(transform);
}

void GraphView::fit() {
  if (!m_scene) return;
  changeTransform(ViewTransform::fit(m_scene->bounds, size()), Placed::kWhole);
  emit fitted();
}

// Larger text is a larger picture: what would be shown in a smaller window, enlarged.
void GraphView::showStart() {
  if (!m_scene) return;
  const double enlarged = textScale() / 100.0;
  ViewTransform start = ViewTransform::first(m_scene->bounds, QSizeF(size()) / enlarged);
  start.scale *= enlarged;
  start.offset *= enlarged;
  // What does not fit begins at the left where it stands in columns, and elsewhere in its middle.
  if (!m_scene->items.empty()) {
    const auto input = std::ranges::find(m_scene->items, ItemKind::kInput, &SceneItem::kind);
    const QRectF begin = input != m_scene->items.end() ? input->rect : m_scene->items.front().rect;
    if (const QRectF seen = start.toScreen(begin); seen.left() < 0 || seen.right() > width()) {
      start.offset.rx() = -m_scene->bounds.left() * start.scale;
      if (start.toScreen(begin).right() > width()) start.offset.rx() = width() / 2.0 - begin.center().x() * start.scale;
    }
  }
  changeTransform(start, Placed::kStart);
}

void GraphView::zoom(double factor) {
  ViewTransform t = m_transform;
  t.zoomAt(QPointF(width() / 2.0, height() / 2.0), factor, smallestScale());
  changeTransform(t);
}

void GraphView::zoomTo(double scale) {
  zoom(scale / m_transform.scale);
}

void GraphView::reveal(const QRectF& rect) {
  if (!m_scene) return;
  const QRectF shown = m_transform.toScreen(rect);
  const QRectF inside = QRectF(this->rect()).adjusted(24, 24, -24, -24);
  if (inside.contains(shown)) return;
  ViewTransform t = m_transform;
  t.scale = std::max(t.scale, std::min(0.7, ViewTransform::kLargest));
  t.centreOn(rect.center(), size());
  t.leaveNoVoid(m_scene->bounds, size());
  changeTransform(t);
}

void GraphView::showReadable(const QRectF& rect) {
  if (!m_scene) return;
  if (m_transform.scale >= kReadableScale) return reveal(rect);
  ViewTransform t = m_transform;
  t.scale = kReadableScale;
  t.centreOn(rect.center(), size());
  t.leaveNoVoid(m_scene->bounds, size());
  changeTransform(t);
}

bool GraphView::needsTiles(const QRectF& window) const {
  return m_scene->itemGrid.countEstimate(window) > kDirectItems ||
         m_scene->segmentGrid.countEstimate(window) > kDirectSegments;
}

// While one pans, every frame is painted straight away; once the view stands, what does not change is kept, so that
// pointing and selecting cost a copy.
void GraphView::paintStill(QPainter& painter, const QRectF& window) {
  const double ratio = painter.device()->devicePixelRatioF();
  const bool same = m_still.transform.scale == m_transform.scale && m_still.transform.offset == m_transform.offset;
  if (same && !m_still.image.isNull() && m_still.image.size() == size() * ratio)
    return painter.drawImage(0, 0, m_still.image);
  const auto paint = [&](QPainter& on) {
    on.save();
    on.translate(m_transform.offset);
    on.scale(m_transform.scale, m_transform.scale);
    paintScene(on, *m_scene, m_look, window, m_transform.scale);
    on.restore();
  };
  const bool keep = same && m_still.wanted;
  m_still = {{}, m_transform, true};
  if (!keep) return paint(painter);
  m_still.image = QImage(size() * ratio, QImage::Format_RGB32);
  m_still.image.setDevicePixelRatio(ratio);
  m_still.image.fill(m_look.theme->canvas);
  QPainter still(&m_still.image);
  still.setFont(painter.font());
  paint(still);
  still.end();
  painter.drawImage(0, 0, m_still.image);
}

// False: there is nothing on the way, or too much for a frame.
bool GraphView::paintMorphFrame(QPainter& painter, const QRectF& window) {
  if (!m_morph) return false;
  if (!m_morphClock.isValid()) {
    m_morphClock.start();
    m_frames.start();
  }
  const double time = static_cast<double>(m_morphClock.elapsed()) / kMorphMs;
  if (time >= 1 || morphCost(*m_morph, window) > kMostMorphedInSight) {
    m_morph.reset();
    m_frames.stop();
    m_lookBefore = {};
    return false;
  }
  static const QEasingCurve easing(QEasingCurve::InOutCubic);
  paintMorph(painter, *m_morph, m_lookBefore, m_look, window, m_transform.scale, easing.valueForProgress(time));
  return true;
}

void GraphView::paintEvent(QPaintEvent*) {
  const Stopwatch watch;
  QPainter painter(this);
  painter.fillRect(rect(), m_look.theme ? m_look.theme->canvas : palette().color(QPalette::Window));
  if (!m_scene || !m_look.theme || m_look.share.size() != m_scene->items.size()) return;
  const QRectF window = m_transform.toScene(QRectF(rect()));
  m_complete = true;
  painter.save();
  painter.translate(m_transform.offset);
  painter.scale(m_transform.scale, m_transform.scale);
  const bool morphed = paintMorphFrame(painter, window);
  painter.restore();
  if (morphed) {
    painter.end();
    m_lastFrameNs = watch.elapsedNs();
    emit framePainted();
    return;
  }
  if (needsTiles(window)) {
    m_complete = m_tiles.paint(painter, m_transform, size(), *m_scene, m_look, kTileBudgetNs);
    if (!m_complete) QMetaObject::invokeMethod(this, [this] { update(); }, Qt::QueuedConnection);
  }
  if (!needsTiles(window)) paintStill(painter, window);
  painter.translate(m_transform.offset);
  painter.scale(m_transform.scale, m_transform.scale);
  paintHighlights(painter, *m_scene, m_look, window, m_transform.scale);
  painter.end();
  m_lastFrameNs = watch.elapsedNs();
  emit framePainted();
}

void GraphView::resizeEvent(QResizeEvent* event) {
  // What was in the middle stays in the middle.
  if (event->oldSize().isValid()) {
    m_transform.offset += QPointF((event->size().width() - event->oldSize().width()) / 2,
                                  (event->size().height() - event->oldSize().height()) / 2);
    emit transformChanged();
  }
}

void GraphView::wheelEvent(QWheelEvent* event) {
  const bool zooms = m_wheelZooms != event->modifiers().testFlag(Qt::ControlModifier);
  ViewTransform t = m_transform;
  if (zooms) {
    t.zoomAt(event->position(), std::pow(kZoomStep, event->angleDelta().y() / 120.0), smallestScale());
  } else {
    QPointF by = event->pixelDelta().isNull() ? QPointF(event->angleDelta()) * 0.8 : QPointF(event->pixelDelta());
    if (event->modifiers().testFlag(Qt::ShiftModifier) && by.x() == 0) by = QPointF(by.y(), 0);
    t.offset += by;
  }
  changeTransform(t);
  event->accept();
}

void GraphView::mousePressEvent(QMouseEvent* event) {
  m_pressed = m_last = event->position();
  m_moved = false;
  const bool onItem = m_scene && m_scene->itemAt(m_transform.toScene(event->position())) >= 0;
  m_panning = event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && (m_spaceDown || !onItem));
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF by = event->position() - m_last;
  if ((event->position() - m_pressed).manhattanLength() > kClickSlack)
    m_moved = m_moved || event->buttons() != Qt::NoButton;
  if (m_panning && event->buttons() != Qt::NoButton && m_moved) {
    setCursor(Qt::ClosedHandCursor);
    m_spaceDragged = m_spaceDown;
    ViewTransform t = m_transform;
    t.offset += by;
    changeTransform(t);
  } else if (event->buttons() == Qt::NoButton) {
    hover(event->position());
  }
  m_last = event->position();
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
  const bool clicked = !m_moved && event->button() == Qt::LeftButton && !m_spaceDown;
  m_panning = false;
  setCursor(Qt::ArrowCursor);
  if (!clicked || !m_scene) return;
  const QPointF point = m_transform.toScene(event->position());
  if (const int item = m_scene->itemAt(point); item >= 0) {
    const SceneItem& shown = m_scene->items[item];
    if (shown.kind == ItemKind::kHeader && point.x() < shown.rect.left() + kFoldSign)
      return emit boxFolded(boxOf(*m_scene, shown.scope));
    if (shown.kind == ItemKind::kNode && hasBody(m_scene->nodeOf(shown)) && m_transform.scale >= kLineHoverScale &&
        bodySign(shown.rect).contains(point))
      return emit bodyToggled(item);
    emit itemClicked(item, event->modifiers());
  } else if (const int box = m_scene->boxAt(point); box >= 0) {
    emit boxFolded(box);
  } else if (const int net = m_scene->netAt(point, kLinePick / m_transform.scale);
             net >= 0 && m_transform.scale > 0.14) {
    emit netClicked(net);
  } else {
    emit emptyClicked();
  }
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
  const int item = m_scene ? m_scene->itemAt(m_transform.toScene(event->position())) : -1;
  if (item >= 0 && event->button() == Qt::LeftButton) emit itemActivated(item);
}

void GraphView::contextMenuEvent(QContextMenuEvent* event) {
  if (!m_scene) return;
  if (event->reason() == QContextMenuEvent::Keyboard) return emit menuRequested(-1, mapToGlobal(rect().center()));
  const int item = m_scene->itemAt(m_transform.toScene(QPointF(event->pos())));
  if (item >= 0) emit menuRequested(item, event->globalPos());
}

void GraphView::leaveEvent(QEvent*) {
  hover({-1, -1});
}

void GraphView::hover(const QPointF& position) {
  const bool inside = m_scene && rect().contains(position.toPoint());
  const QPointF point = m_transform.toScene(position);
  const int item = inside ? m_scene->itemAt(point) : -1;
  setCursor(item >= 0 || (inside && m_transform.scale > 0.3 && m_scene->boxAt(point) >= 0) ? Qt::PointingHandCursor
                                                                                           : Qt::ArrowCursor);
  const bool near = inside && item < 0 && m_transform.scale >= kLineHoverScale && !m_panning;
  hoverNet(near ? m_scene->netAt(point, kLinePick / m_transform.scale) : -1);
  if (item == m_look.hovered) return;
  m_look.hovered = item;
  update();
}

void GraphView::hoverNet(int net) {
  if (net == m_look.hoveredNet) return;
  m_look.hoveredNet = net;
  if (net >= 0) setCursor(Qt::PointingHandCursor);
  update();
}

void GraphView::keyPressEvent(QKeyEvent* event) {
  const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
  if (event->key() == Qt::Key_Space) {
    if (!event->isAutoRepeat()) m_spaceDown = true, m_spaceDragged = false;
  } else if (shift && event->key() == Qt::Key_Up) {
    zoom(kZoomStep);
  } else if (shift && event->key() == Qt::Key_Down) {
    zoom(1 / kZoomStep);
  } else if (shift && event->key() == Qt::Key_Backspace) {
    zoomTo(1);
  } else {
    QWidget::keyPressEvent(event);
  }
}

void GraphView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space || event->isAutoRepeat()) return QWidget::keyReleaseEvent(event);
  m_spaceDown = false;
  if (!m_spaceDragged) fit();
}

bool GraphView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int item = m_scene ? m_scene->itemAt(m_transform.toScene(QPointF(help->pos()))) : -1;
    const QString tip = item >= 0                ? itemTip(*m_scene, m_look, item)
                        : m_look.hoveredNet >= 0 ? netTip(*m_scene, m_look.hoveredNet)
                                                 : QString();
    if (tip.isEmpty()) {
      QToolTip::hideText();
    } else {
      QToolTip::showText(help->globalPos(), tip, this);
    }
    return true;
  }
  return QWidget::event(event);
}

}  // namespace cutaway::ui
