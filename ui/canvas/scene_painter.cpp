#include "ui/canvas/scene_painter.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/base/format.h"
#include "ui/canvas/card_painter.h"
#include "ui/canvas/scene_measure.h"

namespace cutaway::ui {
namespace {

constexpr int kManyItems = 2500;      // above: blocks that fall on the same pixel are drawn once
constexpr int kMostLines = 20'000;    // lines of a window that are drawn at all while only blocks are
constexpr double kArrow = 5;

// Which pixels of a window were drawn on already, two by two.
class Coverage {
 public:
  Coverage(const QRectF& window, double scale)
      : m_origin(window.topLeft()), m_scale(scale / 2), m_width(std::max(1, static_cast<int>(window.width() * m_scale) + 2)), m_height(std::max(1, static_cast<int>(window.height() * m_scale) + 2)),
        m_taken(static_cast<size_t>(m_width) * m_height, false) {}
  bool take(const QPointF& point) {
    const int x = std::clamp(static_cast<int>((point.x() - m_origin.x()) * m_scale), 0, m_width - 1);
    const int y = std::clamp(static_cast<int>((point.y() - m_origin.y()) * m_scale), 0, m_height - 1);
    const size_t cell = static_cast<size_t>(y) * m_width + x;
    const bool first = !m_taken[cell];
    m_taken[cell] = true;
    return first;
  }

 private:
  QPointF m_origin;
  double m_scale;
  int m_width, m_height;
  std::vector<bool> m_taken;
};

void paintBoxes(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window, double scale) {
  const Theme& theme = *look.theme;
  const QFont font = cardTextFont();
  for (const SceneBox& box : scene.boxes) {
    if (!box.rect.intersects(window) || box.rect.height() * scale < 3) continue;
    const Scope& scope = scene.scopes->scopes[box.scope];
    QColor fill = scope.depth % 2 ? mix(theme.canvas, theme.borderStrong, 0.10) : mix(theme.canvas, theme.borderStrong, 0.04);
    painter.setPen(QPen(theme.border, 1 / std::min(scale, 1.0)));
    painter.setBrush(fill);
    painter.drawRoundedRect(box.rect.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    if (scale < 0.55) continue;
    painter.setFont(font);
    painter.setPen(theme.textSecondary);
    const QRectF title(box.rect.left() + 10, box.rect.top() + 2, box.rect.width() - 20, kBoxHeader);
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, QFontMetricsF(font).elidedText(QStringLiteral("\u2212 ") + scope.title, Qt::ElideMiddle, title.width()));
  }
}

void addSegment(QPainterPath& path, const SceneSegment& segment, bool straight) {
  const SegmentCurve curve = curveOf(segment);
  path.moveTo(curve.start);
  if (straight || std::abs(segment.dx) < 0.5f) {
    path.lineTo(curve.end);
  } else {
    path.cubicTo(curve.control1, curve.control2, curve.end);
  }
}

void addArrow(QPainterPath& path, const QPointF& tip) {
  path.moveTo(tip);
  path.lineTo(tip + QPointF(-kArrow * 0.75, -kArrow * 1.5));
  path.lineTo(tip + QPointF(kArrow * 0.75, -kArrow * 1.5));
  path.closeSubpath();
}

void paintLines(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window, double scale, Detail detail) {
  const Theme& theme = *look.theme;
  if (detail == Detail::kBlocks) {
    if (scale < 0.02 || scene.segmentGrid.countEstimate(window) > kMostLines) return;
    QVector<QLineF> lines;
    scene.segmentGrid.visit(window, [&](int i) { lines.append(QLineF(scene.segments[i].start(), scene.segments[i].end())); });
    painter.setPen(QPen(mix(theme.canvas, theme.borderStrong, 0.6), 0));
    painter.drawLines(lines);
    return;
  }
  QPainterPath solid, loose, arrows;
  scene.segmentGrid.visit(window, [&](int i) {
    const SceneSegment& segment = scene.segments[i];
    addSegment(segment.loose ? loose : solid, segment, detail == Detail::kShapes);
    if (segment.arrow && detail != Detail::kShapes) addArrow(arrows, segment.end());
  });
  const double width = detail == Detail::kShapes ? 0 : 1.3;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.borderStrong, width));
  painter.drawPath(solid);
  if (!loose.isEmpty()) {
    painter.setPen(QPen(mix(theme.canvas, theme.borderStrong, 0.55), width, Qt::DashLine));
    painter.drawPath(loose);
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.borderStrong);
  painter.drawPath(arrows);
}

