// One frame of the way from one scene to the next.
#include <algorithm>
#include <cmath>

#include "ui/canvas/card_painter.h"
#include "ui/canvas/line_painter.h"
#include "ui/canvas/scene_morph.h"

namespace cutaway::ui {
namespace {

void paintItem(QPainter& painter, CardPainter& cards, const Scene& scene, const SceneLook& look, int item,
               const QRectF& place, double opacity, Detail detail, double scale) {
  const QRectF& rect = scene.items[item].rect;
  painter.setOpacity(std::clamp(opacity, 0.0, 1.0));
  if (detail == Detail::kBlocks || detail == Detail::kShapes) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.strong(item));
    painter.drawRoundedRect(place, 6, 6);
    if (detail == Detail::kShapes) paintFarTitle(painter, scene, look, item, place, scale);
    return;
  }
  painter.save();
  painter.translate(place.topLeft());
  painter.scale(place.width() / rect.width(), place.height() / rect.height());
  painter.translate(-rect.topLeft());
  cards.paint(item);
  painter.restore();
}

void paintBoxes(QPainter& painter, const SceneMorph& morph, const SceneLook& look, const QRectF& window, double share) {
  const Theme& theme = *look.theme;
  painter.setPen(QPen(theme.border, 1));
  for (size_t b = 0; b < morph.after().boxes.size(); ++b) {
    const QRectF rect = morph.boxRect(static_cast<int>(b), share);
    if (!rect.intersects(window)) continue;
    const int depth = morph.after().scopes->scopes[morph.after().boxes[b].scope].depth;
    painter.setOpacity(morph.boxIsNew(static_cast<int>(b)) ? share : 1);
    painter.setBrush(mix(theme.canvas, theme.borderStrong, depth % 2 ? 0.10 : 0.04));
    painter.drawRoundedRect(rect, 8, 8);
  }
}

// Lines of the new scene, their ends carried along by the items they are fast to; lines of the old one fade early.
void paintLinesBetween(QPainter& painter, const SceneMorph& morph, const SceneLook& look, const QRectF& window,
                       double share) {
  const Scene& after = morph.after();
  QPainterPath steady, fresh, old;
  const QRectF wide = window.adjusted(-200, -200, 200, 200);
  after.segmentGrid.visit(wide, [&](int i) {
    const SceneSegment& segment = after.segments[i];
    const SceneNet& net = after.nets[segment.net];
    SceneSegment now = segment;
    const QPointF start = i == net.firstSegment ? morph.moved(segment.start(), net.source, share) : segment.start();
    const QPointF end = morph.moved(segment.end(), segment.target, share);
    now.x = start.x();
    now.y = start.y();
    now.dx = static_cast<float>(end.x() - start.x());
    now.dy = static_cast<float>(end.y() - start.y());
    addSegment(morph.netIsNew(segment.net) ? fresh : steady, curveOf(now, after.direction), false);
  });
  const Scene& before = morph.before();
  before.segmentGrid.visit(window.translated(-morph.shift()),
                           [&](int i) { addSegment(old, curveOf(before.segments[i], before.direction), false); });
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(look.theme->borderStrong, 1.3));
  painter.setOpacity(std::max(0.0, 1 - 2.2 * share));
  painter.save();
  painter.translate(morph.shift());
  if (share < 0.45) painter.drawPath(old);
  painter.restore();
  painter.setOpacity(share);
  painter.drawPath(fresh);
  painter.setOpacity(0.35 + 0.65 * share);
  painter.drawPath(steady);
  painter.setOpacity(1);
}

}  // namespace

void paintMorph(QPainter& painter, const SceneMorph& morph, const SceneLook& lookBefore, const SceneLook& look,
                const QRectF& window, double scale, double share) {
  const Detail detail = detailFor(scale);
  painter.setRenderHint(QPainter::Antialiasing, detail != Detail::kBlocks);
  paintBoxes(painter, morph, look, window, share);
  if (detail != Detail::kBlocks) paintLinesBetween(painter, morph, look, window, share);
  CardPainter oldCards(painter, morph.before(), lookBefore, detail), cards(painter, morph.after(), look, detail);
  for (const SceneMorph::Gone& gone : morph.gone())
    if (const QRectF rect = gone.rect(share); rect.intersects(window))
      paintItem(painter, oldCards, morph.before(), lookBefore, gone.item, rect, 1 - share, detail, scale);
  for (size_t i = 0; i < morph.after().items.size(); ++i) {
    const int item = static_cast<int>(i);
    if (const QRectF rect = morph.rect(item, share); rect.intersects(window))
      paintItem(painter, cards, morph.after(), look, item, rect, morph.opacity(item, share), detail, scale);
  }
  painter.setOpacity(1);
}

int morphCost(const SceneMorph& morph, const QRectF& window) {
  return morph.after().itemGrid.countEstimate(window) +
         morph.before().itemGrid.countEstimate(window.translated(-morph.shift())) +
         (morph.after().segmentGrid.countEstimate(window) +
          morph.before().segmentGrid.countEstimate(window.translated(-morph.shift()))) /
             4;
}

}  // namespace cutaway::ui
