// Builds a scene: what is shown, which lines it needs, where things stand in each open scope, and then all of it in one
// plane.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/canvas/scene.h"
#include "ui/canvas/scope_layouts.h"

namespace cutaway::ui {
namespace {

constexpr double kMargin = 32;
constexpr int kReadableNodes = 600;  // up to here everything is shown open
constexpr int kBusyTop = 60;         // entities that an overview may have
constexpr size_t kMostNetsOfScope = 256;

// A curve stays within its ends and controls; lines against the flow reach beyond their ends.
QRectF reachOf(const SegmentCurve& curve) {
  const auto [left, right] = std::minmax({curve.start.x(), curve.control1.x(), curve.control2.x(), curve.end.x()});
  const auto [top, bottom] = std::minmax({curve.start.y(), curve.control1.y(), curve.control2.y(), curve.end.y()});
  return {left, top, right - left, bottom - top};
}

class Builder {
 public:
  Builder(const SceneRequest& request, const CancelToken& cancel, SceneCache& cache,
          std::shared_ptr<const ScopeTree> groups)
      : m_request(request),
        m_cancel(cancel),
        m_shown(sceneGraph(*request.graphs, request.graph, groups, request.unfolded)),
        m_visible(visibleGraph(*request.graphs, m_shown, request)),
        m_layouts(request, m_shown, m_visible, cache, cancel),
        m_right(request.direction == FlowDirection::kRight) {
    m_scene = std::make_shared<Scene>();
    m_scene->graphs = request.graphs;
    m_scene->graph = request.graph;
    m_scene->grouping = request.grouping;
    m_scene->direction = request.direction;
    m_scene->contents = request.contents;
    m_scene->window = request.window;
    m_scene->groups = std::move(groups);
    m_scene->scopes = m_shown.tree;
  }

  std::shared_ptr<const Scene> build() {
    if (!m_layouts.run()) return nullptr;
    m_scene->layoutNote = m_layouts.note();
    placeAll();
    if (m_cancel.cancelled()) return nullptr;
    finish();
    if (m_cancel.cancelled()) return nullptr;
    return m_scene;
  }

 private:
  // From the layout's plane to the screen's.
  QPointF onScreen(double across, double along) const {
    return m_right ? QPointF(along, across) : QPointF(across, along);
  }

  // From the outside in: every scope's place is known once its parent's is. Origins are in the layout's plane.
  void placeAll() {
    std::vector<QPointF> origin(m_shown.tree->scopes.size());
    m_itemOfEntity.assign(m_visible.entities.count(), -1);
    for (size_t scope = 0; scope < origin.size(); ++scope) {
      if (!m_visible.open[scope]) continue;
      const ScopeLayout& own = m_layouts.of(static_cast<int>(scope));
      for (size_t i = 0; i < own.entities.size(); ++i)
        placeEntity(static_cast<int>(scope), own.entities[i], own.result->nodes[i], origin);
      placeNets(static_cast<int>(scope), origin[scope]);
    }
    m_scene->itemOfNode.resize(m_shown.baseNodes);
    for (int n = 0; n < m_shown.baseNodes; ++n)
      m_scene->itemOfNode[n] = m_itemOfEntity[m_visible.shownAs[n]];
    for (size_t n = m_shown.baseNodes; n < m_shown.nodes.size(); ++n)
      m_scene->bodyNodes.push_back(
          {m_shown.nodes[n].graph, m_shown.nodes[n].node, m_itemOfEntity[m_visible.shownAs[n]]});
  }

  void placeEntity(int scope, int entity, const LayoutPlace& place, std::vector<QPointF>& origin) {
    const QSizeF size = m_layouts.sizeOf(entity);
    const QPointF middle = onScreen(origin[scope].x() + place.x, origin[scope].y() + place.y);
    const QRectF rect(middle.x() - size.width() / 2, middle.y() - size.height() / 2, size.width(), size.height());
    const EntityNumbers& entities = m_visible.entities;
    const int graphOfScope = graphOf(scope);
    if (m_layouts.isOpenBox(entity)) {
      const int inner = m_layouts.scopeOf(entity);
      const ScopeLayout& box = m_layouts.of(inner);
      m_scene->boxes.push_back({rect, inner});
      origin[inner] = QPointF(origin[scope].x() + place.x - box.width / 2 + box.inset,
                              origin[scope].y() + place.y - box.height / 2 + box.lead);
      const Scope& shown = m_shown.tree->scopes[inner];
      if (shown.kind != ScopeKind::kBody) return;
      m_itemOfEntity[entity] = static_cast<int>(m_scene->items.size());
      m_scene->items.push_back({QRectF(rect.left(), rect.top(), rect.width(), kBoxHeader), ItemKind::kHeader,
                                shown.callNode, inner, shown.callGraph});
      return;
    }
    SceneItem item{rect, ItemKind::kNode, entity, scope, graphOfScope};
    if (entity >= entities.ofTerminal(0)) {
      const SceneGraph::Terminal& terminal = m_shown.terminals[entity - entities.ofTerminal(0)];
      item.kind = terminal.output ? ItemKind::kOutput : ItemKind::kInput;
      item.index = m_shown.values[terminal.value].value;
      item.graph = m_shown.values[terminal.value].graph;
    } else if (entity >= entities.nodes) {
      item.kind = ItemKind::kFolded;
      item.index = m_layouts.scopeOf(entity);
      const Scope& folded = m_shown.tree->scopes[item.index];
      if (folded.kind == ScopeKind::kCard) {
        item.kind = ItemKind::kNode;
        item.card = std::exchange(item.index, folded.callNode);
      }
    } else {
      item.index = m_shown.nodes[entity].node;
      item.graph = m_shown.nodes[entity].graph;
    }
    m_itemOfEntity[entity] = static_cast<int>(m_scene->items.size());
    m_scene->items.push_back(item);
  }

