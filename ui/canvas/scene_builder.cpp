// Builds a scene: every open scope is laid out on its own, inner ones first, and then stands in its parent as one large box with ports.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "ui/canvas/layered_layout.h"
#include "ui/canvas/scene.h"
#include "ui/canvas/scene_measure.h"
#include "ui/canvas/scene_nets.h"

namespace cutaway::ui {
namespace {

constexpr double kMargin = 32;
constexpr int kReadableNodes = 600;  // up to here everything is shown open
constexpr int kBusyTop = 60;         // entities that an overview may have

// Where a value crosses the border of a box, from the box's centre.
struct Crossing {
  double in = 0;
  double out = 0;
};

struct ScopeLayout {
  LayoutResult result;
  std::vector<int> entities;                    // layout node -> entity, for the first ones; then borders
  std::vector<int> netValues;                   // layout net -> value
  std::vector<int> netSources;                  // layout net -> entity or kBorder
  std::unordered_map<int, Crossing> crossings;  // by value
  QSizeF boxSize;
  double contentX = 0;                          // of the content inside the box
};

class Builder {
 public:
  Builder(const SceneRequest& request, const CancelToken& cancel, std::shared_ptr<const ScopeTree> tree)
      : m_graph(request.graphs->graphs[request.graph]), m_tree(*tree), m_cancel(cancel), m_visible(visibleGraph(m_graph, m_tree, request)), m_layouts(m_tree.scopes.size()) {
    m_scene = std::make_shared<Scene>();
    m_scene->graphs = request.graphs;
    m_scene->graph = request.graph;
    m_scene->scopes = std::move(tree);
  }

  std::shared_ptr<const Scene> build() {
    for (int scope = static_cast<int>(m_tree.scopes.size()) - 1; scope >= 0; --scope)
      if (m_visible.open[scope] && !layoutScope(scope)) return nullptr;
    placeAll();
    if (m_cancel.cancelled()) return nullptr;
    finish();
    return m_scene;
  }

 private:
  bool isOpenBox(int entity) const {
    const int scope = entity - m_visible.entities.nodes;
    return scope >= 0 && scope < m_visible.entities.scopes && m_visible.open[scope];
  }
  int scopeOf(int entity) const { return entity - m_visible.entities.nodes; }

  QSizeF sizeOf(int entity) {
    const EntityNumbers& entities = m_visible.entities;
    if (entity < entities.nodes) return m_measure.node(m_graph.nodes[entity]);
    if (isOpenBox(entity)) return m_layouts[scopeOf(entity)].boxSize;
    if (entity < entities.ofInput(0)) return m_measure.folded(m_tree.scopes[scopeOf(entity)]);
    if (entity < entities.ofOutput(0)) return m_measure.terminal(m_graph.values[m_visible.doors[entity - entities.ofInput(0)]]);
    return m_measure.terminal(m_graph.values[m_graph.outputs[entity - entities.ofOutput(0)]]);
  }

  bool layoutScope(int scope) {
    ScopeLayout& own = m_layouts[scope];
    LayoutInput input;
    std::unordered_map<int, int> numberOf;
    own.entities = m_visible.members[scope];
    for (const int entity : own.entities) {
      numberOf[entity] = static_cast<int>(input.nodes.size());
      const QSizeF size = sizeOf(entity);
      input.nodes.push_back({size.width(), size.height(), LayerPin::kFree});
    }
    const auto addBorder = [&](LayerPin pin) {
      input.nodes.push_back({1, 0, pin});
      return static_cast<int>(input.nodes.size()) - 1;
    };
    std::vector<std::pair<int, int>> borders;  // value, layout node; negative node - 1: bottom
    std::vector<LayoutTarget> targets;
    for (const LocalNet& net : m_visible.nets[scope]) {
      targets.clear();
      const int source = net.source == kBorder ? addBorder(LayerPin::kFirst) : numberOf.at(net.source);
      if (net.source == kBorder) borders.emplace_back(net.value, source);
      for (const int target : net.targets) {
        if (target == kBorder) {
          targets.push_back({addBorder(LayerPin::kLast), 0});
          borders.emplace_back(net.value, -targets.back().node - 1);
        } else {
          targets.push_back({numberOf.at(target), isOpenBox(target) ? m_layouts[scopeOf(target)].crossings[net.value].in : kAutomaticPort});
        }
      }
      const double port = net.source == kBorder ? 0 : isOpenBox(net.source) ? m_layouts[scopeOf(net.source)].crossings[net.value].out : kAutomaticPort;
      input.addNet(source, targets, port);
      own.netValues.push_back(net.value);
      own.netSources.push_back(net.source);
    }
    m_visible.nets[scope] = {};
    auto result = layoutLayered(input, {}, m_cancel);
    if (!result) return false;
    own.result = *std::move(result);
    measureBox(scope, borders);
    return true;
  }

