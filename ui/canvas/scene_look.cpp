#include "ui/canvas/scene_look.h"

#include <algorithm>
#include <array>

namespace cutaway::ui {
namespace {

// What a folded scope shows for its nodes: the category most of them have, the sum of times and bytes, the first step, the largest error.
struct Gathered {
  std::array<int, 128> votes{};
  double sum = -1;
  double first = -1;
  double largest = -1;
};

}  // namespace

SceneLook lookOf(const Scene& scene, const Overlay& overlay, const Theme& theme) {
  SceneLook look;
  look.theme = &theme;
  look.overlay = &overlay;
  look.category.assign(scene.items.size(), -1);
  look.share.assign(scene.items.size(), -1);
  look.amount.assign(scene.items.size(), -1);
  std::vector<Gathered> gathered;
  std::vector<int> slot(scene.items.size(), -1);
  for (size_t n = 0; n < scene.itemOfNode.size(); ++n) {
    const int item = scene.itemOfNode[n];
    const int category = n < overlay.category.size() ? overlay.category[n] : -1;
    const double amount = n < overlay.amount.size() ? overlay.amount[n] : -1;
    if (scene.items[item].kind != ItemKind::kFolded) {
      look.category[item] = static_cast<signed char>(category);
      look.amount[item] = amount;
      continue;
    }
    if (slot[item] < 0) {
      slot[item] = static_cast<int>(gathered.size());
      gathered.emplace_back();
    }
    Gathered& all = gathered[slot[item]];
    if (category >= 0) ++all.votes[category];
    if (amount < 0) continue;
    all.sum = std::max(all.sum, 0.0) + amount;
    all.largest = std::max(all.largest, amount);
    all.first = all.first < 0 ? amount : std::min(all.first, amount);
  }
  for (size_t item = 0; item < slot.size(); ++item) {
    if (slot[item] < 0) continue;
    const Gathered& all = gathered[slot[item]];
    const auto most = std::max_element(all.votes.begin(), all.votes.end());
    if (*most > 0) look.category[item] = static_cast<signed char>(most - all.votes.begin());
    look.amount[item] = !overlay.descriptor || overlay.descriptor->fold == OverlayFold::kSum ? all.sum : overlay.descriptor->fold == OverlayFold::kFirst ? all.first : all.largest;
  }
  double largest = overlay.largest;
  for (const double amount : look.amount) largest = std::max(largest, amount);
  for (size_t item = 0; item < look.amount.size(); ++item) {
    if (look.amount[item] < 0 || !overlay.isRamp()) continue;
    look.share[item] = static_cast<float>(overlay.shareOf(look.amount[item], largest));
  }
  return look;
}

void highlightNeighbours(const Scene& scene, SceneLook& look, int selectedValue) {
  look.nets.clear();
  look.neighbours.clear();
  constexpr size_t kMostNets = 4000;
  for (const int item : look.selected)
    if (look.nets.size() < kMostNets) look.nets.insert(look.nets.end(), scene.netsOfItem[item].begin(), scene.netsOfItem[item].end());
  if (selectedValue >= 0)
    for (size_t net = 0; net < scene.nets.size(); ++net)
      if (scene.nets[net].value == selectedValue) look.nets.push_back(static_cast<int>(net));
  std::sort(look.nets.begin(), look.nets.end());
  look.nets.erase(std::unique(look.nets.begin(), look.nets.end()), look.nets.end());
  const GraphReport& graph = scene.report();
  for (const int net : look.nets) {
    const ValueReport& value = graph.values[scene.nets[net].value];
    if (value.producer >= 0) look.neighbours.push_back(scene.itemOfNode[value.producer]);
    for (const int32_t consumer : value.consumers) look.neighbours.push_back(scene.itemOfNode[consumer]);
  }
  std::sort(look.neighbours.begin(), look.neighbours.end());
  look.neighbours.erase(std::unique(look.neighbours.begin(), look.neighbours.end()), look.neighbours.end());
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
