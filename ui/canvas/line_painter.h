#pragma once
// Paints the lines of a scene: values from their makers to their readers.
//
// Thread rule: pure painting. Example: paintLines(painter, scene, look, window, scale, Detail::kFull);

#include <QPainterPath>

#include "ui/canvas/scene_painter.h"

namespace cutaway::ui {

void paintLines(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window, double scale,
                Detail detail);
// The lines of chosen values, in their whole length, with an arrow at every reader.
void paintChosenLines(QPainter& painter, const Scene& scene, const std::vector<int>& nets, const QColor& color,
                      double width, const QRectF& window, double scale);

void addSegment(QPainterPath& path, const SegmentCurve& curve, bool straight);
void addArrow(QPainterPath& path, const QPointF& tip, FlowDirection direction, double size);

}  // namespace cutaway::ui
