// From selection and hits, which are about nodes and values, to the items of a scene.
#include "ui/canvas/view/canvas_highlights.h"

#include <algorithm>
#include <iterator>

#include "ui/canvas/opened_groups.h"
#include "ui/canvas/view/canvas_finder.h"
#include "ui/canvas/view/reading_controller.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {

void sortOut(std::vector<int>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

// Lines between nodes of the part that is highlighted.
void addReachedNets(const Scene& scene, const Reach& reach, SceneLook& look) {
  constexpr size_t kMostNets = 3000;
  std::vector<bool> inside(scene.itemOfNode.size(), false);
  for (const int node : reach.nodes)
    if (static_cast<size_t>(node) < inside.size()) inside[static_cast<size_t>(node)] = true;
  const GraphReport& graph = scene.report();
  for (size_t net = 0; net < scene.nets.size() && look.nets.size() < kMostNets; ++net) {
    if (scene.nets[net].graph != scene.graph) continue;
    const ValueReport& value = graph.values[static_cast<size_t>(scene.nets[net].value)];
    if (value.producer < 0 || !inside[static_cast<size_t>(value.producer)]) continue;
    if (std::any_of(value.consumers.begin(), value.consumers.end(),
                    [&](int32_t consumer) { return inside[static_cast<size_t>(consumer)]; }))
      look.nets.push_back(static_cast<int>(net));
  }
  sortOut(look.nets);
}

// Of an open group the selected nodes in it. All of them together are the group, which is selected already; of a part
// the group itself is not.
void addInside(const Scene& scene, int graph, const OpenedGroup& group, const std::vector<int>& chosen,
               std::vector<int>& selected) {
  std::vector<int> inside;
  std::ranges::set_intersection(group.nodes, chosen, std::back_inserter(inside));
  if (inside.empty() || inside.size() == group.nodes.size()) return;
  if (group.graph == scene.graph) std::erase(selected, scene.itemOfNode[static_cast<size_t>(group.fused)]);
  for (const Scene::BodyNode& shown : scene.bodyNodes)
    if (shown.graph == graph && std::ranges::binary_search(inside, group.nodes[static_cast<size_t>(shown.node)]))
      selected.push_back(shown.item);
}

}  // namespace

SceneLook highlightsOf(const Scene& scene, const Document& document, GraphVersion version, const OpenedGroups& opened,
                       const CanvasFinder& finder, const Reach& reach) {
  SceneLook look;
  const Selection& selection = document.selection();
  const auto addItem = [](std::vector<int>& items, int item) {
    if (item >= 0) items.push_back(item);
  };
  int selectedValue = -1, valueGraph = scene.graph;
  if (selection.value().valid()) {
    valueGraph = selection.value().graph;
    if (document.index(version) && valueGraph >= 0 && valueGraph < static_cast<int>(scene.graphs->graphs.size()))
      selectedValue = document.index(version)->valueIndex(valueGraph, selection.value().name.toStdString());
    for (size_t i = 0; i < scene.items.size() && selectedValue >= 0; ++i)
      if ((scene.items[i].kind == ItemKind::kInput || scene.items[i].kind == ItemKind::kOutput) &&
          scene.items[i].graph == valueGraph && scene.items[i].index == selectedValue)
        look.selected.push_back(static_cast<int>(i));
    if (selection.focus().valid() && selection.focus().version == version)
      for (const int item : scene.itemsOf(selection.focus().graph, selection.focus().node))
        addItem(look.selected, item);
  } else {
    for (const int node : selection.nodesIn(version, scene.graph))
      addItem(look.selected, scene.itemOfNode[static_cast<size_t>(node)]);
    // Bodies that are unfolded in place.
    for (const int graph : scene.shownGraphs()) {
      if (graph == scene.graph) continue;
      if (const OpenedGroup* group = opened.of(graph)) {
        addInside(scene, graph, *group, selection.nodesIn(GraphVersion::kOptimized, group->graph), look.selected);
        continue;
      }
      for (const int node : selection.nodesIn(version, graph))
        for (const int item : scene.itemsOf(graph, node))
          addItem(look.selected, item);
    }
  }
  for (size_t i = 0; i < finder.hits().size(); ++i) {
    const FindHit& hit = finder.hits()[i];
    const OpenedGroup* group = opened.of(hit.graph);
    if (hit.graph != scene.graph && !group && scene.bodyNodes.empty()) continue;
    std::vector<int> items = scene.itemsOf(hit.graph, hit.node);
    // A group that is closed stands for what is inside of it.
    if (items.empty() && group && group->graph == scene.graph)
      items.push_back(scene.itemOfNode[static_cast<size_t>(group->fused)]);
    for (const int item : items) {
      addItem(look.hits, item);
      if (static_cast<int>(i) == finder.current()) look.currentHit = item;
    }
  }
  sortOut(look.selected);
  sortOut(look.hits);
  highlightNeighbours(scene, look, selectedValue, valueGraph);
  if (!reach.empty() && reach.version == version && reach.graph == scene.graph) addReachedNets(scene, reach, look);
  return look;
}

std::vector<Played> fadedItems(const Scene& scene, GraphVersion version, const Reach& reach) {
  if (reach.empty() || reach.version != version || reach.graph != scene.graph) return {};
  std::vector<Played> items(scene.items.size(), Played::kOutside);
  for (const int node : reach.nodes)
    if (static_cast<size_t>(node) < scene.itemOfNode.size() && scene.itemOfNode[static_cast<size_t>(node)] >= 0)
      items[static_cast<size_t>(scene.itemOfNode[static_cast<size_t>(node)])] = Played::kNone;
  return items;
}

}  // namespace cutaway::ui
