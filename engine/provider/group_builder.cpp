// Grouping in waves, after Kahn's topological sort (A. B. Kahn, 1962).
//
// The vertices of the sort are single nodes, whole Q/DQ units that are supported, and groups that earlier providers
// took: each of those becomes one node, so each is one vertex here. What is processed in a wave is either in its group
// or does not depend on it: nodes outside can all stand before the group, and the next wave after it. That is an order
// of the contracted graph, so the groups of one answer can close no cycle, neither alone nor together.

#include "engine/provider/group_builder.h"

#include <algorithm>

#include "engine/base/format.h"
#include "engine/graph/node_label.h"
#include "engine/provider/group_namer.h"
#include "engine/provider/node_units.h"

namespace cutaway {

namespace {

enum class Role : uint8_t { kOutside, kSupported, kStop };

class GroupBuilder {
 public:
  GroupBuilder(const CapabilityRequest& request, const GroupingOptions& options)
      : m_graph(request.graph),
        m_request(request),
        m_options(options),
        m_position(request.graph.nodeSlots(), kNowhere),
        m_vertexOfNode(request.graph.nodeSlots(), kNowhere) {
    for (size_t i = 0; i < request.free.size(); ++i)
      m_position[request.free[i].index()] = static_cast<uint32_t>(i);
  }

  Groups build() {
    makeVertices();
    countEdges();
    std::vector<uint32_t> ready;
    for (uint32_t vertex = 0; vertex < m_waiting.size(); ++vertex) {
      if (m_waiting[vertex] == 0) ready.push_back(vertex);
    }
    while (!ready.empty())
      ready = wave(std::move(ready));
    return std::move(m_result);
  }

 private:
  static constexpr uint32_t kNowhere = UINT32_MAX;

  bool isFree(NodeId id) const { return m_position[id.index()] != kNowhere; }
  bool isSupported(NodeId id) const {
    return isFree(id) && id.index() < m_options.supported.size() && m_options.supported[id.index()] != 0;
  }

  bool isStop(NodeId id) const {
    if (m_options.stopOperators.empty()) return false;
    const Node& node = m_graph.node(id);
    return m_options.stopOperators.contains(node.opType) ||
           (!node.domain.empty() && m_options.stopOperators.contains(node.domain + ":" + node.opType));
  }

  uint32_t addVertex(Role role) {
    m_roles.push_back(role);
    m_members.emplace_back();
    return static_cast<uint32_t>(m_roles.size() - 1);
  }

  void place(NodeId id, uint32_t vertex) {
    m_vertexOfNode[id.index()] = vertex;
    m_members[vertex].push_back(id);
    if (isStop(id)) m_roles[vertex] = Role::kStop;
  }

  void makeVertices() {
    placeTakenGroups();
    const std::vector<NodeId> nodes = m_graph.nodeIds();
    const auto quantizes = [&](NodeId id) {
      return m_graph.node(id).opType == "DequantizeLinear" || m_graph.node(id).opType == "QuantizeLinear";
    };
    if (!m_options.quantizedUnits || std::none_of(nodes.begin(), nodes.end(), quantizes)) {
      for (const NodeId id : nodes)
        placeAlone(id, isSupported(id));
      return;
    }
    const NodeUnits units(m_graph);
    for (const NodeUnit& unit : units.all())
      placeUnit(unit);
  }

  void placeTakenGroups() {
    std::vector<uint32_t> vertexOfGroup;
    for (size_t i = 0; i < m_request.takenGroups.size() && i < m_graph.nodeSlots(); ++i) {
      if (m_request.takenGroups[i] < 0 || m_graph.node(NodeId{i}).removed) continue;
      const auto group = static_cast<size_t>(m_request.takenGroups[i]);
      if (vertexOfGroup.size() <= group) vertexOfGroup.resize(group + 1, kNowhere);
      if (vertexOfGroup[group] == kNowhere) vertexOfGroup[group] = addVertex(Role::kOutside);
      place(NodeId{i}, vertexOfGroup[group]);
    }
  }

  void placeAlone(NodeId id, bool supported) {
    if (m_vertexOfNode[id.index()] == kNowhere) place(id, addVertex(supported ? Role::kSupported : Role::kOutside));
  }

  void placeUnit(const NodeUnit& unit) {
    const auto outside =
        std::find_if(unit.nodes.begin(), unit.nodes.end(), [&](NodeId id) { return !isSupported(id); });
    if (outside == unit.nodes.end()) {
      const uint32_t vertex = addVertex(Role::kSupported);
      for (const NodeId id : unit.nodes)
        place(id, vertex);
      return;
    }
    for (const NodeId id : unit.nodes) {
      if (isSupported(id)) refuseBrokenUnit(id, *outside);
      placeAlone(id, false);
    }
  }

  void refuseBrokenUnit(NodeId id, NodeId partner) {
    const std::string name = nodeLabel(m_graph, partner);
    m_result.refusals.push_back({id, RefusalCause::kOther,
                                 fmt::format("it belongs to one Q/DQ unit with {}, which {}", name,
                                             isFree(partner) ? "is not supported" : "another provider has claimed"),
                                 "Q/DQ units", name, "every node of the unit must be supported and free"});
  }

