#pragma once
// What optimisation did with every node of a graph, in any version of it: kept, changed, fused, folded away, removed or
// added, and by which pass.
//
// Thread rule: pure over immutable snapshots, linear in nodes and rewrites.
// Example: NodeChanges changes = changesOf(*walk, GraphVersion::kLoaded, 0);  if (changes.change[3] ==
// NodeChange::kFolded) show(changes.pass[3]);

#include <string>
#include <vector>

#include <QString>

#include "engine/report/walk_report.h"
#include "ui/base/graph_target.h"

namespace cutaway::ui {

enum class NodeChange : unsigned char {
  kUnknown,  // Optimize is not done
  kKept,
  kChanged,  // made anew from one node
  kFused,    // one node made of several, or part of it
  kFolded,   // computed to a constant
  kRemoved,
  kAdded,  // comes of no node of the model
};

struct NodeChanges {
  std::vector<NodeChange> change;  // per node
  std::vector<SharedText> pass;    // that did it; empty: none
};

NodeChanges changesOf(const WalkReport& walk, GraphVersion version, int graph);

}  // namespace cutaway::ui
