#pragma once
// May these groups become one node each without closing a cycle? Asked of the graph in which every group accepted
// before is one node already.
//
// Two groups can each be convex and still form a cycle together, so the question is always about the contracted graph,
// and all groups of one answer are judged together. Thread rule: used by one partitioning. Cost of a question: linear
// in the graph when nothing closes a cycle; else also near-linear in the strongly connected parts, times the groups
// refused. Example: const std::vector<char> refused = contraction.offenders(groups);  for (...) if (!refused[i])
// contraction.contract(groups[i]);

#include <span>
#include <vector>

#include "engine/graph/graph.h"

namespace cutaway::partition {

class Contraction {
 public:
  explicit Contraction(const Graph& graph);

  // By group: 1 when it must be left out. Large groups are kept before small ones. Groups are disjoint and share no
  // node with a contracted one.
  std::vector<char> offenders(std::span<const std::span<const NodeId>> groups) const;
  bool staysAcyclic(std::span<const NodeId> group) const;
  void contract(std::span<const NodeId> group);
  void release(std::span<const NodeId> group);
  void grow() { m_groupOfNode.resize(m_graph.nodeSlots(), -1); }  // the graph got new nodes

  // By node index: number of the contracted group, -1 for a node on its own. Empty as long as nothing is contracted.
  std::span<const int32_t> groupOfNode() const {
    return m_contracted == 0 ? std::span<const int32_t>() : m_groupOfNode;
  }
  // A path of nodes that leaves the group and comes back, both ends in the group; empty when there is none.
  std::vector<NodeId> pathBack(std::span<const NodeId> group) const;

 private:
  const Graph& m_graph;
  std::vector<int32_t> m_groupOfNode;  // -1: on its own
  int32_t m_nextGroup = 0;
  size_t m_contracted = 0;
};

}  // namespace cutaway::partition
