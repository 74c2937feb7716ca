// Steps from node to node by arrow keys.
#include "ui/canvas/key_walk.h"

#include <limits>

namespace cutaway::ui {

int nodeBeside(const Scene& scene, int from, int key) {
  const NodeReport& node = scene.report().nodes[static_cast<size_t>(from)];
  const int fromItem = scene.itemOfNode[static_cast<size_t>(from)];
  const QPointF start = scene.items[static_cast<size_t>(fromItem)].rect.center();
  int best = -1;
  double nearest = std::numeric_limits<double>::infinity();
  const auto consider = [&](int candidate) {
    if (candidate < 0 || candidate == from || scene.itemOfNode[static_cast<size_t>(candidate)] == fromItem) return;
    const QPointF way = scene.items[static_cast<size_t>(scene.itemOfNode[static_cast<size_t>(candidate)])].rect.center() - start;
    if ((key == Qt::Key_Left && way.x() >= 0) || (key == Qt::Key_Right && way.x() <= 0)) return;
    const double distance = QPointF::dotProduct(way, way);
    if (distance < nearest) nearest = distance, best = candidate;
  };
  const auto& values = scene.report().values;
  if (key == Qt::Key_Up)
    for (const int32_t input : node.inputs) consider(input >= 0 ? values[static_cast<size_t>(input)].producer : -1);
  if (key == Qt::Key_Down)
    for (const int32_t output : node.outputs)
      if (output >= 0)
        for (const int32_t consumer : values[static_cast<size_t>(output)].consumers) consider(consumer);
  if (key == Qt::Key_Left || key == Qt::Key_Right) {
    const QRectF band = scene.items[static_cast<size_t>(fromItem)].rect.adjusted(-2000, -8, 2000, 8);
    scene.itemGrid.visit(band, [&](int item) {
      if (scene.items[static_cast<size_t>(item)].kind == ItemKind::kNode) consider(scene.items[static_cast<size_t>(item)].index);
    });
  }
  return best;
}

}  // namespace cutaway::ui