// The shape of a value beside the start of its line, once for each source.
void paintShapes(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window) {
  const QFont font = interfaceFont(-3);
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  const GraphReport& graph = scene.report();
  scene.itemGrid.visit(window.adjusted(-200, -80, 200, 80), [&](int i) {
    const SceneItem& item = scene.items[i];
    if (item.kind != ItemKind::kNode) return;
    for (const int n : scene.netsOfItem[i]) {
      const SceneNet& net = scene.nets[n];
      if (net.source != i || net.segmentCount == 0) continue;
      const QString words = shapeText(graph.values[net.value].shape);
      if (words.isEmpty()) return;
      const QPointF start = scene.segments[net.firstSegment].start();
      const QRectF where(start.x() + 6, item.rect.bottom() + 3, metrics.horizontalAdvance(words) + 4, metrics.height());
      painter.setPen(look.theme->textFaint);
      painter.drawText(where, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, words);
      return;
    }
  });
}

void paintBlocks(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window, double scale) {
  const bool many = scene.itemGrid.countEstimate(window) > kManyItems;
  Coverage coverage(window, scale);
  painter.setPen(Qt::NoPen);
  const double smallest = 2 / scale;  // two pixels: a block never vanishes
  scene.itemGrid.visit(window, [&](int i) {
    QRectF rect = scene.items[i].rect;
    if (many && rect.width() * scale < 4 && !coverage.take(rect.center())) return;
    if (rect.width() < smallest) rect = QRectF(rect.center().x() - smallest / 2, rect.top(), smallest, rect.height());
    if (rect.height() < smallest) rect.setHeight(smallest);
    painter.fillRect(rect, look.strong(i));
  });
}

}  // namespace

Detail detailFor(double scale) {
  if (scale < 0.14) return Detail::kBlocks;
  if (scale < 0.42) return Detail::kShapes;
  return scale < 0.68 ? Detail::kTitles : Detail::kFull;
}

void paintScene(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window, double scale) {
  const Detail detail = detailFor(scale);
  painter.setRenderHint(QPainter::Antialiasing, detail != Detail::kBlocks);
  paintBoxes(painter, scene, look, window, scale);
  paintLines(painter, scene, look, window, scale, detail);
  if (detail == Detail::kBlocks) return paintBlocks(painter, scene, look, window, scale);
  if (detail == Detail::kShapes) {
    painter.setPen(Qt::NoPen);
    scene.itemGrid.visit(window, [&](int i) {
      painter.setBrush(look.strong(i));
      const QRectF& rect = scene.items[i].rect;
      const bool terminal = scene.items[i].kind == ItemKind::kInput || scene.items[i].kind == ItemKind::kOutput;
      painter.drawRoundedRect(rect, terminal ? rect.height() / 2 : 6, terminal ? rect.height() / 2 : 6);
    });
    return;
  }
  if (detail == Detail::kFull) paintShapes(painter, scene, look, window);
  CardPainter cards(painter, scene, look, detail);
  scene.itemGrid.visit(window, [&](int i) { cards.paint(i); });
}

void paintHighlights(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window, double scale) {
  const Theme& theme = *look.theme;
  paintPlayed(painter, scene, look, window, scale);
  painter.setRenderHint(QPainter::Antialiasing);
  const double pixel = 1 / scale;
  const auto outline = [&](int item, const QColor& color, double width, double gap) {
    QRectF rect = scene.items[item].rect;
    const double smallest = 5 * pixel;
    if (rect.width() < smallest || rect.height() < smallest) rect = QRectF(rect.center() - QPointF(smallest, smallest) / 2, QSizeF(smallest, smallest)).united(rect);
    rect.adjust(-gap * pixel, -gap * pixel, gap * pixel, gap * pixel);
    if (!rect.intersects(window)) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, width * pixel));
    const double radius = scene.items[item].kind == ItemKind::kInput || scene.items[item].kind == ItemKind::kOutput ? rect.height() / 2 : 8;
    painter.drawRoundedRect(rect, radius, radius);
  };
  QPainterPath lines;
  for (const int n : look.nets) {
    const SceneNet& net = scene.nets[n];
    for (int s = net.firstSegment; s < net.firstSegment + net.segmentCount; ++s) {
      const SceneSegment& segment = scene.segments[s];
      if (QRectF(segment.start(), segment.end()).normalized().adjusted(-1, -1, 1, 1).intersects(window)) addSegment(lines, segment, scale < 0.42);
    }
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.accent, 2.2 * std::max(pixel, 1.0)));
  painter.drawPath(lines);
  QColor soft = theme.hit;
  soft.setAlphaF(0.28f);
  int drawnHits = 0;
  for (const int item : look.hits) {
    if (!scene.items[item].rect.intersects(window)) continue;
    if (++drawnHits > 3000) break;
    if (scale < 0.42) painter.fillRect(scene.items[item].rect.adjusted(-2 * pixel, -2 * pixel, 2 * pixel, 2 * pixel), soft);
    outline(item, theme.hit, 2, 2);
  }
  for (const int item : look.neighbours) outline(item, mix(theme.accent, theme.canvas, 0.35), 1.4, 1);
  for (const int item : look.selected) outline(item, theme.accent, 2.6, 2);
  if (look.currentHit >= 0) outline(look.currentHit, theme.hit, 3.2, 4);
  if (look.hovered >= 0) outline(look.hovered, theme.textSecondary, 1.2, 0);
}

}  // namespace cutaway::ui
