#pragma once
// Splits every value into the lines it needs in each open scope: a line that leaves or enters a box crosses its border
// at a port. Lines that run beside one another between the same two boxes are bundled into one.
//
// Thread rule: pure. Used by buildScene() only.

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "ui/canvas/scene.h"
#include "ui/canvas/scene_graph.h"

namespace cutaway::ui {

// Entities of a visible graph: nodes first, then scopes, then terminals.
struct EntityNumbers {
  int nodes = 0, scopes = 0, terminals = 0;
  int ofScope(int scope) const { return nodes + scope; }
  int ofTerminal(int i) const { return nodes + scopes + i; }
  int count() const { return nodes + scopes + terminals; }
};

inline constexpr int kBorder = -1;  // as source: comes in at the top; as target: leaves at the bottom

struct LocalNet {
  int value = 0;  // of the scene graph
  int source = kBorder;
  std::vector<int> targets;  // entities of the same scope, or kBorder
  std::vector<int> others;   // values bundled with it
};

struct VisibleGraph {
  EntityNumbers entities;
  std::vector<bool> open;                                 // per scope
  std::vector<int> shownAs;                               // per node: entity that stands for it
  std::vector<int> holder;                                // per entity: open scope it stands in, -1: hidden
  std::vector<std::vector<int>> members;                  // per scope: entities in it
  std::vector<std::vector<LocalNet>> nets;                // per scope
  std::vector<std::unordered_map<int, int>> bundledInto;  // per scope: value -> the value whose net it is part of

  int lead(int scope, int value) const {
    const auto entry = bundledInto[scope].find(value);
    return entry == bundledInto[scope].end() ? value : entry->second;
  }
};

// A value of the scene graph, the entity it comes from, those it goes to.
using SeenConnection = std::function<void(int value, int source, std::span<const int> targets)>;

// onConnection: told every connection whole, before it is split at the borders of scopes.
VisibleGraph visibleGraph(const ModelGraphs& graphs, const SceneGraph& shown, const SceneRequest& request,
                          const SeenConnection& onConnection = {});

}  // namespace cutaway::ui
