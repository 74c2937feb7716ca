#pragma once
// Splits every value into the lines it needs in each open scope: a line that leaves or enters a box crosses its border at a port.
//
// Thread rule: pure. Used by buildScene() only.

#include <vector>

#include "ui/canvas/scene.h"

namespace cutaway::ui {

// Entities of a visible graph: nodes first, then scopes, then inputs, then outputs.
struct EntityNumbers {
  int nodes = 0, scopes = 0, inputs = 0, outputs = 0;
  int ofScope(int scope) const { return nodes + scope; }
  int ofInput(int i) const { return nodes + scopes + i; }
  int ofOutput(int i) const { return nodes + scopes + inputs + i; }
  int count() const { return nodes + scopes + inputs + outputs; }
};

inline constexpr int kBorder = -1;  // as source: comes in at the top; as target: leaves at the bottom

struct LocalNet {
  int value = 0;
  int source = kBorder;
  std::vector<int> targets;  // entities of the same scope, or kBorder
};

struct VisibleGraph {
  EntityNumbers entities;
  std::vector<int> doors;                    // values that enter the graph: its inputs, and what a body reads from outside
  std::vector<bool> open;                    // per scope
  std::vector<int> shownAs;                  // per node: entity that stands for it
  std::vector<int> holder;                   // per entity: open scope it stands in, -1: hidden
  std::vector<std::vector<int>> members;     // per scope: entities in it
  std::vector<std::vector<LocalNet>> nets;   // per scope
};

VisibleGraph visibleGraph(const GraphReport& graph, const ScopeTree& tree, const SceneRequest& request);

}  // namespace cutaway::ui
