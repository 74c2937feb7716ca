#include "ui/canvas/line_painter.h"

#include <algorithm>
#include <cmath>

namespace cutaway::ui {
namespace {

constexpr int kMostLines = 20'000;  // lines of a window that are drawn at all while only blocks are
constexpr double kArrow = 5;
constexpr double kBundleWidth = 2.4;

void paintThinLines(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window, double scale) {
  if (scale < 0.02 || scene.segmentGrid.countEstimate(window) > kMostLines) return;
  QVector<QLineF> lines;
  scene.segmentGrid.visit(window,
                          [&](int i) { lines.append(QLineF(scene.segments[i].start(), scene.segments[i].end())); });
  painter.setPen(QPen(mix(look.theme->canvas, look.theme->borderStrong, 0.6), 0));
  painter.drawLines(lines);
}

}  // namespace

void addSegment(QPainterPath& path, const SegmentCurve& curve, bool straight) {
  path.moveTo(curve.start);
  const QPointF way = curve.end - curve.start;
  if (straight || std::abs(way.x()) < 0.5 || std::abs(way.y()) < 0.5) {
    path.lineTo(curve.end);
  } else {
    path.cubicTo(curve.control1, curve.control2, curve.end);
  }
}

void addArrow(QPainterPath& path, const QPointF& tip, FlowDirection direction, double size) {
  const QPointF back = direction == FlowDirection::kDown ? QPointF(0, -size * 1.5) : QPointF(-size * 1.5, 0);
  const QPointF side = direction == FlowDirection::kDown ? QPointF(size * 0.75, 0) : QPointF(0, size * 0.75);
  path.moveTo(tip);
  path.lineTo(tip + back - side);
  path.lineTo(tip + back + side);
  path.closeSubpath();
}

void paintLines(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window, double scale,
                Detail detail) {
  const Theme& theme = *look.theme;
  if (detail == Detail::kBlocks) return paintThinLines(painter, scene, look, window, scale);
  QPainterPath solid, bundled, loose, arrows;
  scene.segmentGrid.visit(window, [&](int i) {
    const SceneSegment& segment = scene.segments[i];
    const bool bundle = scene.nets[segment.net].bundle >= 0;
    addSegment(segment.loose ? loose
               : bundle      ? bundled
                             : solid,
               curveOf(segment, scene.direction), detail == Detail::kShapes);
    if (segment.arrow() && detail != Detail::kShapes) addArrow(arrows, segment.end(), scene.direction, kArrow);
  });
  const double width = detail == Detail::kShapes ? 0 : 1.3;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.borderStrong, width));
  painter.drawPath(solid);
  if (!bundled.isEmpty()) {
    painter.setPen(QPen(theme.borderStrong, detail == Detail::kShapes ? 2 / scale : kBundleWidth));
    painter.drawPath(bundled);
  }
  if (!loose.isEmpty()) {
    painter.setPen(QPen(mix(theme.canvas, theme.borderStrong, 0.55), width, Qt::DashLine));
    painter.drawPath(loose);
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.borderStrong);
  painter.drawPath(arrows);
}

void paintChosenLines(QPainter& painter, const Scene& scene, const std::vector<int>& nets, const QColor& color,
                      double width, const QRectF& window, double scale) {
  const double pixel = 1 / scale;
  QPainterPath lines, arrows;
  for (const int n : nets) {
    const SceneNet& net = scene.nets[n];
    for (int s = net.firstSegment; s < net.firstSegment + net.segmentCount; ++s) {
      const SceneSegment& segment = scene.segments[s];
      const double reach = 8 * std::max(1.0, pixel);
      if (!QRectF(segment.start(), segment.end())
               .normalized()
               .adjusted(-reach, -reach, reach, reach)
               .intersects(window))
        continue;
      addSegment(lines, curveOf(segment, scene.direction), scale < 0.42);
      if (segment.arrow()) addArrow(arrows, segment.end(), scene.direction, (kArrow + 1) * std::max(1.0, pixel * 0.8));
    }
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(color, width * std::max(pixel, 1.0), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawPath(lines);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawPath(arrows);
}

}  // namespace cutaway::ui
