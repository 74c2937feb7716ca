#include "ui/shell/pair/pair_index.h"

#include <algorithm>

#include "engine/base/format.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {

template <typename T>
T& slot(std::vector<std::vector<T>>& all, int graph, int node, const T& empty) {
  if (static_cast<size_t>(graph) >= all.size()) all.resize(static_cast<size_t>(graph) + 1);
  std::vector<T>& nodes = all[static_cast<size_t>(graph)];
  if (static_cast<size_t>(node) >= nodes.size()) nodes.resize(static_cast<size_t>(node) * 2 + 16, empty);
  return nodes[static_cast<size_t>(node)];
}

// What became of an original node: its provider, and how many originals run as one with it.
struct Fate {
  std::string provider;
  int together = 0;
  bool gone = true;
  bool compiled = false;
};

std::vector<Fate> fatesOf(const WalkReport& walk) {
  std::vector<Fate> fates;
  if (!walk.partitionedGraphs) return fates;
  for (const GraphReport& graph : walk.partitionedGraphs->graphs)
    for (const NodeReport& node : graph.nodes)
      for (const int32_t origin : node.origins) {
        if (origin < 0) continue;
        if (static_cast<size_t>(origin) >= fates.size()) fates.resize(static_cast<size_t>(origin) * 2 + 16);
        Fate& fate = fates[static_cast<size_t>(origin)];
        fate = {node.provider, static_cast<int>(node.origins.size()), false, node.rewrite.starts_with("fused by ")};
      }
  return fates;
}

std::string orDash(const std::string& words) {
  return words.empty() ? "no provider" : words;
}

}  // namespace

PairIndex::PairIndex(std::shared_ptr<const ModelDiff> diff) : m_diff(std::move(diff)) {
  if (!m_diff) return;
  for (size_t i = 0; i < m_diff->nodes.size(); ++i) {
    const NodeDiff& node = m_diff->nodes[i];
    const bool differs = node.kind != DiffKind::kSame;
    const bool inA = node.graphA >= 0 && node.nodeA >= 0, inB = node.graphB >= 0 && node.nodeB >= 0;
    if (inA && inB) {
      slot(m_partners[0], node.graphA, node.nodeA, NodeTarget{}) = {GraphVersion::kLoaded, node.graphB, node.nodeB};
      slot(m_partners[1], node.graphB, node.nodeB, NodeTarget{}) = {GraphVersion::kLoaded, node.graphA, node.nodeA};
    }
    if (!differs) continue;
    const int number = static_cast<int>(m_differences.size());
    if (inA) slot(m_differenceOf[0], node.graphA, node.nodeA, static_cast<int>(kNone)) = number;
    if (inB) slot(m_differenceOf[1], node.graphB, node.nodeB, static_cast<int>(kNone)) = number;
    m_differences.push_back(static_cast<int>(i));
  }
}

NodeTarget PairIndex::partner(const NodeTarget& loaded, bool fromA) const {
  const auto& side = m_partners[fromA ? 0 : 1];
  if (loaded.graph < 0 || loaded.node < 0 || static_cast<size_t>(loaded.graph) >= side.size() ||
      static_cast<size_t>(loaded.node) >= side[static_cast<size_t>(loaded.graph)].size())
    return {};
  return side[static_cast<size_t>(loaded.graph)][static_cast<size_t>(loaded.node)];
}

int PairIndex::partnerGraph(int graph, bool fromA) const {
  if (graph == 0) return 0;
  const auto& side = m_partners[fromA ? 0 : 1];
  if (graph < 0 || static_cast<size_t>(graph) >= side.size()) return kNone;
  for (const NodeTarget& partner : side[static_cast<size_t>(graph)])
    if (partner.valid()) return partner.graph;
  return kNone;
}

int PairIndex::differenceOf(const NodeTarget& loaded, bool fromA) const {
  const auto& side = m_differenceOf[fromA ? 0 : 1];
  if (loaded.graph < 0 || loaded.node < 0 || static_cast<size_t>(loaded.graph) >= side.size() ||
      static_cast<size_t>(loaded.node) >= side[static_cast<size_t>(loaded.graph)].size())
    return kNone;
  return side[static_cast<size_t>(loaded.graph)][static_cast<size_t>(loaded.node)];
}

