#include "engine/stages/partition/groups.h"

#include <map>
#include <numeric>

namespace cutaway {

namespace {

class DisjointSets {
 public:
  explicit DisjointSets(size_t count) : m_parent(count) { std::iota(m_parent.begin(), m_parent.end(), size_t{0}); }
  size_t find(size_t item) {
    while (m_parent[item] != item) item = m_parent[item] = m_parent[m_parent[item]];
    return item;
  }
  void join(size_t a, size_t b) { m_parent[find(a)] = find(b); }

 private:
  std::vector<size_t> m_parent;
};

// -1 as soon as one value's size is open: a sum that leaves something out would mislead.
int64_t totalBytes(const Graph& graph, const std::vector<ValueId>& values) {
  int64_t total = 0;
  for (const ValueId id : values) {
    const std::optional<int64_t> size = staticByteSize(graph.value(id).type);
    if (!size) return -1;
    total += *size;
  }
  return total;
}

GroupReport describeGroup(const Graph& graph, const std::vector<NodeId>& nodes, const std::vector<int32_t>& position, int32_t graphIndex) {
  GroupReport report{.provider = graph.node(nodes.front()).provider, .name = {}, .graph = graphIndex};
  for (const NodeId id : nodes) report.nodes.push_back(position[id.index()]);
  const GroupBorder border = borderOf(graph, nodes, false);
  report.inputBytes = totalBytes(graph, border.inputs);
  report.outputBytes = totalBytes(graph, border.outputs);
  return report;
}

}  // namespace

GraphGroups findGroups(const GraphAssignment& assignment, const std::vector<int32_t>& position, int32_t graphIndex) {
  const Graph& graph = *assignment.graph;
  GraphGroups result;
  result.groupOfNode.assign(graph.nodeSlots(), kNone);
  for (const AcceptedGroup& group : assignment.groups) {
    GroupReport report = describeGroup(graph, group.nodes, position, graphIndex);
    report.name = group.fusedName;
    report.compiled = true;
    for (const NodeId id : group.nodes) result.groupOfNode[id.index()] = static_cast<int32_t>(result.groups.size());
    result.groups.push_back(std::move(report));
  }

  const std::vector<NodeId> nodes = graph.nodeIds();
  if (!assignment.insideGroup.empty() && !nodes.empty()) {
    GroupReport report = describeGroup(graph, nodes, position, graphIndex);
    report.name = assignment.insideGroup;
    report.compiled = true;
    result.groups.push_back(std::move(report));
    for (const NodeId id : nodes) result.groupOfNode[id.index()] = 0;
    return result;
  }
  DisjointSets sets(graph.nodeSlots());
  const auto runsByKernel = [&](NodeId id) { return !graph.node(id).provider.empty() && result.groupOfNode[id.index()] == kNone; };
  for (const NodeId id : nodes) {
    if (!runsByKernel(id)) continue;
    for (const ValueId value : graph.node(id).outputs) {
      if (!value.valid()) continue;
      for (const Use& use : graph.value(value).uses) {
        if (runsByKernel(use.node) && graph.node(use.node).provider == graph.node(id).provider) sets.join(id.index(), use.node.index());
      }
    }
  }
  std::map<size_t, std::vector<NodeId>> islands;  // ordered by representative; nodes in id order
  for (const NodeId id : nodes) {
    if (runsByKernel(id)) islands[sets.find(id.index())].push_back(id);
  }
  for (const auto& [representative, members] : islands) {
    for (const NodeId id : members) result.groupOfNode[id.index()] = static_cast<int32_t>(result.groups.size());
    result.groups.push_back(describeGroup(graph, members, position, graphIndex));
  }
  return result;
}

}  // namespace cutaway
