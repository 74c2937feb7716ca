#pragma once
// How the items of a scene look right now: colours of the overlay, selection, hits, pointer.
//
// Thread rule: plain values; made on the GUI thread, read while painting.
// Example: SceneLook look = lookOf(*scene, overlay, theme);  look.selected = {3};  highlightNeighbours(*scene, look);

#include <functional>
#include <unordered_map>
#include <vector>

#include "engine/base/progress.h"
#include "ui/base/theme.h"
#include "ui/canvas/overlay.h"
#include "ui/canvas/play_look.h"
#include "ui/canvas/scene.h"
#include "ui/canvas/scene_figures.h"

namespace cutaway::ui {

struct SceneLook {
  const Theme* theme = nullptr;
  const Overlay* overlay = nullptr;
  std::vector<signed char> category;  // per item
  std::vector<float> share;           // per item, 0..1; negative: none
  std::vector<double> amount;         // per item
  std::vector<TruthKind> truth;       // per item: of its amount
  std::vector<int> selected;          // items
  std::vector<int> neighbours;        // items joined to them
  std::vector<int> nets;              // lines to bring out
  std::vector<int> hits;              // items found, ascending
  int currentHit = -1;                // item
  int hovered = -1;                   // item
  int hoveredNet = -1;
  std::vector<ItemFigures> figures;        // per item, empty: none are known
  std::vector<Played> played;              // per item, empty: nothing is played and no range is chosen
  std::unordered_map<int, QString> parts;  // by item: what its library's own profile says of its time
  std::unordered_map<int, QString> marks;  // by item: the overlay's, of nodes that it stands for
  std::unordered_map<int, int> hulls;      // by scope: category of the provider whose compiled group is open there

  QString figureWords(int item) const;
  const CancelToken* cancel = nullptr;  // painting a large scene may be broken off

  bool cancelled() const { return cancel && cancel->cancelled(); }
  QColor strong(int item) const;  // far-away blocks, bars
  QColor fill(int item) const;    // card
};

// overlayOf: of the graphs of bodies that are unfolded in place; without it, and where it gives null, they have no
// colours.
using OverlayOfGraph = std::function<const Overlay*(int graph)>;
SceneLook lookOf(const Scene& scene, const Overlay& overlay, const Theme& theme, const OverlayOfGraph& overlayOf = {});
// Fills neighbours and nets from the selected items; a selected value of `graph` (-1: the scene's) adds its own nets.
void highlightNeighbours(const Scene& scene, SceneLook& look, int selectedValue, int graph = -1);

}  // namespace cutaway::ui