std::vector<int> shownPartners(const Document& from, int fromGraph, const Document& to, int toGraph,
                               const PairIndex& pairs, bool fromA) {
  const GraphVersion fromVersion = from.shownVersion(), toVersion = to.shownVersion();
  const auto graphs = from.graphs(fromVersion);
  const GraphIndex *fromLoaded = from.index(GraphVersion::kLoaded), *toShown = to.index(toVersion);
  const auto toLoaded = to.graphs(GraphVersion::kLoaded);
  if (!graphs || !fromLoaded || !toShown || !toLoaded || fromGraph < 0 ||
      static_cast<size_t>(fromGraph) >= graphs->graphs.size())
    return {};
  const GraphReport& graph = graphs->graphs[static_cast<size_t>(fromGraph)];
  std::vector<int> partners(graph.nodes.size(), kNone);
  const auto partnerOf = [&](const NodeTarget& loaded) -> int {
    const NodeTarget partner = pairs.partner(loaded, fromA);
    if (!partner.valid() || static_cast<size_t>(partner.graph) >= toLoaded->graphs.size()) return kNone;
    const std::vector<NodeReport>& nodes = toLoaded->graphs[static_cast<size_t>(partner.graph)].nodes;
    if (static_cast<size_t>(partner.node) >= nodes.size()) return kNone;
    if (toVersion == GraphVersion::kLoaded) return partner.graph == toGraph ? partner.node : kNone;
    for (const int32_t origin : nodes[static_cast<size_t>(partner.node)].origins)
      for (const NodePlace& place : toShown->nodesOf(origin))
        if (place.graph == toGraph) return place.node;
    return kNone;
  };
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (fromVersion == GraphVersion::kLoaded) {
      partners[n] = partnerOf({GraphVersion::kLoaded, fromGraph, static_cast<int>(n)});
      continue;
    }
    for (const int32_t origin : graph.nodes[n].origins) {
      for (const NodePlace& place : fromLoaded->nodesOf(origin))
        if (partners[n] < 0) partners[n] = partnerOf({GraphVersion::kLoaded, place.graph, place.node});
      if (partners[n] >= 0) break;
    }
  }
  return partners;
}

ModelDiff diffWalks(const WalkReport& now, const WalkReport& whatIf) {
  ModelDiff diff;
  if (!now.loadedGraphs) return diff;
  const std::vector<Fate> before = fatesOf(now), after = fatesOf(whatIf);
  const auto fateOf = [](const std::vector<Fate>& fates, int32_t origin) {
    return origin >= 0 && static_cast<size_t>(origin) < fates.size() ? fates[static_cast<size_t>(origin)] : Fate{};
  };
  for (size_t g = 0; g < now.loadedGraphs->graphs.size(); ++g)
    for (size_t n = 0; n < now.loadedGraphs->graphs[g].nodes.size(); ++n) {
      NodeDiff node;
      node.graphA = node.graphB = static_cast<int32_t>(g);
      node.nodeA = node.nodeB = static_cast<int32_t>(n);
      node.matchedBy = "name";
      const IndexList& origins = now.loadedGraphs->graphs[g].nodes[n].origins;
      const int32_t origin = origins.empty() ? kNone : origins.front();
      const Fate a = fateOf(before, origin), b = fateOf(after, origin);
      if (a.gone != b.gone) {
        node.changes.push_back(b.gone ? "is optimised away" : "stays after optimising");
      } else if (!a.gone) {
        if (a.provider != b.provider)
          node.changes.push_back("provider " + orDash(a.provider) + " -> " + orDash(b.provider));
        if (a.together != b.together)
          node.changes.push_back("runs as one of " + std::to_string(a.together) + " -> of " +
                                 std::to_string(b.together) + " nodes");
        if (a.compiled != b.compiled && a.together == b.together)
          node.changes.push_back(b.compiled ? "is compiled" : "runs by a kernel of its own");
      }
      node.kind = node.changes.empty() ? DiffKind::kSame : DiffKind::kChanged;
      ++(node.changes.empty() ? diff.same : diff.changed);
      diff.nodes.push_back(std::move(node));
    }
  const auto fact = [&](const char* what, const std::string& a, const std::string& b) {
    if (a != b) diff.facts.push_back(std::string(what) + " " + a + " -> " + b);
  };
  if (now.pattern && whatIf.pattern)
    fact("planned peak", formatBytes(now.pattern->peakBytes), formatBytes(whatIf.pattern->peakBytes));
  if (now.partition && whatIf.partition) {
    fact("copies", formatCount(static_cast<int64_t>(now.partition->copies.size())),
         formatCount(static_cast<int64_t>(whatIf.partition->copies.size())));
    fact("groups", formatCount(static_cast<int64_t>(now.partition->groups.size())),
         formatCount(static_cast<int64_t>(whatIf.partition->groups.size())));
  }
  if (now.schedule && whatIf.schedule && now.schedule->order != whatIf.schedule->order)
    fact("order", now.schedule->order, whatIf.schedule->order);
  return diff;
}

}  // namespace cutaway::ui
