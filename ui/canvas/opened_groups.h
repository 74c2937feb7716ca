#pragma once
// Compiled groups with the nodes that were compiled into them, so that the canvas opens a group in its place, as a hull
// around nodes that one can read.
//
// In the partitioned graph a compiled group is one node. What is inside is told by the graph that its provider was
// asked about: those nodes stand in graphs of their own, behind all others, each bound to its group as a function is to
// its call. Groups are left closed where their borders do not match, and all of them where they hold too many nodes.
// Thread rule: pure; immutable once made. Example: const OpenedGroups opened = openedGroups(*walk);
// request.graphs = opened.graphs;

#include <memory>
#include <vector>

#include <QSet>
#include <QString>

#include "engine/report/walk_report.h"

namespace cutaway::ui {

struct Overlay;
struct ScopeTree;

struct OpenedGroup {
  int graph = 0;           // that holds the group, in the partitioned and in the optimised graphs
  int fused = 0;           // its node in the partitioned graph
  std::vector<int> nodes;  // per node inside: the optimised node that it is, ascending
};

struct OpenedGroups {
  std::shared_ptr<const ModelGraphs> graphs;  // as partitioned, and behind them one for each group
  int first = 0;                              // graph of the first group
  std::vector<OpenedGroup> groups;

  const OpenedGroup* of(int graph) const;  // null: that graph is not what is inside a group
  // Places of an optimised node inside groups: (graph, node) of `graphs`.
  std::vector<std::pair<int, int>> placesOf(int graph, int optimizedNode) const;
};

// Of a walk without compiled groups the partitioned graphs themselves.
OpenedGroups openedGroups(const WalkReport& walk);

// A compiled group whose nodes can be shown in its place.
bool opensAsHull(const NodeReport& node);
// "Group of 15 nodes": as many as its provider was asked about, which is what tables and legends count.
QString hullTitle(const ModelGraphs& graphs, const NodeReport& node);
// With who compiled it: "onednn · Group of 15 nodes".
QString hullName(const ModelGraphs& graphs, const NodeReport& node);
// Paths of all groups of a graph, as SceneRequest::unfolded takes them.
QSet<QString> hullPaths(const ModelGraphs& graphs, int graph, const ScopeTree& tree);

// What an overlay of the optimised graph says about the nodes inside of a group.
Overlay insideGroup(const OpenedGroup& group, const Overlay& asked);
// A group that is open shows its parts: the ramp is theirs, not that of the sum.
void spreadRamp(Overlay& overlay, const std::vector<int>& opened, const std::vector<const Overlay*>& inside);

}  // namespace cutaway::ui
