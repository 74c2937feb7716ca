#include "engine/stages/partition/contracted_part.h"

#include <algorithm>

namespace cutaway::partition {

void ContractedPart::fill(std::span<const NodeId> nodes, std::span<const int32_t> labels) {
  for (const NodeId id : m_nodes)
    m_vertexOfNode[id.index()] = kOutside;
  m_nodes.assign(nodes.begin(), nodes.end());
  m_vertices = 0;
  for (const NodeId id : m_nodes) {
    const int32_t label = labels[id.index()];
    if (label >= 0) m_vertexOfLabel[static_cast<size_t>(label)] = kOutside;
  }
  for (const NodeId id : m_nodes) {
    const int32_t label = labels[id.index()];
    if (label < 0) {
      m_vertexOfNode[id.index()] = m_vertices++;
      continue;
    }
    uint32_t& vertex = m_vertexOfLabel[static_cast<size_t>(label)];
    if (vertex == kOutside) vertex = m_vertices++;
    m_vertexOfNode[id.index()] = vertex;
  }
  m_firstMember.assign(m_vertices + 1, 0);
  for (const NodeId id : m_nodes)
    ++m_firstMember[m_vertexOfNode[id.index()] + 1];
  for (size_t i = 1; i < m_firstMember.size(); ++i)
    m_firstMember[i] += m_firstMember[i - 1];
  std::vector<uint32_t> at(m_firstMember.begin(), m_firstMember.end() - 1);
  m_members.resize(m_nodes.size());
  for (const NodeId id : m_nodes)
    m_members[at[m_vertexOfNode[id.index()]]++] = id;
  addEdges();
}

void ContractedPart::addEdges() {
  m_firstTarget.assign(1, 0);
  m_targets.clear();
  for (uint32_t vertex = 0; vertex < m_vertices; ++vertex) {
    for (const NodeId id : membersOf(vertex)) {
      const ShortList<ValueId>& outputs = m_graph.node(id).outputs;
      for (size_t slot = 0; slot < outputs.size(); ++slot) {
        // A value that is listed as an output twice is followed from where it is produced only.
        if (!outputs[slot].valid() || m_graph.value(outputs[slot]).producer != id ||
            m_graph.value(outputs[slot]).producerSlot != slot)
          continue;
        for (const Use& use : m_graph.value(outputs[slot]).uses) {
          const uint32_t target = m_vertexOfNode[use.node.index()];
          if (target != kOutside && target != vertex) m_targets.push_back(target);
        }
      }
    }
    m_firstTarget.push_back(static_cast<uint32_t>(m_targets.size()));
  }
}

bool ContractedPart::acyclic() {
  std::vector<uint32_t> waiting(m_vertices, 0);
  for (const uint32_t target : m_targets)
    ++waiting[target];
  std::vector<uint32_t> ready;
  for (uint32_t vertex = 0; vertex < m_vertices; ++vertex) {
    if (waiting[vertex] == 0) ready.push_back(vertex);
  }
  for (size_t at = 0; at < ready.size(); ++at) {
    for (const uint32_t target : targetsOf(ready[at])) {
      if (--waiting[target] == 0) ready.push_back(target);
    }
  }
  return ready.size() == m_vertices;
}

std::vector<std::vector<NodeId>> ContractedPart::components() {
  std::vector<std::vector<NodeId>> result;
  std::vector<uint32_t> number(m_vertices, kOutside), lowest(m_vertices, 0), next(m_vertices, 0), path, stack;
  std::vector<char> onStack(m_vertices, 0);
  uint32_t count = 0;
  const auto enter = [&](uint32_t vertex) {
    number[vertex] = lowest[vertex] = count++;
    next[vertex] = m_firstTarget[vertex];
    path.push_back(vertex);
    stack.push_back(vertex);
    onStack[vertex] = 1;
  };
  const auto leave = [&](uint32_t vertex) {
    path.pop_back();
    if (!path.empty()) lowest[path.back()] = std::min(lowest[path.back()], lowest[vertex]);
    if (lowest[vertex] != number[vertex]) return;
    std::vector<NodeId> nodes;
    const bool several = stack.back() != vertex;
    for (uint32_t member = kOutside; member != vertex;) {
      member = stack.back();
      stack.pop_back();
      onStack[member] = 0;
      if (several) nodes.insert(nodes.end(), membersOf(member).begin(), membersOf(member).end());
    }
    if (several) result.push_back(std::move(nodes));
  };
  for (uint32_t root = 0; root < m_vertices; ++root) {
    if (number[root] != kOutside) continue;
    enter(root);
    while (!path.empty()) {
      const uint32_t vertex = path.back();
      if (next[vertex] == m_firstTarget[vertex + 1]) {
        leave(vertex);
        continue;
      }
      const uint32_t target = m_targets[next[vertex]++];
      if (number[target] == kOutside) {
        enter(target);
      } else if (onStack[target]) {
        lowest[vertex] = std::min(lowest[vertex], number[target]);
      }
    }
  }
  return result;
}

}  // namespace cutaway::partition
