#include "ui/canvas/scene_morph.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace cutaway::ui {
namespace {

QRectF between(const QRectF& from, const QRectF& to, double share) {
  return {from.topLeft() + (to.topLeft() - from.topLeft()) * share,
          QSizeF(from.width() + (to.width() - from.width()) * share,
                 from.height() + (to.height() - from.height()) * share)};
}

// A small rectangle of the card's proportions within another: what grows out of a folded scope begins there.
QRectF within(const QRectF& around, const QSizeF& size) {
  const double factor = std::min({around.width() / size.width(), around.height() / size.height(), 1.0}) * 0.6;
  const QSizeF small = size * factor;
  return {around.center() - QPointF(small.width(), small.height()) / 2, small};
}

// Item of the old scene for every node of the new one.
class NodeMatch {
 public:
  NodeMatch(const Scene& before, const Scene& after)
      : m_before(before), m_after(after), m_same(before.graphs == after.graphs) {
    if (m_same) return;
    for (size_t n = 0; n < before.itemOfNode.size(); ++n)
      for (const int32_t origin : before.report().nodes[n].origins)
        m_itemOfOrigin.try_emplace(origin, before.itemOfNode[n]);
    for (const Scene::BodyNode& node : before.bodyNodes)
      for (const int32_t origin : before.graphs->graphs[node.graph].nodes[node.node].origins)
        m_itemOfOrigin.try_emplace(origin, node.item);
  }

  int of(int graph, int node) const {
    if (m_same && graph == m_before.graph) return m_before.itemOfNode[node];
    if (m_same) {
      const std::vector<int> items = m_before.itemsOf(graph, node);
      return items.empty() ? -1 : items.front();
    }
    for (const int32_t origin : m_after.graphs->graphs[graph].nodes[node].origins)
      if (const auto known = m_itemOfOrigin.find(origin); known != m_itemOfOrigin.end()) return known->second;
    return -1;
  }

 private:
  const Scene& m_before;
  const Scene& m_after;
  bool m_same;
  std::unordered_map<int32_t, int> m_itemOfOrigin;
};

bool isCard(const SceneItem& item) {
  return item.kind == ItemKind::kNode || item.kind == ItemKind::kHeader;
}
bool isDoor(const SceneItem& item) {
  return item.kind == ItemKind::kInput || item.kind == ItemKind::kOutput;
}

QString doorKey(const Scene& scene, const SceneItem& item) {
  return QString::number(static_cast<int>(item.kind)) + QLatin1Char(':') + QString::number(item.graph) +
         QLatin1Char(':') + QString::fromStdString(scene.reportOf(item).values[item.index].name);
}

const QString& pathOf(const Scene& scene, int scope) {
  return scene.scopes->scopes[scope].path;
}

}  // namespace

SceneMorph::SceneMorph(std::shared_ptr<const Scene> before, std::shared_ptr<const Scene> after, const QPointF& shift)
    : m_before(std::move(before)),
      m_after(std::move(after)),
      m_shift(shift),
      m_from(m_after->items.size()),
      m_boxFrom(m_after->boxes.size()),
      m_netIsNew(m_after->nets.size(), true),
      m_becomes(m_before->items.size(), -1) {
  matchItems();
  matchBoxes();
  listGone();
  matchNets();
}

