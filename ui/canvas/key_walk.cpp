// Steps from node to node by arrow keys.
#include "ui/canvas/key_walk.h"

#include <limits>

namespace cutaway::ui {
namespace {

// The node itself, and where it stands on a card with others, those too: their lines are the card's.
std::vector<int> nodesOnCard(const Scene& scene, int node) {
  const int item = scene.itemOfNode[static_cast<size_t>(node)];
  if (scene.onCard(item) == 0) return {node};
  std::vector<int> nodes;
  for (size_t n = 0; n < scene.itemOfNode.size(); ++n)
    if (scene.itemOfNode[n] == item) nodes.push_back(static_cast<int>(n));
  return nodes;
}

}  // namespace

int nodeBeside(const Scene& scene, int from, int key) {
  const int fromItem = scene.itemOfNode[static_cast<size_t>(from)];
  const QPointF start = scene.items[static_cast<size_t>(fromItem)].rect.center();
  // Where the graph runs to the right, its lines are walked along by Left and Right.
  const bool down = scene.direction == FlowDirection::kDown;
  const int up = down ? Qt::Key_Up : Qt::Key_Left, on = down ? Qt::Key_Down : Qt::Key_Right;
  const int before = down ? Qt::Key_Left : Qt::Key_Up, behind = down ? Qt::Key_Right : Qt::Key_Down;
  int best = -1;
  double nearest = std::numeric_limits<double>::infinity();
  const auto consider = [&](int candidate) {
    // Of a card one comes to the node that it is of.
    if (candidate >= 0)
      if (const SceneItem& card = scene.items[static_cast<size_t>(scene.itemOfNode[static_cast<size_t>(candidate)])];
          card.card > 0)
        candidate = card.index;
    if (candidate < 0 || candidate == from || scene.itemOfNode[static_cast<size_t>(candidate)] == fromItem) return;
    const QPointF way =
        scene.items[static_cast<size_t>(scene.itemOfNode[static_cast<size_t>(candidate)])].rect.center() - start;
    const double aside = down ? way.x() : way.y();
    if ((key == before && aside >= 0) || (key == behind && aside <= 0)) return;
    const double distance = QPointF::dotProduct(way, way);
    if (distance < nearest) nearest = distance, best = candidate;
  };
  const auto& values = scene.report().values;
  for (const int own : nodesOnCard(scene, from)) {
    const NodeReport& node = scene.report().nodes[static_cast<size_t>(own)];
    if (key == up)
      for (const int32_t input : node.inputs)
        consider(input >= 0 ? values[static_cast<size_t>(input)].producer : -1);
    if (key == on)
      for (const int32_t output : node.outputs)
        if (output >= 0)
          for (const int32_t consumer : values[static_cast<size_t>(output)].consumers)
            consider(consumer);
  }
  if (key == before || key == behind) {
    const QRectF band = scene.items[static_cast<size_t>(fromItem)].rect.adjusted(down ? -2000 : -8, down ? -8 : -2000,
                                                                                 down ? 2000 : 8, down ? 8 : 2000);
    scene.itemGrid.visit(band, [&](int item) {
      if (scene.items[static_cast<size_t>(item)].kind == ItemKind::kNode)
        consider(scene.items[static_cast<size_t>(item)].index);
    });
  }
  return best;
}

}  // namespace cutaway::ui
