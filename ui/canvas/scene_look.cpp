#include "ui/canvas/scene_look.h"

#include <algorithm>
#include <array>

#include "ui/canvas/opened_groups.h"

namespace cutaway::ui {
namespace {

// What a folded scope shows for its nodes: the category most of them have, the sum of times and bytes, the first step,
// the largest error. A card shows the same of all that is on it, and the category of its own node.
struct Gathered {
  std::array<int, 128> votes{};
  double sum = -1;
  double first = -1;
  double largest = -1;
};

// Adds what the overlay says about a node to the item that shows it.
class Gatherer {
 public:
  Gatherer(const Scene& scene, SceneLook& look) : m_scene(scene), m_look(look), m_slot(scene.items.size(), -1) {}

  void add(const Overlay& overlay, int node, int item) {
    const auto n = static_cast<size_t>(node);
    const int category = n < overlay.category.size() ? overlay.category[n] : -1;
    const double amount = n < overlay.amount.size() ? overlay.amount[n] : -1;
    const SceneItem& shown = m_scene.items[item];
    const bool isFolded = shown.kind == ItemKind::kFolded;
    if (!isFolded && (shown.card == 0 || shown.index == node))
      m_look.category[item] = static_cast<signed char>(category);
    if (!isFolded && shown.card == 0) {
      m_look.amount[item] = amount;
      m_look.truth[item] = overlay.truthOf(node);
      return;
    }
    if (m_slot[item] < 0) {
      m_slot[item] = static_cast<int>(m_gathered.size());
      m_gathered.emplace_back();
    }
    Gathered& all = m_gathered[m_slot[item]];
    if (category >= 0 && isFolded) ++all.votes[category];
    if (overlay.isRamp()) m_look.truth[item] = lessSure(m_look.truth[item], overlay.truthOf(node));
    if (amount < 0) return;
    all.sum = std::max(all.sum, 0.0) + amount;
    all.largest = std::max(all.largest, amount);
    all.first = all.first < 0 ? amount : std::min(all.first, amount);
  }

  void finish(const Overlay& overlay) {
    const OverlayFold fold = overlay.descriptor ? overlay.descriptor->fold : OverlayFold::kSum;
    for (size_t item = 0; item < m_slot.size(); ++item) {
      if (m_slot[item] < 0) continue;
      const Gathered& all = m_gathered[m_slot[item]];
      const auto most = std::max_element(all.votes.begin(), all.votes.end());
      if (*most > 0) m_look.category[item] = static_cast<signed char>(most - all.votes.begin());
      m_look.amount[item] = fold == OverlayFold::kSum ? all.sum : fold == OverlayFold::kFirst ? all.first : all.largest;
    }
  }

 private:
  const Scene& m_scene;
  SceneLook& m_look;
  std::vector<int> m_slot;
  std::vector<Gathered> m_gathered;
};

void addMarks(const Scene& scene, const Overlay& overlay, const OverlayOfGraph& overlayOf, SceneLook& look) {
  const auto add = [&look](const Overlay& of, int node, int item) {
    const auto mark = of.marks.find(node);
    if (mark == of.marks.end() || item < 0) return;
    QString& words = look.marks[item];
    if (!words.contains(mark->second)) words += (words.isEmpty() ? QString() : QStringLiteral("\n")) + mark->second;
  };
  if (!overlay.marks.empty())
    for (size_t n = 0; n < scene.itemOfNode.size(); ++n)
      if (scene.items[scene.itemOfNode[n]].kind != ItemKind::kFolded)
        add(overlay, static_cast<int>(n), scene.itemOfNode[n]);
  for (const Scene::BodyNode& node : scene.bodyNodes)
    if (const Overlay* of = overlayOf ? overlayOf(node.graph) : nullptr; of && !of->marks.empty())
      add(*of, node.node, node.item);
}

}  // namespace

SceneLook lookOf(const Scene& scene, const Overlay& overlay, const Theme& theme, const OverlayOfGraph& overlayOf) {
  SceneLook look;
  look.theme = &theme;
  look.overlay = &overlay;
  look.category.assign(scene.items.size(), -1);
  look.share.assign(scene.items.size(), -1);
  look.amount.assign(scene.items.size(), -1);
  look.truth.assign(scene.items.size(), TruthKind::kExact);
  Gatherer gatherer(scene, look);
  for (size_t n = 0; n < scene.itemOfNode.size(); ++n)
    gatherer.add(overlay, static_cast<int>(n), scene.itemOfNode[n]);
  for (const Scene::BodyNode& node : scene.bodyNodes)
    if (const Overlay* of = overlayOf ? overlayOf(node.graph) : nullptr) gatherer.add(*of, node.node, node.item);
  gatherer.finish(overlay);
  addMarks(scene, overlay, overlayOf, look);
  // An open group is the sum of what is seen inside of it.
  const auto isOpen = [&](size_t item) {
    return scene.items[item].kind == ItemKind::kHeader && opensAsHull(scene.nodeOf(scene.items[item]));
  };
  double largest = overlay.largest;
  for (size_t item = 0; item < look.amount.size(); ++item)
    if (!isOpen(item)) largest = std::max(largest, look.amount[item]);
  for (size_t item = 0; item < look.amount.size(); ++item) {
    if (look.amount[item] < 0 || !overlay.isRamp()) continue;
    look.share[item] = static_cast<float>(std::min(1.0, overlay.shareOf(look.amount[item], largest)));
  }
  return look;
}

void highlightNeighbours(const Scene& scene, SceneLook& look, int selectedValue, int graph) {
  look.nets.clear();
  look.neighbours.clear();
  constexpr size_t kMostNets = 4000;
  for (const int item : look.selected) {
    if (look.nets.size() >= kMostNets) break;
    const auto nets = scene.netsOfItem[item];
    look.nets.insert(look.nets.end(), nets.begin(), nets.end());
  }
  if (selectedValue >= 0) {
    const std::vector<int> nets = scene.netsOf(graph < 0 ? scene.graph : graph, selectedValue);
    look.nets.insert(look.nets.end(), nets.begin(), nets.end());
  }
  std::sort(look.nets.begin(), look.nets.end());
  look.nets.erase(std::unique(look.nets.begin(), look.nets.end()), look.nets.end());
  for (const int n : look.nets) {
    const SceneNet& net = scene.nets[n];
    if (net.source >= 0) look.neighbours.push_back(net.source);
    for (int s = net.firstSegment; s < net.firstSegment + net.segmentCount; ++s)
      if (scene.segments[s].target >= 0) look.neighbours.push_back(scene.segments[s].target);
  }
  std::sort(look.neighbours.begin(), look.neighbours.end());
  look.neighbours.erase(std::unique(look.neighbours.begin(), look.neighbours.end()), look.neighbours.end());
}

QString SceneLook::figureWords(int item) const {
  return figures.empty() ? QString() : ui::figureWords(figures[item]);
}

QColor SceneLook::strong(int item) const {
  if (share[item] >= 0) return mix(theme->ramp(share[item]), theme->borderStrong, share[item] < 0.08f ? 0.25 : 0.0);
  if (category[item] >= 0) return theme->category(category[item]).color;
  return theme->category(-1).color;
}

QColor SceneLook::fill(int item) const {
  if (share[item] >= 0) return mix(theme->surface, theme->ramp(share[item]), 0.9);
  if (category[item] >= 0) return theme->category(category[item]).fill;
  return theme->surface;
}

}  // namespace cutaway::ui
