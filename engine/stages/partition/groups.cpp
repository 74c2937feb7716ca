#include "engine/stages/partition/groups.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace cutaway::partition {

namespace {

class DisjointSets {
 public:
  explicit DisjointSets(size_t count) : m_parent(count) { std::iota(m_parent.begin(), m_parent.end(), size_t{0}); }
  size_t find(size_t item) {
    while (m_parent[item] != item)
      item = m_parent[item] = m_parent[m_parent[item]];
    return item;
  }
  void join(size_t a, size_t b) { m_parent[find(a)] = find(b); }

 private:
  std::vector<size_t> m_parent;
};

// -1 as soon as one part is open: a sum that leaves something out would mislead.
void addTo(int64_t& total, int64_t part) {
  total = total < 0 || part < 0 ? -1 : total + part;
}

class GroupFinder {
 public:
  GroupFinder(const GraphAssignment& assignment, std::span<const int32_t> position,
              std::span<const operators::NodeCost> costs, int32_t graphIndex)
      : m_assignment(assignment),
        m_graph(*assignment.graph),
        m_position(position),
        m_costs(costs),
        m_graphIndex(graphIndex),
        m_seen(m_graph.valueSlots(), kNone) {
    m_result.groupOfNode.assign(m_graph.nodeSlots(), kNone);
  }

  GraphGroups find() {
    if (!m_assignment.insideGroup.empty()) {
      if (const std::vector<NodeId> nodes = m_graph.nodeIds(); !nodes.empty())
        addCompiled(nodes, m_assignment.insideGroup, nullptr);
      return std::move(m_result);
    }
    for (const AcceptedGroup& group : m_assignment.groups)
      addCompiled(group.nodes, group.fusedName, &group.metaDef);
    addIslands();
    return std::move(m_result);
  }

 private:
  void addCompiled(const std::vector<NodeId>& nodes, const std::string& name, const MetaDef* metaDef) {
    GroupReport& report = add(nodes);
    report.name = name;
    report.compiled = true;
    describe(report, nodes, metaDef);
  }

  void addIslands() {
    const std::vector<NodeId> nodes = m_graph.nodeIds();
    DisjointSets sets(m_graph.nodeSlots());
    const auto runsByKernel = [&](NodeId id) {
      return !m_graph.node(id).provider.empty() && m_result.groupOfNode[id.index()] == kNone;
    };
    for (const NodeId id : nodes) {
      if (!runsByKernel(id)) continue;
      for (const ValueId value : m_graph.node(id).outputs) {
        if (!value.valid()) continue;
        for (const Use& use : m_graph.value(value).uses) {
          if (runsByKernel(use.node) && m_graph.node(use.node).provider == m_graph.node(id).provider)
            sets.join(id.index(), use.node.index());
        }
      }
    }
    std::map<size_t, std::vector<NodeId>> islands;  // ordered by representative; nodes in id order
    for (const NodeId id : nodes) {
      if (runsByKernel(id)) islands[sets.find(id.index())].push_back(id);
    }
    for (const auto& [representative, members] : islands)
      add(members);
    size_t next = m_result.groups.size() - islands.size();
    for (const auto& [representative, members] : islands)
      describe(m_result.groups[next++], members, nullptr);
  }

  GroupReport& add(const std::vector<NodeId>& nodes) {
    for (const NodeId id : nodes)
      m_result.groupOfNode[id.index()] = static_cast<int32_t>(m_result.groups.size());
    m_result.groups.push_back({.provider = m_graph.node(nodes.front()).provider, .name = {}, .graph = m_graphIndex});
    return m_result.groups.back();
  }

  void describe(GroupReport& report, const std::vector<NodeId>& nodes, const MetaDef* metaDef) {
    const auto group = static_cast<int32_t>(&report - m_result.groups.data());
    report.flops = report.inputBytes = report.outputBytes = 0;
    report.nodes.reserve(nodes.size());
    for (const NodeId id : nodes) {
      report.nodes.push_back(m_position[id.index()]);
      addTo(report.flops, m_costs[id.index()].flops);
      const Node& node = m_graph.node(id);
      for (const ValueId value : node.inputs)
        addUsed(report, group, value, metaDef == nullptr);
      for (const ValueId value : node.implicitInputs)
        addUsed(report, group, value, metaDef == nullptr);
      if (metaDef != nullptr) continue;
      for (const ValueId value : node.outputs) {
        if (value.valid() && leaves(value, group)) addBorder(value, report.outputs, report.outputBytes);
      }
    }
    if (metaDef == nullptr) return;
    for (const ValueId value : metaDef->inputs)
      addBorder(value, report.inputs, report.inputBytes);
    for (const ValueId value : metaDef->outputs)
      addBorder(value, report.outputs, report.outputBytes);
  }

  // Constants are weights, each once; what others make is an input.
  void addUsed(GroupReport& report, int32_t group, ValueId id, bool listInputs) {
    if (!id.valid() || m_seen[id.index()] == group) return;
    const Value& value = m_graph.value(id);
    if (value.producer.valid() && m_result.groupOfNode[value.producer.index()] == group) return;
    m_seen[id.index()] = group;
    if (m_graph.isConstant(id)) {
      report.weightBytes += value.initializer->sizeBytes();
    } else if (listInputs) {
      addBorder(id, report.inputs, report.inputBytes);
    }
  }

  bool leaves(ValueId id, int32_t group) const {
    const Value& value = m_graph.value(id);
    return value.outputCount > 0 || std::any_of(value.uses.begin(), value.uses.end(), [&](const Use& use) {
             return m_result.groupOfNode[use.node.index()] != group;
           });
  }

  void addBorder(ValueId id, std::vector<std::string>& names, int64_t& bytes) const {
    names.push_back(m_graph.value(id).name);
    addTo(bytes, staticByteSize(m_graph.value(id).type).value_or(-1));
  }

  const GraphAssignment& m_assignment;
  const Graph& m_graph;
  std::span<const int32_t> m_position;
  std::span<const operators::NodeCost> m_costs;
  int32_t m_graphIndex;
  std::vector<int32_t> m_seen;  // by value index: the last group that uses it
  GraphGroups m_result;
};

}  // namespace

GraphGroups findGroups(const GraphAssignment& assignment, std::span<const int32_t> position,
                       std::span<const operators::NodeCost> costs, int32_t graphIndex) {
  return GroupFinder(assignment, position, costs, graphIndex).find();
}

}  // namespace cutaway::partition
