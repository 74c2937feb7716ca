#pragma once
// Pictures of parts of a large scene, kept while it is panned and zoomed, so that a frame costs copies instead of
// painting.
//
// While missing tiles are painted, a few a frame within a time budget, the tiles of the scale before stand in for them.
// Thread rule: GUI thread.
// Example: const bool complete = tiles.paint(painter, transform, size(), *scene, look, budgetNs);   if (!complete)
// update();

#include <QHash>
#include <QImage>
#include <QPainter>
#include <QPoint>

#include "ui/canvas/scene_look.h"
#include "ui/canvas/view_transform.h"

namespace cutaway::ui {

class TileCache {
 public:
  void clear();
  bool paint(QPainter& painter, const ViewTransform& transform, const QSize& viewport, const Scene& scene,
             const SceneLook& look, qint64 budgetNs);

 private:
  struct Level {
    double scale = 0;
    double pixelRatio = 1;
    QHash<QPoint, QImage> tiles;
  };
  void drawLevel(QPainter& painter, const Level& level, const ViewTransform& transform, const QSize& viewport) const;
  QImage render(const QPoint& tile, const Scene& scene, const SceneLook& look) const;
  void dropFarTiles(const QRect& wanted);

  Level m_now;
  Level m_before;
};

}  // namespace cutaway::ui
