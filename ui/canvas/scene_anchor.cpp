#include "ui/canvas/scene_anchor.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ui/canvas/scene_graph.h"

namespace cutaway::ui {
namespace {

// Node of the new scene's graph that came of a node of the old one; -1: none.
int heirOf(const Scene& before, const Scene& after, int node) {
  if (before.graphs == after.graphs) return node;
  const NodeReport& old = before.report().nodes[node];
  const std::vector<NodeReport>& nodes = after.report().nodes;
  // The same walk once more: of nodes without a name several may come of one.
  if (const auto same = static_cast<size_t>(node); same < nodes.size() && nodes[same].name == old.name &&
                                                   nodes[same].opType == old.opType &&
                                                   nodes[same].origins == old.origins)
    return node;
  const auto isRelated = [&](const NodeReport& other) {
    return std::any_of(other.origins.begin(), other.origins.end(), [&](int32_t origin) {
      return std::find(old.origins.begin(), old.origins.end(), origin) != old.origins.end();
    });
  };
  const auto isNamesake = [&](const NodeReport& other) {
    return !old.name.empty() && other.name == old.name && other.opType == old.opType;
  };
  // Origins are counted anew where nodes were taken out: a name says more, and both together most.
  auto heir = std::find_if(nodes.begin(), nodes.end(),
                           [&](const NodeReport& other) { return isNamesake(other) && isRelated(other); });
  if (heir == nodes.end()) heir = std::find_if(nodes.begin(), nodes.end(), isNamesake);
  if (heir == nodes.end()) heir = std::find_if(nodes.begin(), nodes.end(), isRelated);
  return heir == nodes.end() ? -1 : static_cast<int>(heir - nodes.begin());
}

// The first may be gone in the other scene: of a quantised model every second node is an Identity that optimising
// removes. Each of them is looked for among all nodes there, which a million of them allow once.
std::vector<int> nearestTo(const QPointF& point, const Scene& scene) {
  constexpr size_t kMostNodes = 32, kMostCompared = 2'000'000;
  std::vector<std::pair<double, int>> all(scene.itemOfNode.size());
  for (size_t n = 0; n < all.size(); ++n) {
    const QPointF way = scene.items[scene.itemOfNode[n]].rect.center() - point;
    all[n] = {QPointF::dotProduct(way, way), static_cast<int>(n)};
  }
  const size_t count = std::min(all.size(), std::clamp(kMostCompared / (all.size() + 1), size_t{1}, kMostNodes));
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end());
  std::vector<int> nearest;
  for (size_t i = 0; i < count; ++i)
    nearest.push_back(all[i].second);
  return nearest;
}

QPointF topOf(const QRectF& rect, FlowDirection direction) {
  return direction == FlowDirection::kDown ? QPointF(rect.center().x(), rect.top())
                                           : QPointF(rect.left(), rect.center().y());
}

}  // namespace

QRectF placeOfScope(const Scene& scene, const QString& path) {
  for (const SceneBox& box : scene.boxes)
    if (scene.scopes->scopes[box.scope].path == path) return box.rect;
  for (const SceneItem& item : scene.items) {
    if (item.kind == ItemKind::kFolded && scene.scopes->scopes[item.index].path == path) return item.rect;
    if (item.card > 0 && scene.scopes->scopes[item.card].path == path) return item.rect;
    if (item.kind == ItemKind::kNode && item.graph >= 0 && hasBody(scene.nodeOf(item)) &&
        bodyPath(scene.scopes->scopes[item.scope].path, scene.reportOf(item), item.index) == path)
      return item.rect;
  }
  return {};
}

std::optional<SceneAnchor> anchorBetween(const Scene& before, const Scene& after, const QRectF& window,
                                         const QString& path) {
  if (before.graph != after.graph) return std::nullopt;
  if (!path.isEmpty()) {
    const QRectF from = placeOfScope(before, path), to = placeOfScope(after, path);
    if (!from.isNull() && !to.isNull()) {
      // A box that begins out of sight shrinks to the part that was seen.
      const QPointF top = topOf(from, before.direction);
      if (window.contains(top) || from.width() * from.height() <= to.width() * to.height())
        return SceneAnchor{top, topOf(to, after.direction)};
      return SceneAnchor{from.intersected(window).center(), to.center()};
    }
  }
  for (const int node : nearestTo(window.center(), before)) {
    const int heir = heirOf(before, after, node);
    if (heir >= 0 && heir < static_cast<int>(after.itemOfNode.size()))
      return SceneAnchor{before.items[before.itemOfNode[static_cast<size_t>(node)]].rect.center(),
                         after.items[after.itemOfNode[static_cast<size_t>(heir)]].rect.center()};
  }
  return std::nullopt;
}

}  // namespace cutaway::ui
