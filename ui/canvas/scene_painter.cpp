#include "ui/canvas/scene_painter.h"

#include <algorithm>
#include <cmath>

#include <QPainterPath>

#include "ui/base/format.h"
#include "ui/canvas/card_painter.h"
#include "ui/canvas/line_labels.h"
#include "ui/canvas/line_painter.h"
#include "ui/canvas/opened_groups.h"
#include "ui/canvas/pattern_origin.h"
#include "ui/canvas/scene_measure.h"

namespace cutaway::ui {
namespace {

constexpr double kHullLine = 2, kHullTint = 0.07;
constexpr double kHullName = 16;       // pixels, of the name over a hull
constexpr int kManyItems = 2500;       // above: blocks that fall on the same pixel are drawn once
constexpr double kTitledScale = 0.42;  // from here on groups have their titles

// Which pixels of a window were drawn on already, two by two.
class Coverage {
 public:
  Coverage(const QRectF& window, double scale)
      : m_origin(window.topLeft()),
        m_scale(scale / 2),
        m_width(std::max(1, static_cast<int>(window.width() * m_scale) + 2)),
        m_height(std::max(1, static_cast<int>(window.height() * m_scale) + 2)),
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

// Outer ones first.
std::vector<int> boxesIn(const Scene& scene, const QRectF& window, double scale) {
  std::vector<int> seen;
  scene.boxGrid.visit(window, [&](int i) {
    const SceneBox& box = scene.boxes[i];
    if (box.rect.intersects(window) && box.rect.height() * scale >= 3) seen.push_back(i);
  });
  std::sort(seen.begin(), seen.end());
  return seen;
}

QColor fillOf(const Scene& scene, const SceneBox& box, const SceneLook& look) {
  const Theme& theme = *look.theme;
  if (const auto hull = look.hulls.find(box.scope); hull != look.hulls.end())
    return mix(theme.canvas, theme.category(hull->second).color, kHullTint);
  return mix(theme.canvas, theme.borderStrong, scene.scopes->scopes[box.scope].depth % 2 ? 0.10 : 0.04);
}

void paintBoxes(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window, double scale) {
  const Theme& theme = *look.theme;
  for (const int index : boxesIn(scene, window, scale)) {
    const SceneBox& box = scene.boxes[index];
    QPen outline(theme.border, 1 / std::min(scale, 1.0));
    if (const auto hull = look.hulls.find(box.scope); hull != look.hulls.end())
      outline = QPen(theme.category(hull->second).color, kHullLine / std::min(scale, 1.0));
    painter.setPen(outline);
    painter.setBrush(fillOf(scene, box, look));
    painter.drawRoundedRect(box.rect.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
  }
}

// Over the lines, which go on behind the words.
void paintBoxTitles(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window, double scale) {
  const QFont font = cardTextFont();
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  for (const int index : boxesIn(scene, window, scale)) {
    const SceneBox& box = scene.boxes[index];
    const Scope& scope = scene.scopes->scopes[box.scope];
    if (scope.kind == ScopeKind::kBody) continue;  // the title of a body is a card of its own
    const QRectF title(box.rect.left() + 10, box.rect.top() + 2, box.rect.width() - 20, kBoxHeader);
    const QString words =
        metrics.elidedText(QStringLiteral("\u2212 ") + scopeWords(scope), Qt::ElideMiddle, title.width());
    const double high = metrics.height();
    painter.fillRect(
        QRectF(title.left() - 2, title.center().y() - high / 2, metrics.horizontalAdvance(words) + 4, high),
        fillOf(scene, box, look));
    painter.setPen(look.theme->textSecondary);
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, words);
  }
}

// Where titles are too small to be read, a hull has its name over its edge, as large as the rest of the window.
void paintHullNames(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window, double scale) {
  const double high = kHullName / scale;
  QFont font = cardTextFont();
  font.setPixelSize(std::max(1, static_cast<int>(high * 0.72)));
  const QFontMetricsF metrics(font);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(font);
  scene.boxGrid.visit(window.adjusted(0, -high, 0, 2 * high), [&](int index) {
    const SceneBox& box = scene.boxes[index];
    const auto hull = look.hulls.find(box.scope);
    if (hull == look.hulls.end()) return;
    const Scope& scope = scene.scopes->scopes[box.scope];
    const QString words = hullName(*scene.graphs, scene.graphs->graphs[scope.callGraph].nodes[scope.callNode]);
    const double width = std::min(metrics.horizontalAdvance(words) + high * 0.8, box.rect.width());
    if (width < 3 * high) return;  // room for no word
    const QRectF label(box.rect.left(), box.rect.top() - high, width, high);
    const QColor& ground = look.theme->category(hull->second).color;
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(label, high / 5, high / 5);
    painter.setPen(look.theme->textOn(ground));
    painter.drawText(label, Qt::AlignCenter | Qt::TextSingleLine,
                     metrics.elidedText(words, Qt::ElideRight, width - high * 0.4));
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

// The open groups that hold what was found.
void paintWay(QPainter& painter, const Scene& scene, int scope, const QColor& color, double pixel) {
  const std::vector<Scope>& scopes = scene.scopes->scopes;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(color, 1.4 * pixel));
  for (auto box = scene.boxes.rbegin(); box != scene.boxes.rend() && scope > 0; ++box) {  // inner ones last
    if (box->scope != scope) continue;
    painter.drawRoundedRect(box->rect, 8, 8);
    scope = scopes[scope].parent;
  }
}

}  // namespace

Detail detailFor(double scale) {
  if (scale < 0.14) return Detail::kBlocks;
  if (scale < kTitledScale) return Detail::kShapes;
  return scale < 0.68 ? Detail::kTitles : Detail::kFull;
}

void paintScene(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window, double scale) {
  const Detail detail = detailFor(scale);
  painter.setRenderHint(QPainter::Antialiasing, detail != Detail::kBlocks);
  anchorPatterns(painter);
  paintBoxes(painter, scene, look, window, scale);
  paintLines(painter, scene, look, window, scale, detail);
  if (scale >= kTitledScale) paintBoxTitles(painter, scene, look, window, scale);
  if (detail == Detail::kBlocks) {
    paintBlocks(painter, scene, look, window, scale);
    if (!look.hulls.empty()) paintHullNames(painter, scene, look, window, scale);
    return;
  }
  if (detail == Detail::kShapes) {
    painter.setPen(Qt::NoPen);
    scene.itemGrid.visit(window, [&](int i) {
      painter.setBrush(look.strong(i));
      const QRectF& rect = scene.items[i].rect;
      const bool terminal = scene.items[i].kind == ItemKind::kInput || scene.items[i].kind == ItemKind::kOutput;
      painter.drawRoundedRect(rect, terminal ? rect.height() / 2 : 6, terminal ? rect.height() / 2 : 6);
      paintFarTitle(painter, scene, look, i, rect, scale);
      painter.setPen(Qt::NoPen);
    });
    if (!look.hulls.empty()) paintHullNames(painter, scene, look, window, scale);
    return;
  }
  if (detail == Detail::kFull) paintLineLabels(painter, scene, *look.theme, window);
  CardPainter cards(painter, scene, look, detail);
  scene.itemGrid.visit(window, [&](int i) {
    if (!look.cancelled()) cards.paint(i);
  });
}

void paintHighlights(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window, double scale) {
  const Theme& theme = *look.theme;
  paintPlayed(painter, scene, look, window, scale);
  painter.setRenderHint(QPainter::Antialiasing);
  const double pixel = 1 / scale;
  const auto outline = [&](int item, const QColor& color, double width, double gap) {
    QRectF rect = scene.items[item].rect;
    const double smallest = 5 * pixel;
    if (rect.width() < smallest || rect.height() < smallest)
      rect = QRectF(rect.center() - QPointF(smallest, smallest) / 2, QSizeF(smallest, smallest)).united(rect);
    rect.adjust(-gap * pixel, -gap * pixel, gap * pixel, gap * pixel);
    if (!rect.intersects(window)) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, width * pixel));
    const double radius = scene.items[item].kind == ItemKind::kInput || scene.items[item].kind == ItemKind::kOutput
                              ? rect.height() / 2
                              : 8;
    painter.drawRoundedRect(rect, radius, radius);
  };
  paintChosenLines(painter, scene, look.nets, theme.accent, 2.2, window, scale);
  if (look.hoveredNet >= 0 && look.hoveredNet < static_cast<int>(scene.nets.size()))
    paintChosenLines(painter, scene, {look.hoveredNet}, mix(theme.accent, theme.text, 0.35), 2.2, window, scale);
  QColor soft = theme.hit;
  soft.setAlphaF(0.28f);
  int drawnHits = 0;
  for (const int item : look.hits) {
    if (!scene.items[item].rect.intersects(window)) continue;
    if (++drawnHits > 3000) break;
    if (scale < 0.42)
      painter.fillRect(scene.items[item].rect.adjusted(-2 * pixel, -2 * pixel, 2 * pixel, 2 * pixel), soft);
    outline(item, theme.hit, 2, 2);
  }
  for (const int item : look.neighbours)
    outline(item, mix(theme.accent, theme.canvas, 0.35), 1.4, 1);
  for (const int item : look.selected)
    outline(item, theme.accent, 2.6, 2);
  if (look.currentHit >= 0) {
    paintWay(painter, scene, scene.items[look.currentHit].scope, theme.hit, pixel);
    outline(look.currentHit, theme.hit, 3.2, 4);
  }
  if (look.hovered >= 0) outline(look.hovered, theme.textSecondary, 1.2, 0);
}

}  // namespace cutaway::ui
