#include "ui/canvas/scene.h"

#include <algorithm>
#include <cmath>

namespace cutaway::ui {

int Scene::itemAt(const QPointF& point) const {
  int found = -1;
  itemGrid.visit(QRectF(point, point), [&](int i) {
    if (items[i].rect.contains(point)) found = i;
  });
  return found;
}

int Scene::boxAt(const QPointF& point) const {
  for (size_t i = boxes.size(); i-- > 0;) {
    const QRectF& rect = boxes[i].rect;
    if (QRectF(rect.left(), rect.top(), rect.width(), kBoxHeader).contains(point)) return static_cast<int>(i);
  }
  return -1;
}

SegmentCurve curveOf(const SceneSegment& segment) {
  const QPointF start = segment.start(), end = segment.end();
  const double bend = segment.dy > 0 ? segment.dy * 0.5 : std::max(40.0, std::abs(segment.dy) * 0.25f + 0.0);
  return {start, start + QPointF(0, bend), end - QPointF(0, bend), end};
}

int Scene::netAt(const QPointF& point, double tolerance) const {
  const QRectF window(point.x() - tolerance, point.y() - tolerance, 2 * tolerance, 2 * tolerance);
  int best = -1;
  double nearest = tolerance;
  segmentGrid.visit(window, [&](int i) {
    const SegmentCurve curve = curveOf(segments[i]);
    constexpr int kSteps = 12;
    for (int step = 0; step <= kSteps; ++step) {
      const double t = static_cast<double>(step) / kSteps, u = 1 - t;
      const QPointF on = curve.start * (u * u * u) + curve.control1 * (3 * u * u * t) + curve.control2 * (3 * u * t * t) + curve.end * (t * t * t);
      const double distance = std::hypot(on.x() - point.x(), std::max(0.0, std::abs(on.y() - point.y()) - std::abs(segments[i].dy) / (2.0 * kSteps)));
      if (distance < nearest) {
        nearest = distance;
        best = segments[i].net;
      }
    }
  });
  return best;
}

std::vector<int> Scene::nodesOf(int item) const {
  if (item < 0 || item >= static_cast<int>(items.size())) return {};
  if (items[item].kind == ItemKind::kNode) return {items[item].index};
  std::vector<int> nodes;
  if (items[item].kind == ItemKind::kFolded)
    for (size_t n = 0; n < itemOfNode.size(); ++n)
      if (itemOfNode[n] == item) nodes.push_back(static_cast<int>(n));
  return nodes;
}

}  // namespace cutaway::ui