void SceneMorph::matchItems() {
  const NodeMatch match(*m_before, *m_after);
  QHash<QString, int> known;
  for (size_t i = 0; i < m_before->items.size(); ++i) {
    const SceneItem& item = m_before->items[i];
    if (isDoor(item)) known.insert(doorKey(*m_before, item), static_cast<int>(i));
    if (item.kind == ItemKind::kFolded)
      known.insert(QStringLiteral("s:") + pathOf(*m_before, item.index), static_cast<int>(i));
  }
  std::vector<bool> taken(m_before->items.size(), false);
  const auto take = [&](int item, int old) {
    m_becomes[old] = m_becomes[old] < 0 ? item : m_becomes[old];
    const QRectF rect = m_before->items[old].rect.translated(m_shift);
    const SceneItem& shown = m_after->items[item];
    const bool alike = isCard(shown) == isCard(m_before->items[old]) && isDoor(shown) == isDoor(m_before->items[old]);
    if (alike && !taken[old]) {
      taken[old] = true;
      m_from[item] = {rect, old};
    } else if (m_from[item].rect.isNull()) {
      m_from[item] = {within(rect, shown.rect.size()), -1};
    }
  };
  for (size_t i = 0; i < m_after->items.size(); ++i) {
    const SceneItem& item = m_after->items[i];
    if (isDoor(item)) {
      if (const auto old = known.constFind(doorKey(*m_after, item)); old != known.constEnd())
        take(static_cast<int>(i), *old);
    } else if (item.kind == ItemKind::kFolded) {
      if (const auto old = known.constFind(QStringLiteral("s:") + pathOf(*m_after, item.index));
          old != known.constEnd())
        take(static_cast<int>(i), *old);
    }
  }
  const auto matchNode = [&](int graph, int node, int item) {
    const int old = match.of(graph, node);
    if (old < 0 || item < 0) return;
    if (isCard(m_after->items[item])) return take(item, old);
    if (m_becomes[old] < 0 && isCard(m_before->items[old])) m_becomes[old] = item;
  };
  for (size_t n = 0; n < m_after->itemOfNode.size(); ++n)
    matchNode(m_after->graph, static_cast<int>(n), m_after->itemOfNode[n]);
  // Bodies: numbers within one graph do not change, places in a function that is there twice may.
  for (const Scene::BodyNode& node : m_after->bodyNodes)
    matchNode(node.graph, node.node, node.item);
}

void SceneMorph::matchBoxes() {
  QHash<QString, QRectF> places;
  for (const SceneBox& box : m_before->boxes)
    places.insert(pathOf(*m_before, box.scope), box.rect.translated(m_shift));
  for (const SceneItem& item : m_before->items)
    if (item.kind == ItemKind::kFolded) places.insert(pathOf(*m_before, item.index), item.rect.translated(m_shift));
  for (size_t b = 0; b < m_after->boxes.size(); ++b)
    m_boxFrom[b] = places.value(pathOf(*m_after, m_after->boxes[b].scope));
  // A scope that was open and is a card now shrinks from its box.
  for (size_t i = 0; i < m_after->items.size(); ++i)
    if (m_after->items[i].kind == ItemKind::kFolded && m_from[i].item < 0)
      m_from[i].rect = places.value(pathOf(*m_after, m_after->items[i].index));
}

void SceneMorph::listGone() {
  std::vector<bool> kept(m_before->items.size(), false);
  for (const From& from : m_from)
    if (from.item >= 0) kept[from.item] = true;
  for (size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) continue;
    const QRectF from = m_before->items[i].rect.translated(m_shift);
    const int into = m_becomes[i];
    const bool shrinks = into >= 0 && m_before->items[i].kind != ItemKind::kFolded;
    m_gone.push_back({static_cast<int>(i), from, shrinks ? within(m_after->items[into].rect, from.size()) : from});
  }
}

void SceneMorph::matchNets() {
  std::unordered_set<std::string_view> names;
  for (const SceneNet& net : m_before->nets)
    names.insert(m_before->valueOf(net).name);
  for (size_t n = 0; n < m_after->nets.size(); ++n) {
    const SceneNet& net = m_after->nets[n];
    m_netIsNew[n] = !names.contains(m_after->valueOf(net).name) || (net.source >= 0 && m_from[net.source].item < 0);
  }
}

QRectF SceneMorph::rect(int item, double share) const {
  const QRectF& to = m_after->items[item].rect;
  return m_from[item].rect.isNull() ? to : between(m_from[item].rect, to, share);
}

QRectF SceneMorph::Gone::rect(double share) const {
  return between(from, to, share);
}

QRectF SceneMorph::boxRect(int box, double share) const {
  const QRectF& to = m_after->boxes[box].rect;
  return m_boxFrom[box].isNull() ? to : between(m_boxFrom[box], to, share);
}

QPointF SceneMorph::moved(const QPointF& point, int item, double share) const {
  if (item < 0) return point;
  const QRectF& to = m_after->items[item].rect;
  const QRectF now = rect(item, share);
  // In proportion within the card, so that an end stays on its edge while the card grows.
  const double x = to.width() > 0 ? (point.x() - to.left()) / to.width() : 0.5,
               y = to.height() > 0 ? (point.y() - to.top()) / to.height() : 0.5;
  return {now.left() + x * now.width(), now.top() + y * now.height()};
}

}  // namespace cutaway::ui
