// Provenance read backwards: from the nodes after optimisation and the list of rewrites to what became of each original
// node.
#include "ui/base/node_changes.h"

#include <algorithm>

namespace cutaway::ui {
namespace {

struct Fate {
  NodeChange change = NodeChange::kRemoved;
  const std::string* pass = nullptr;
};

NodeChange changeOf(const NodeReport& node) {
  if (node.origins.empty()) return NodeChange::kAdded;
  if (node.origins.size() > 1) return NodeChange::kFused;
  return node.rewrite.empty() ? NodeChange::kKept : NodeChange::kChanged;
}

// Of every original node: the strongest thing that happened to it.
std::vector<Fate> fates(const WalkReport& walk) {
  std::vector<Fate> all;
  const auto place = [&all](int32_t origin) -> Fate& {
    if (static_cast<size_t>(origin) >= all.size()) all.resize(static_cast<size_t>(origin) + 1);
    return all[static_cast<size_t>(origin)];
  };
  for (const RewriteReport& rewrite : walk.optimize->rewrites)
    for (const int32_t origin : rewrite.origins) {
      if (origin < 0) continue;
      Fate& fate = place(origin);
      fate.pass = &rewrite.pass;
      fate.change = rewrite.added.empty() && rewrite.pass.find("Fold") != std::string::npos ? NodeChange::kFolded
                                                                                            : NodeChange::kRemoved;
    }
  // What is still there was not removed.
  for (const GraphReport& graph : walk.optimizedGraphs->graphs)
    for (const NodeReport& node : graph.nodes)
      for (const int32_t origin : node.origins) {
        if (origin < 0) continue;
        Fate& fate = place(origin);
        const NodeChange change = changeOf(node);
        fate.change = fate.change == NodeChange::kRemoved || fate.change == NodeChange::kFolded
                          ? change
                          : std::max(fate.change, change);
        if (!node.rewrite.empty()) fate.pass = &node.rewrite.string();
        if (change == NodeChange::kKept) fate.pass = nullptr;
      }
  return all;
}

}  // namespace

NodeChanges changesOf(const WalkReport& walk, GraphVersion version, int graph) {
  const auto& graphs = version == GraphVersion::kPartitioned ? walk.partitionedGraphs
                       : version == GraphVersion::kOptimized ? walk.optimizedGraphs
                                                             : walk.loadedGraphs;
  NodeChanges changes;
  if (!graphs || graph < 0 || graph >= static_cast<int>(graphs->graphs.size())) return changes;
  const std::vector<NodeReport>& nodes = graphs->graphs[static_cast<size_t>(graph)].nodes;
  changes.change.assign(nodes.size(), NodeChange::kUnknown);
  changes.pass.resize(nodes.size());
  TextPool texts;
  if (!walk.optimize || !walk.optimizedGraphs) return changes;
  std::vector<Fate> all;
  if (version != GraphVersion::kOptimized) all = fates(walk);
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (version == GraphVersion::kOptimized || nodes[n].origins.empty()) {
      changes.change[n] = changeOf(nodes[n]);
      changes.pass[n] = nodes[n].rewrite;
      continue;
    }
    // A compiled group has many originals: it shows the strongest change among them, not that it is a group.
    NodeChange strongest = NodeChange::kUnknown;
    for (const int32_t origin : nodes[n].origins) {
      const Fate fate =
          origin >= 0 && static_cast<size_t>(origin) < all.size() ? all[static_cast<size_t>(origin)] : Fate{};
      if (fate.change > strongest)
        strongest = fate.change, changes.pass[n] = fate.pass ? texts.of(*fate.pass) : SharedText();
    }
    changes.change[n] = strongest;
  }
  return changes;
}

}  // namespace cutaway::ui