  // The shapes beside lines may reach further than the nodes.
  double widthWithShapes(const ScopeLayout& own) const {
    double right = 0;
    for (size_t i = 0; i < own.entities.size(); ++i) {
      if (own.entities[i] >= m_visible.entities.nodes) continue;
      for (const int32_t output : m_graph.nodes[own.entities[i]].outputs)
        if (output >= 0) right = std::max(right, own.result.nodes[i].x + 10 + m_measure.shapeWidth(m_graph.values[output]));
    }
    return right;
  }

  void measureBox(int scope, const std::vector<std::pair<int, int>>& borders) {
    ScopeLayout& own = m_layouts[scope];
    const double title = m_measure.folded(m_tree.scopes[scope]).width() + 20;
    const double content = std::max(own.result.width, widthWithShapes(own) - kBoxPadding / 2);
    const double width = std::max(content + 2 * kBoxPadding, title);
    own.boxSize = QSizeF(width, own.result.height + kBoxHeader + 2 * kBoxPadding);
    own.contentX = (width - content) / 2;
    for (const auto& [value, node] : borders) {
      const double x = own.contentX + own.result.nodes[node >= 0 ? node : -node - 1].x - width / 2;
      (node >= 0 ? own.crossings[value].in : own.crossings[value].out) = x;
    }
  }

  // From the outside in: every scope's place is known once its parent's is.
  void placeAll() {
    std::vector<QPointF> origin(m_tree.scopes.size());
    m_scene->itemOfNode.assign(m_graph.nodes.size(), -1);
    m_itemOfEntity.assign(m_visible.entities.count(), -1);
    for (size_t scope = 0; scope < m_tree.scopes.size(); ++scope) {
      if (!m_visible.open[scope]) continue;
      const ScopeLayout& own = m_layouts[scope];
      for (size_t i = 0; i < own.entities.size(); ++i) placeEntity(static_cast<int>(scope), own.entities[i], own.result.nodes[i], origin);
      placeNets(static_cast<int>(scope), origin[scope]);
    }
    for (size_t n = 0; n < m_graph.nodes.size(); ++n) m_scene->itemOfNode[n] = m_itemOfEntity[m_visible.shownAs[n]];
  }

  void placeEntity(int scope, int entity, const LayoutPlace& place, std::vector<QPointF>& origin) {
    const QSizeF size = sizeOf(entity);
    const QRectF rect(origin[scope].x() + place.x - size.width() / 2, origin[scope].y() + place.y - size.height() / 2, size.width(), size.height());
    const EntityNumbers& entities = m_visible.entities;
    if (isOpenBox(entity)) {
      const int inner = scopeOf(entity);
      m_scene->boxes.push_back({rect, inner});
      origin[inner] = QPointF(rect.left() + m_layouts[inner].contentX, rect.top() + kBoxHeader + kBoxPadding);
      return;
    }
    SceneItem item{rect, ItemKind::kNode, entity, scope};
    if (entity >= entities.ofOutput(0)) {
      item.kind = ItemKind::kOutput;
      item.index = m_graph.outputs[entity - entities.ofOutput(0)];
    } else if (entity >= entities.ofInput(0)) {
      item.kind = ItemKind::kInput;
      item.index = m_visible.doors[entity - entities.ofInput(0)];
    } else if (entity >= entities.nodes) {
      item.kind = ItemKind::kFolded;
      item.index = scopeOf(entity);
    }
    m_itemOfEntity[entity] = static_cast<int>(m_scene->items.size());
    m_scene->items.push_back(item);
  }

