#pragma once
// Scene units to pixels and back: pure arithmetic of panning and zooming.
//
// Thread rule: plain values.
// Example: ViewTransform t = ViewTransform::fit(scene->bounds, viewport);  t.zoomAt(pointer, 1.2);

#include <algorithm>

#include <QPointF>
#include <QRectF>
#include <QSizeF>

namespace cutaway::ui {

struct ViewTransform {
  double scale = 1;
  QPointF offset;  // pixel of the scene's origin

  static constexpr double kLargest = 4;

  QPointF toScreen(const QPointF& scene) const { return scene * scale + offset; }
  QPointF toScene(const QPointF& screen) const { return (screen - offset) / scale; }
  QRectF toScene(const QRectF& screen) const { return {toScene(screen.topLeft()), screen.size() / scale}; }
  QRectF toScreen(const QRectF& scene) const { return {toScreen(scene.topLeft()), scene.size() * scale}; }

  // Keeps the point under the pointer where it is. `smallest` is the scale that must stay reachable.
  void zoomAt(const QPointF& screen, double factor, double smallest) {
    const QPointF anchor = toScene(screen);
    scale = std::clamp(scale * factor, std::min(smallest, 1.0), kLargest);
    offset = screen - anchor * scale;
  }

  void centreOn(const QPointF& scene, const QSizeF& viewport) {
    offset = QPointF(viewport.width() / 2, viewport.height() / 2) - scene * scale;
  }

  // Never lets the scene leave the window: at least `margin` pixels of it stay in sight.
  void keepInSight(const QRectF& bounds, const QSizeF& viewport, double margin = 60) {
    const QRectF shown = toScreen(bounds);
    if (shown.right() < margin) offset.rx() += margin - shown.right();
    if (shown.bottom() < margin) offset.ry() += margin - shown.bottom();
    if (shown.left() > viewport.width() - margin) offset.rx() -= shown.left() - viewport.width() + margin;
    if (shown.top() > viewport.height() - margin) offset.ry() -= shown.top() - viewport.height() + margin;
  }

  // A scene larger than the window fills it, a smaller one is seen whole: no empty half above what has more to show
  // below.
  void leaveNoVoid(const QRectF& bounds, const QSizeF& viewport) {
    const QRectF shown = toScreen(bounds);
    offset.rx() += shift(shown.left(), shown.width(), viewport.width());
    offset.ry() += shift(shown.top(), shown.height(), viewport.height());
  }
  static double shift(double from, double size, double room) {
    return std::clamp(from, std::min(0.0, room - size), std::max(0.0, room - size)) - from;
  }

  static double fitScale(const QRectF& bounds, const QSizeF& viewport) {
    if (bounds.isEmpty() || viewport.isEmpty()) return 1;
    return std::min({viewport.width() / bounds.width(), viewport.height() / bounds.height(), 1.0});
  }
  static ViewTransform fit(const QRectF& bounds, const QSizeF& viewport) {
    ViewTransform t;
    t.scale = fitScale(bounds, viewport);
    t.centreOn(bounds.center(), viewport);
    return t;
  }
  // Where a model is first shown: all of it when that can be read, else its beginning at a readable scale.
  static ViewTransform first(const QRectF& bounds, const QSizeF& viewport, double readable = 0.7) {
    ViewTransform t = fit(bounds, viewport);
    if (t.scale >= readable) return t;
    t.scale = std::clamp(viewport.width() / std::max(1.0, bounds.width()), readable, 1.0);
    t.offset = QPointF(viewport.width() / 2 - bounds.center().x() * t.scale, -bounds.top() * t.scale);
    return t;
  }
};

}  // namespace cutaway::ui
