#pragma once
// Patterns of brushes that meet between pictures of neighbouring parts of one plane.
//
// Qt draws patterns in pixels of the device, whatever the painter's scale, and begins them at the painter's translation
// divided by that scale: another place of the pattern in every tile. From here on they begin at the origin of the
// plane. Thread rule: pure painting. Example: painter.translate(-tile.topLeft());  painter.scale(3, 3);
// anchorPatterns(painter);

#include <QPainter>

namespace cutaway::ui {

inline void anchorPatterns(QPainter& painter) {
  const QTransform plane = painter.deviceTransform();
  painter.setBrushOrigin(QPointF(plane.dx() - plane.dx() / plane.m11(), plane.dy() - plane.dy() / plane.m22()));
}

}  // namespace cutaway::ui