  void placeNets(int scope, const QPointF& origin) {
    const ScopeLayout& own = m_layouts[scope];
    const auto entityCount = static_cast<int>(own.entities.size());
    const int firstNet = static_cast<int>(m_scene->nets.size());
    for (size_t n = 0; n < own.netValues.size(); ++n) {
      const int source = own.netSources[n];
      m_scene->nets.push_back({own.netValues[n], source == kBorder || isOpenBox(source) ? -1 : m_itemOfEntity[source], 0, 0});
    }
    const double toBorder = scope == 0 ? 0 : kBoxPadding;
    int lastNet = -1;
    for (const LayoutSegment& segment : own.result.segments) {
      SceneNet& net = m_scene->nets[firstNet + segment.net];
      if (segment.net != lastNet) net.firstSegment = static_cast<int>(m_scene->segments.size());
      const auto add = [&](double x0, double y0, double x1, double y1, bool arrow, bool loose) {
        m_scene->segments.push_back({static_cast<float>(x1 - x0), static_cast<float>(y1 - y0), origin.x() + x0, origin.y() + y0, firstNet + segment.net, arrow, loose});
        ++net.segmentCount;
      };
      if (segment.net != lastNet && own.netSources[segment.net] == kBorder) add(segment.x0, segment.y0 - toBorder - kBoxHeader, segment.x0, segment.y0, false, false);
      lastNet = segment.net;
      const bool arrives = segment.target >= 0 && segment.target < entityCount && !isOpenBox(own.entities[segment.target]);
      add(segment.x0, segment.y0, segment.x1, segment.y1, arrives, segment.loose);
      if (segment.target >= entityCount) add(segment.x1, segment.y1, segment.x1, segment.y1 + toBorder, false, false);
    }
  }

  void finish() {
    Scene& scene = *m_scene;
    const LayoutResult& main = m_layouts[0].result;
    scene.bounds = QRectF(0, 0, main.width, main.height).adjusted(-kMargin, -kMargin, kMargin, kMargin);
    std::vector<QRectF> rects;
    rects.reserve(scene.items.size());
    for (const SceneItem& item : scene.items) rects.push_back(item.rect);
    scene.itemGrid.build(rects);
    rects.clear();
    rects.reserve(scene.segments.size());
    for (const SceneSegment& segment : scene.segments) rects.push_back(QRectF(segment.start(), segment.end()).normalized());
    scene.segmentGrid.build(rects);
    scene.netsOfItem.resize(scene.items.size());
    std::unordered_map<int, std::vector<int>> netsOfValue;
    for (size_t n = 0; n < scene.nets.size(); ++n) netsOfValue[scene.nets[n].value].push_back(static_cast<int>(n));
    const auto touch = [&](int item, int value) {
      const auto nets = netsOfValue.find(value);
      if (item < 0 || nets == netsOfValue.end()) return;
      for (const int net : nets->second) scene.netsOfItem[item].push_back(net);
    };
    for (size_t n = 0; n < m_graph.nodes.size(); ++n) {
      const int item = scene.itemOfNode[n];
      if (scene.items[item].kind == ItemKind::kFolded && scene.netsOfItem[item].size() > 256) continue;
      for (const auto* values : {&m_graph.nodes[n].inputs, &m_graph.nodes[n].outputs, &m_graph.nodes[n].implicitInputs})
        for (const int32_t value : *values)
          if (value >= 0) touch(item, value);
    }
    for (size_t i = 0; i < scene.items.size(); ++i)
      if (scene.items[i].kind == ItemKind::kInput || scene.items[i].kind == ItemKind::kOutput) touch(static_cast<int>(i), scene.items[i].index);
    for (std::vector<int>& nets : scene.netsOfItem) {
      std::sort(nets.begin(), nets.end());
      nets.erase(std::unique(nets.begin(), nets.end()), nets.end());
    }
  }

  const GraphReport& m_graph;
  const ScopeTree& m_tree;
  const CancelToken& m_cancel;
  CardMeasure m_measure;
  VisibleGraph m_visible;
  std::vector<ScopeLayout> m_layouts;
  std::vector<int> m_itemOfEntity;
  std::shared_ptr<Scene> m_scene;
};

}  // namespace

std::shared_ptr<const Scene> buildScene(const SceneRequest& request, const CancelToken& cancel) {
  if (!request.graphs || request.graph < 0 || request.graph >= static_cast<int>(request.graphs->graphs.size())) return nullptr;
  auto tree = request.scopes ? request.scopes : std::make_shared<const ScopeTree>(scopesOf(request.graphs->graphs[request.graph]));
  return Builder(request, cancel, std::move(tree)).build();
}

QSet<QString> initiallyUnfolded(const ScopeTree& tree) {
  QSet<QString> open;
  const bool all = tree.scopes[0].nodeCount <= kReadableNodes;
  std::vector<int> children(tree.scopes.size(), 0);
  for (size_t s = 1; s < tree.scopes.size(); ++s) ++children[tree.scopes[s].parent];
  for (size_t s = 1; s < tree.scopes.size(); ++s) {
    // In large graphs a lone outermost scope is opened, so that there is more to see than one box.
    const bool lonely = tree.scopes[s].parent == 0 && children[0] <= 3 && children[s] <= kBusyTop;
    if (all || lonely) open.insert(tree.scopes[s].path);
  }
  return open;
}

}  // namespace cutaway::ui