  template <typename Visit>
  void forEachConsumer(uint32_t vertex, Visit&& visit) const {
    for (const NodeId id : m_members[vertex]) {
      const ShortList<ValueId>& outputs = m_graph.node(id).outputs;
      for (size_t slot = 0; slot < outputs.size(); ++slot) {
        // A value that is listed as an output twice is followed from where it is produced only.
        if (!outputs[slot].valid() || m_graph.value(outputs[slot]).producer != id ||
            m_graph.value(outputs[slot]).producerSlot != slot)
          continue;
        for (const Use& use : m_graph.value(outputs[slot]).uses) {
          if (m_vertexOfNode[use.node.index()] != vertex) visit(m_vertexOfNode[use.node.index()]);
        }
      }
    }
  }

  void countEdges() {
    m_waiting.assign(m_roles.size(), 0);
    m_fedInWave.assign(m_roles.size(), 0);
    for (uint32_t vertex = 0; vertex < m_roles.size(); ++vertex) {
      forEachConsumer(vertex, [&](uint32_t consumer) { ++m_waiting[consumer]; });
    }
  }

  // One wave: gives the vertices that wait for the next one.
  std::vector<uint32_t> wave(std::vector<uint32_t> ready) {
    ++m_wave;
    std::vector<uint32_t> group;
    std::vector<uint32_t> postponed;
    for (size_t at = 0; at < ready.size(); ++at) {
      const uint32_t vertex = ready[at];
      const bool joins = m_roles[vertex] == Role::kSupported;
      if (!joins && m_fedInWave[vertex] == m_wave) {
        postponed.push_back(vertex);
        continue;
      }
      if (joins) group.push_back(vertex);
      const bool stops = m_roles[vertex] == Role::kStop;
      if (stops) refuseStopped(vertex);
      forEachConsumer(vertex, [&](uint32_t consumer) {
        if (joins) m_fedInWave[consumer] = m_wave;
        if (stops) m_roles[consumer] = Role::kStop;
        if (--m_waiting[consumer] == 0) ready.push_back(consumer);
      });
    }
    closeInParts(group);
    return postponed;
  }

  // The order within a wave is topological, and nothing outside of the group lies between its vertices: any cut of that
  // order gives groups that feed each other one way only.
  void closeInParts(const std::vector<uint32_t>& group) {
    std::vector<uint32_t> part;
    size_t nodes = 0;
    for (const uint32_t vertex : group) {
      if (m_options.maximumNodes > 0 && !part.empty() && nodes + m_members[vertex].size() > m_options.maximumNodes) {
        close(part);
        part.clear();
        nodes = 0;
      }
      part.push_back(vertex);
      nodes += m_members[vertex].size();
    }
    if (!part.empty()) close(part);
  }

  void refuseStopped(uint32_t vertex) {
    for (const NodeId id : m_members[vertex]) {
      if (!isSupported(id)) continue;
      const bool itself = isStop(id);
      m_result.refusals.push_back(
          {id, RefusalCause::kOption,
           itself ? fmt::format("operator {} is a stop operator of this provider", m_graph.node(id).opType)
                  : "it depends on a stop operator of this provider",
           "stop operators", m_graph.node(id).opType, "take the operator out of the provider's stop operators"});
    }
  }

  void close(const std::vector<uint32_t>& group) {
    std::vector<NodeId> nodes;
    for (const uint32_t vertex : group)
      nodes.insert(nodes.end(), m_members[vertex].begin(), m_members[vertex].end());
    std::sort(nodes.begin(), nodes.end(),
              [&](NodeId a, NodeId b) { return m_position[a.index()] < m_position[b.index()]; });
    if (nodes.size() < m_options.minimumNodes) {
      const std::string seen = counted(static_cast<int64_t>(nodes.size()), "node");
      const std::string wanted = "groups of at least " + counted(static_cast<int64_t>(m_options.minimumNodes), "node");
      return refuseGroup(
          nodes,
          fmt::format("its group has {}, fewer than the {} that are worth compiling", seen, m_options.minimumNodes),
          "minimum group size", seen, wanted);
    }
    if (m_options.accept) {
      if (const std::string veto = m_options.accept(nodes); !veto.empty())
        return refuseGroup(nodes, veto, "group rule", counted(static_cast<int64_t>(nodes.size()), "node"), {});
    }
    claim(std::move(nodes));
  }

  void refuseGroup(const std::vector<NodeId>& nodes, const std::string& reason, const std::string& rule,
                   const std::string& seen, const std::string& remedy) {
    for (const NodeId id : nodes)
      m_result.refusals.push_back({id, RefusalCause::kTooSmall, reason, rule, seen, remedy});
  }

  void claim(std::vector<NodeId> nodes) {
    GroupBorder border = borderOf(m_graph, nodes, m_options.constantsAsInputs);
    MetaDef metaDef{
        .name = m_request.names != nullptr ? m_request.names->next() : fmt::format("group_{}", m_result.claims.size()),
        .domain = m_options.domain,
        .inputs = std::move(border.inputs),
        .outputs = std::move(border.outputs)};
    m_result.claims.push_back({.subGraph = {.nodes = std::move(nodes), .metaDef = std::move(metaDef)}});
  }

  const Graph& m_graph;
  const CapabilityRequest& m_request;
  const GroupingOptions& m_options;
  std::vector<uint32_t> m_position;  // in request.free, by node index
  std::vector<uint32_t> m_vertexOfNode;
  std::vector<Role> m_roles;  // by vertex
  std::vector<std::vector<NodeId>> m_members;
  std::vector<uint32_t> m_waiting;    // edges from vertices not yet processed
  std::vector<uint32_t> m_fedInWave;  // the last wave whose group feeds it
  uint32_t m_wave = 0;
  Groups m_result;
};

}  // namespace

Groups buildGroups(const CapabilityRequest& request, const GroupingOptions& options) {
  return GroupBuilder(request, options).build();
}

}  // namespace cutaway
