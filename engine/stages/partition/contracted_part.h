#pragma once
// A part of a graph with groups contracted: its vertices, whether they are in order, and which of them lie on cycles.
//
// Thread rule: one thread; made once and filled often. Linear in the part.
// Example: ContractedPart part(graph, labelCount);  part.fill(nodes, labels);  if (!part.acyclic()) for (const auto&
// component : part.components()) ...

#include <span>
#include <vector>

#include "engine/graph/graph.h"

namespace cutaway::partition {

class ContractedPart {
 public:
  ContractedPart(const Graph& graph, size_t labelCount)
      : m_graph(graph), m_vertexOfNode(graph.nodeSlots(), kOutside), m_vertexOfLabel(labelCount, kOutside) {}

  // Nodes with the same label (>= 0) are one vertex; edges to nodes outside of the part do not count.
  void fill(std::span<const NodeId> nodes, std::span<const int32_t> labels);
  bool acyclic();  // Kahn's algorithm
  // Strongly connected components of more than one vertex, as nodes (Tarjan 1972).
  std::vector<std::vector<NodeId>> components();
  size_t size() const { return m_nodes.size(); }

 private:
  static constexpr uint32_t kOutside = UINT32_MAX;

  std::span<const NodeId> membersOf(uint32_t vertex) const {
    return {m_members.data() + m_firstMember[vertex], m_firstMember[vertex + 1] - m_firstMember[vertex]};
  }
  std::span<const uint32_t> targetsOf(uint32_t vertex) const {
    return {m_targets.data() + m_firstTarget[vertex], m_firstTarget[vertex + 1] - m_firstTarget[vertex]};
  }
  void addEdges();

  const Graph& m_graph;
  std::vector<NodeId> m_nodes;
  std::vector<uint32_t> m_vertexOfNode;  // by node index
  std::vector<uint32_t> m_vertexOfLabel;
  std::vector<uint32_t> m_firstMember;  // compressed rows, by vertex
  std::vector<NodeId> m_members;
  std::vector<uint32_t> m_firstTarget;
  std::vector<uint32_t> m_targets;
  uint32_t m_vertices = 0;
};

}  // namespace cutaway::partition
