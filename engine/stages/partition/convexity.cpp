// One pass over the graph with every group contracted says whether all is well. Only when it is not, the strongly
// connected components tell which groups are to blame: a cycle of the graph with fewer groups contracted lies within
// one of them. There, groups are added by halves, large ones first, as long as the component stays acyclic.

#include "engine/stages/partition/convexity.h"

#include <algorithm>
#include <numeric>

#include "engine/stages/partition/contracted_part.h"

namespace cutaway::partition {

namespace {

// Nodes visited in all before the rest of the groups is refused: a graph and an answer that need more were made to
// waste time.
constexpr size_t kMostSteps = 200'000'000;

class OffenderSearch {
 public:
  OffenderSearch(const Graph& graph, std::span<const std::span<const NodeId>> groups,
                 std::span<const int32_t> contracted, int32_t firstLabel)
      : m_groups(groups),
        m_labels(contracted.begin(), contracted.end()),
        m_firstLabel(firstLabel),
        m_part(graph, static_cast<size_t>(firstLabel) + groups.size()),
        m_refused(groups.size(), 0) {
    m_labels.resize(graph.nodeSlots(), -1);
    const std::vector<NodeId> all = graph.nodeIds();
    for (size_t i = 0; i < groups.size(); ++i)
      label(i, true);
    m_part.fill(all, m_labels);
    if (m_part.acyclic()) return;
    for (const std::vector<NodeId>& component : m_part.components())
      judge(component);
  }

  std::vector<char> take() { return std::move(m_refused); }

 private:
  void label(size_t group, bool together) {
    if (m_groups[group].size() < 2) return;
    for (const NodeId id : m_groups[group])
      m_labels[id.index()] = together ? m_firstLabel + static_cast<int32_t>(group) : -1;
  }

  void judge(const std::vector<NodeId>& component) {
    std::vector<size_t> candidates;
    for (const NodeId id : component) {
      if (m_labels[id.index()] >= m_firstLabel)
        candidates.push_back(static_cast<size_t>(m_labels[id.index()] - m_firstLabel));
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](size_t a, size_t b) { return m_groups[a].size() > m_groups[b].size(); });
    for (const size_t candidate : candidates)
      label(candidate, false);
    addByHalves(component, candidates);
  }

  void addByHalves(const std::vector<NodeId>& component, std::span<const size_t> candidates) {
    if (candidates.empty()) return;
    for (const size_t candidate : candidates)
      label(candidate, true);
    if (staysAcyclic(component)) return;
    for (const size_t candidate : candidates)
      label(candidate, false);
    if (candidates.size() == 1) {
      m_refused[candidates.front()] = 1;
      return;
    }
    addByHalves(component, candidates.first(candidates.size() / 2));
    addByHalves(component, candidates.subspan(candidates.size() / 2));
  }

  bool staysAcyclic(const std::vector<NodeId>& component) {
    m_steps += component.size();
    if (m_steps > kMostSteps) return false;
    m_part.fill(component, m_labels);
    return m_part.acyclic();
  }

  std::span<const std::span<const NodeId>> m_groups;
  std::vector<int32_t> m_labels;
  int32_t m_firstLabel;
  ContractedPart m_part;
  std::vector<char> m_refused;
  size_t m_steps = 0;
};

}  // namespace

Contraction::Contraction(const Graph& graph) : m_graph(graph), m_groupOfNode(graph.nodeSlots(), -1) {}

std::vector<char> Contraction::offenders(std::span<const std::span<const NodeId>> groups) const {
  // Single nodes change nothing.
  if (std::all_of(groups.begin(), groups.end(), [](std::span<const NodeId> group) { return group.size() < 2; }))
    return std::vector<char>(groups.size(), 0);
  return OffenderSearch(m_graph, groups, m_groupOfNode, m_nextGroup).take();
}

bool Contraction::staysAcyclic(std::span<const NodeId> group) const {
  return offenders({&group, 1}).front() == 0;
}

void Contraction::contract(std::span<const NodeId> group) {
  if (group.size() < 2) return;
  m_groupOfNode.resize(m_graph.nodeSlots(), -1);
  for (const NodeId id : group)
    m_groupOfNode[id.index()] = m_nextGroup;
  ++m_nextGroup;
  ++m_contracted;
}

void Contraction::release(std::span<const NodeId> group) {
  if (group.size() < 2) return;
  for (const NodeId id : group)
    m_groupOfNode[id.index()] = -1;
  --m_contracted;
}

std::vector<NodeId> Contraction::pathBack(std::span<const NodeId> group) const {
  // Breadth first from what the group feeds; a contracted group is left through any of its nodes.
  std::vector<char> member(m_graph.nodeSlots(), 0);
  for (const NodeId id : group)
    member[id.index()] = 1;
  std::vector<std::vector<NodeId>> siblings(static_cast<size_t>(m_nextGroup));
  for (size_t i = 0; i < m_groupOfNode.size(); ++i) {
    if (m_groupOfNode[i] >= 0) siblings[static_cast<size_t>(m_groupOfNode[i])].push_back(NodeId{i});
  }
  std::vector<NodeId> cameFrom(m_graph.nodeSlots());
  std::vector<char> seen(member);
  std::vector<NodeId> open(group.begin(), group.end());
  const size_t starts = open.size();
  for (size_t at = 0; at < open.size(); ++at) {
    const NodeId id = open[at];
    for (const ValueId output : m_graph.node(id).outputs) {
      if (!output.valid()) continue;
      for (const Use& use : m_graph.value(output).uses) {
        if (at >= starts && member[use.node.index()]) {
          std::vector<NodeId> path{use.node};
          for (NodeId step = id; step.valid(); step = member[step.index()] ? NodeId{} : cameFrom[step.index()])
            path.push_back(step);
          std::reverse(path.begin(), path.end());
          return path;
        }
        if (seen[use.node.index()]) continue;
        seen[use.node.index()] = 1;
        cameFrom[use.node.index()] = id;
        open.push_back(use.node);
      }
    }
    const int32_t contracted =
        member[id.index()] || id.index() >= m_groupOfNode.size() ? -1 : m_groupOfNode[id.index()];
    if (contracted < 0) continue;
    for (const NodeId sibling : siblings[static_cast<size_t>(contracted)]) {
      if (seen[sibling.index()]) continue;
      seen[sibling.index()] = 1;
      cameFrom[sibling.index()] = id;
      open.push_back(sibling);
    }
    siblings[static_cast<size_t>(contracted)].clear();
  }
  return {};
}

}  // namespace cutaway::partition