  // Graph that a scope's nodes are of. Bodies are never folded scopes, so this is only asked for scopes that hold them.
  int graphOf(int scope) const {
    for (int s = scope; s > 0; s = m_shown.tree->scopes[s].parent) {
      const ScopeKind kind = m_shown.tree->scopes[s].kind;
      if (kind == ScopeKind::kBody || kind == ScopeKind::kBranch) return -1;
    }
    return m_request.graph;
  }

  void placeNets(int scope, const QPointF& origin) {
    const ScopeLayout& own = m_layouts.of(scope);
    const auto entityCount = static_cast<int>(own.entities.size());
    const int firstNet = static_cast<int>(m_scene->nets.size());
    for (const LocalNet& net : m_visible.nets[scope]) {
      SceneNet line;
      line.value = m_shown.values[net.value].value;
      line.graph = m_shown.values[net.value].graph;
      line.source = net.source == kBorder || m_layouts.isOpenBox(net.source) ? -1 : m_itemOfEntity[net.source];
      m_netsOfValue.emplace_back(net.value, static_cast<int>(m_scene->nets.size()));
      if (!net.others.empty()) {
        line.bundle = static_cast<int>(m_scene->bundles.size());
        std::vector<int> values = {line.value};
        for (const int other : net.others) {
          m_netsOfValue.emplace_back(other, static_cast<int>(m_scene->nets.size()));
          if (m_shown.values[other].graph == line.graph) values.push_back(m_shown.values[other].value);
        }
        m_scene->bundles.push_back(std::move(values));
      }
      m_scene->nets.push_back(line);
    }
    const double lead = scope == 0 ? 0 : own.lead, trail = scope == 0 ? 0 : own.trail;
    int lastNet = -1;
    for (const LayoutSegment& segment : own.result->segments) {
      SceneNet& net = m_scene->nets[firstNet + segment.net];
      if (segment.net != lastNet) net.firstSegment = static_cast<int>(m_scene->segments.size());
      const auto add = [&](double x0, double y0, double x1, double y1, int target, bool loose) {
        const QPointF start = onScreen(origin.x() + x0, origin.y() + y0),
                      end = onScreen(origin.x() + x1, origin.y() + y1);
        if (net.segmentCount > 0 && goesOn(m_scene->segments.back(), start, end, loose)) {
          SceneSegment& last = m_scene->segments.back();
          last.dx = static_cast<float>(end.x() - last.x);
          last.dy = static_cast<float>(end.y() - last.y);
          last.target = target;
          return;
        }
        m_scene->segments.push_back({start.x(), start.y(), static_cast<float>(end.x() - start.x()),
                                     static_cast<float>(end.y() - start.y()), firstNet + segment.net, target, loose});
        ++net.segmentCount;
      };
      if (segment.net != lastNet && own.netSources[segment.net] == kBorder)
        add(segment.x0, segment.y0 - lead, segment.x0, segment.y0, -1, false);
      lastNet = segment.net;
      add(segment.x0, segment.y0, segment.x1, segment.y1, arrowAt(own, segment, scope), segment.loose);
      if (segment.target >= entityCount) add(segment.x1, segment.y1, segment.x1, segment.y1 + trail, -1, false);
    }
  }

  // Straight pieces along the flow, one behind the other, are one piece.
  bool goesOn(const SceneSegment& last, const QPointF& start, const QPointF& end, bool loose) const {
    const QPointF way = last.end() - start;
    if (loose || last.loose || last.target >= 0 || std::abs(way.x()) > 0.01 || std::abs(way.y()) > 0.01) return false;
    const float aside = m_right ? last.dy : last.dx;
    const double next = m_right ? end.y() - start.y() : end.x() - start.x();
    return std::abs(aside) < 0.01f && std::abs(next) < 0.01;
  }

