#include "ui/canvas/play_look.h"

#include <algorithm>
#include <limits>

#include <QPainter>

#include "ui/canvas/scene.h"
#include "ui/canvas/scene_look.h"

namespace cutaway::ui {
namespace {

constexpr float kToComeVeil = 0.62f, kOutsideVeil = 0.76f;

struct Steps {
  int first = std::numeric_limits<int>::max();
  int last = -1;
  bool inRange = false;
  bool now = false;
};

Played stateOf(const Steps& steps, int step, bool ranged) {
  if (steps.last < 0) return ranged ? Played::kOutside : Played::kNone;
  if (ranged && !steps.inRange) return Played::kOutside;
  if (step < 0) return Played::kNone;
  if (steps.now) return Played::kCurrent;
  if (steps.last < step) return Played::kDone;
  return steps.first > step ? Played::kToCome : Played::kDone;
}

QRectF atLeast(const QRectF& rect, double smallest) {
  if (rect.width() >= smallest && rect.height() >= smallest) return rect;
  return QRectF(rect.center() - QPointF(smallest, smallest) / 2, QSizeF(smallest, smallest)).united(rect);
}

// A triangle in a disc at the corner: what runs is said by shape as well.
void paintBadge(QPainter& painter, const QPointF& centre, double size, const Theme& theme) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.accent);
  painter.drawEllipse(centre, size, size);
  painter.setBrush(theme.accentText);
  painter.drawPolygon(QPolygonF({centre + QPointF(-size * 0.32, -size * 0.5), centre + QPointF(size * 0.56, 0),
                                 centre + QPointF(-size * 0.32, size * 0.5)}));
}

}  // namespace

std::vector<Played> playedItems(const Scene& scene, const StepsOfGraph& stepsOf, int step,
                                const std::optional<std::pair<int, int>>& range) {
  if (step < 0 && !range) return {};
  const std::vector<int32_t>& stepOfNode = stepsOf(scene.graph);
  if (stepOfNode.size() != scene.itemOfNode.size()) return {};
  std::vector<Steps> steps(scene.items.size());
  const auto add = [&](int item, int of) {
    if (of < 0 || item < 0) return;
    Steps& all = steps[static_cast<size_t>(item)];
    all.first = std::min(all.first, of);
    all.last = std::max(all.last, of);
    all.now = all.now || of == step;
    all.inRange = all.inRange || (range && of >= range->first && of <= range->second);
  };
  for (size_t n = 0; n < stepOfNode.size(); ++n)
    add(scene.itemOfNode[n], stepOfNode[n]);
  for (const Scene::BodyNode& node : scene.bodyNodes)
    if (const std::vector<int32_t>& inside = stepsOf(node.graph); static_cast<size_t>(node.node) < inside.size())
      add(node.item, inside[static_cast<size_t>(node.node)]);
  std::vector<Played> played(scene.items.size(), Played::kNone);
  for (size_t item = 0; item < steps.size(); ++item) {
    const ItemKind kind = scene.items[item].kind;
    if (kind == ItemKind::kNode || kind == ItemKind::kFolded || kind == ItemKind::kHeader)
      played[item] = stateOf(steps[item], step, range.has_value());
  }
  return played;
}

void paintPlayed(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window, double scale) {
  if (look.played.size() != scene.items.size() || !look.theme) return;
  const Theme& theme = *look.theme;
  const double pixel = 1 / scale;
  QVector<QRectF> toCome, outside;
  std::vector<int> current;
  scene.itemGrid.visit(window, [&](int item) {
    const Played state = look.played[static_cast<size_t>(item)];
    if (state == Played::kToCome || state == Played::kOutside) {
      (state == Played::kToCome ? toCome : outside)
          .append(atLeast(scene.items[item].rect, 2 * pixel).adjusted(-0.5, -0.5, 0.5, 0.5));
    } else if (state == Played::kCurrent) {
      current.push_back(item);
    }
  });
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(Qt::NoPen);
  for (const auto& [rects, strength] : {std::pair(&toCome, kToComeVeil), std::pair(&outside, kOutsideVeil)}) {
    QColor veil = theme.canvas;
    veil.setAlphaF(strength);
    painter.setBrush(veil);
    painter.drawRects(*rects);
  }
  painter.setRenderHint(QPainter::Antialiasing);
  for (const int item : current) {
    const QRectF rect =
        atLeast(scene.items[item].rect, 9 * pixel).adjusted(-4 * pixel, -4 * pixel, 4 * pixel, 4 * pixel);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, 3 * pixel));
    painter.drawRoundedRect(rect, 9, 9);
    paintBadge(painter, rect.topLeft(), 8 * std::max(pixel, 0.8), theme);
  }
}

}  // namespace cutaway::ui
