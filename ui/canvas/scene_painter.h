#pragma once
// Paints a scene with as much detail as the scale has room for: blocks, then titles alone, then cards with names,
// badges and shapes on the lines.
//
// Thread rule: a painter belongs to one thread; scene and look are only read.
// Example: paintScene(painter, *scene, look, window, 0.8);   // painter is in scene units

#include <QPainter>

#include "ui/canvas/scene.h"
#include "ui/canvas/scene_look.h"

namespace cutaway::ui {

enum class Detail { kBlocks, kShapes, kTitles, kFull };
Detail detailFor(double scale);

// Everything that stays the same while the pointer and the selection move. `window` in scene units.
void paintScene(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window, double scale);
// Selection, neighbours, hits, pointer: painted above.
void paintHighlights(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window, double scale);

}  // namespace cutaway::ui