  // The item that a piece of line ends at. A box that the value does not enter has the line end at its title bar.
  int arrowAt(const ScopeLayout& own, const LayoutSegment& segment, int scope) const {
    if (segment.target < 0 || segment.target >= static_cast<int>(own.entities.size())) return -1;
    const int entity = own.entities[segment.target];
    if (!m_layouts.isOpenBox(entity)) return m_itemOfEntity[entity];
    const auto& crossings = m_layouts.of(m_layouts.scopeOf(entity)).crossings;
    const auto crossing = crossings.find(m_visible.nets[scope][segment.net].value);
    return crossing == crossings.end() || !crossing->second.enters ? m_itemOfEntity[entity] : -1;
  }

  void finish() {
    Scene& scene = *m_scene;
    const LayoutResult& main = *m_layouts.of(0).result;
    const double labels = m_right ? 0 : m_layouts.widthWithLabels(m_layouts.of(0)) - kMargin / 2;
    scene.bounds = QRectF(QPointF(0, 0), onScreen(std::max(main.width, labels), main.height))
                       .adjusted(-kMargin, -kMargin, kMargin, kMargin);
    std::vector<QRectF> rects;
    rects.reserve(scene.items.size());
    for (const SceneItem& item : scene.items)
      rects.push_back(item.rect);
    scene.itemGrid.build(std::move(rects));
    rects = {};
    rects.reserve(scene.segments.size());
    for (const SceneSegment& segment : scene.segments)
      rects.push_back(reachOf(curveOf(segment, scene.direction)));
    scene.segmentGrid.build(std::move(rects));
    rects = {};
    for (const SceneBox& box : scene.boxes)
      rects.push_back(box.rect);
    scene.boxGrid.build(std::move(rects));
    listNetsOfItems();
  }

  void listNetsOfItems() {
    std::vector<std::pair<int, int>> lines;  // item, net
    IndexRows netsOfValue;
    netsOfValue.build(m_shown.values.size(), m_netsOfValue);
    std::vector<int> listed(m_scene->items.size(), 0);
    const auto touch = [&](int entity, int value) {
      const int item = m_itemOfEntity[entity];
      if (item < 0) return;
      if (m_scene->items[item].kind == ItemKind::kFolded && listed[item] > static_cast<int>(kMostNetsOfScope)) return;
      for (const int net : netsOfValue[value]) {
        lines.emplace_back(item, net);
        ++listed[item];
      }
    };
    for (size_t v = 0; v < m_shown.values.size(); ++v) {
      const SceneGraph::Value& value = m_shown.values[v];
      const int number = static_cast<int>(v);
      if (netsOfValue[v].empty()) continue;
      if (value.producer >= 0) touch(m_visible.shownAs[value.producer], number);
      if (number < m_shown.baseValues)
        for (const int32_t consumer : m_request.graphs->graphs[value.graph].values[value.value].consumers)
          touch(m_visible.shownAs[consumer], number);
      if (const auto inside = m_shown.readersInside.find(number); inside != m_shown.readersInside.end())
        for (const int reader : inside->second)
          touch(m_visible.shownAs[reader], number);
    }
    for (int i = 0; i < m_visible.entities.terminals; ++i)
      touch(m_visible.entities.ofTerminal(i), m_shown.terminals[i].value);
    m_scene->netsOfItem.build(m_scene->items.size(), lines);
  }

  const SceneRequest& m_request;
  const CancelToken& m_cancel;
  SceneGraph m_shown;
  VisibleGraph m_visible;
  ScopeLayouts m_layouts;
  bool m_right;
  std::vector<int> m_itemOfEntity;
  std::vector<std::pair<int, int>> m_netsOfValue;
  std::shared_ptr<Scene> m_scene;
};

}  // namespace

std::shared_ptr<const Scene> buildScene(const SceneRequest& request, const CancelToken& cancel) {
  if (!request.graphs || request.graph < 0 || request.graph >= static_cast<int>(request.graphs->graphs.size()))
    return nullptr;
  SceneCache own;
  SceneCache& cache = request.cache ? *request.cache : own;
  cache.begin();
  auto groups = request.scopes ? request.scopes : cache.groups(request);
  return Builder(request, cancel, cache, std::move(groups)).build();
}

QSet<QString> initiallyUnfolded(const ScopeTree& tree) {
  QSet<QString> open;
  std::vector<int> children(tree.scopes.size(), 0);
  int shown = tree.scopes[0].nodeCount;
  for (size_t s = 1; s < tree.scopes.size(); ++s) {
    if (tree.scopes[s].kind == ScopeKind::kCard) {
      shown -= tree.scopes[s].nodeCount - 1;
    } else {
      ++children[tree.scopes[s].parent];
    }
  }
  const bool all = shown <= kReadableNodes;
  for (size_t s = 1; s < tree.scopes.size(); ++s) {
    if (tree.scopes[s].kind == ScopeKind::kCard) continue;
    // In large graphs a lone outermost scope is opened, so that there is more to see than one box.
    const bool lonely = tree.scopes[s].parent == 0 && children[0] <= 3 && children[s] <= kBusyTop;
    if (all || lonely) open.insert(tree.scopes[s].path);
  }
  return open;
}

}  // namespace cutaway::ui
