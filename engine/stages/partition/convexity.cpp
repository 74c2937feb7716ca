#include "engine/stages/partition/convexity.h"

namespace cutaway {

Contraction::Contraction(const Graph& graph) : m_graph(graph), m_groupOfNode(graph.nodeSlots(), -1) {}

bool Contraction::staysAcyclic(std::span<const NodeId> group) const {
  if (group.size() < 2) return true;
  std::vector<char> member(m_graph.nodeSlots(), 0);
  for (const NodeId id : group) member[id.index()] = 1;
  // Walk forward from everything that the group feeds; coming back to the group closes a cycle. Reaching one node of a contracted group reaches them all.
  std::vector<char> seen(m_graph.nodeSlots(), 0);
  std::vector<NodeId> open;
  const auto pushConsumers = [&](NodeId id, bool fromGroup) {
    for (const ValueId value : m_graph.node(id).outputs) {
      if (!value.valid()) continue;
      for (const Use& use : m_graph.value(value).uses) {
        const size_t consumer = use.node.index();
        if (fromGroup && member[consumer]) continue;
        if (member[consumer]) return false;
        if (seen[consumer]) continue;
        seen[consumer] = 1;
        open.push_back(use.node);
      }
    }
    return true;
  };
  for (const NodeId id : group) pushConsumers(id, true);
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (!pushConsumers(id, false)) return false;
    const int32_t contracted = id.index() < m_groupOfNode.size() ? m_groupOfNode[id.index()] : -1;
    if (contracted < 0) continue;
    for (const NodeId sibling : m_groups[static_cast<size_t>(contracted)]) {
      if (seen[sibling.index()]) continue;
      seen[sibling.index()] = 1;
      open.push_back(sibling);
    }
  }
  return true;
}

void Contraction::contract(std::span<const NodeId> group) {
  if (group.size() < 2) return;
  m_groupOfNode.resize(m_graph.nodeSlots(), -1);
  for (const NodeId id : group) m_groupOfNode[id.index()] = static_cast<int32_t>(m_groups.size());
  m_groups.emplace_back(group.begin(), group.end());
}

void Contraction::release(std::span<const NodeId> group) {
  for (const NodeId id : group) {
    if (id.index() < m_groupOfNode.size()) m_groupOfNode[id.index()] = -1;
  }
}

}  // namespace cutaway
