#pragma once
// May this group become one node without closing a cycle? Asked of the graph in which every group accepted before is one node already.
//
// Two groups can each be convex and still form a cycle together, so the question is always about the contracted graph.
// Thread rule: used by one partitioning. Cost per question: linear in the nodes behind the group.
// Example: if (!contraction.staysAcyclic(nodes)) reject;  else contraction.contract(nodes);

#include <span>
#include <vector>

#include "engine/graph/graph.h"

namespace cutaway {

class Contraction {
 public:
  explicit Contraction(const Graph& graph);

  bool staysAcyclic(std::span<const NodeId> group) const;
  void contract(std::span<const NodeId> group);
  void release(std::span<const NodeId> group);

 private:
  const Graph& m_graph;
  std::vector<int32_t> m_groupOfNode;  // -1: on its own
  std::vector<std::vector<NodeId>> m_groups;
};

}  // namespace cutaway
