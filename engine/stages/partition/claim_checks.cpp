#include "engine/stages/partition/claim_checks.h"

#include <algorithm>

#include "engine/graph/node_label.h"

namespace cutaway::partition {

namespace {

constexpr const char* kNodesRule = "claims name free nodes, each once";
constexpr const char* kBorderRule = "a MetaDef lists what its nodes need and give";

ClaimVerdict bad(const char* rule, std::string reason, std::string seen, std::string remedy) {
  return {false, RefusalCause::kBadAnswer, std::move(reason), rule, std::move(seen), std::move(remedy)};
}

class ClaimChecker {
 public:
  ClaimChecker(const Graph& graph, std::span<const NodeId> free, const CapabilityAnswer& answer)
      : m_graph(graph),
        m_offered(graph.nodeSlots(), 0),
        m_refused(graph.nodeSlots(), 0),
        m_claimOf(graph.nodeSlots(), kNobody),
        m_listed(graph.valueSlots(), kNobody),
        m_used(graph.valueSlots(), kNobody) {
    for (const NodeId id : free)
      m_offered[id.index()] = 1;
    for (const Refusal& refusal : answer.refusals) {
      if (refusal.node.index() < m_refused.size()) m_refused[refusal.node.index()] = 1;
    }
  }

  ClaimVerdict check(uint32_t claim, const IndexedSubGraph& group, int64_t minimumGroupNodes) {
    ClaimVerdict verdict = checkNodes(claim, group);
    if (verdict.accepted && group.metaDef) verdict = checkMetaDef(claim, group);
    if (verdict.accepted && group.metaDef) verdict = checkSize(group, minimumGroupNodes);
    // Nodes of a claim that is refused may stand in a later one.
    if (!verdict.accepted) forget(claim, group);
    return verdict;
  }

 private:
  static constexpr uint32_t kNobody = UINT32_MAX;

  void forget(uint32_t claim, const IndexedSubGraph& group) {
    for (const NodeId id : group.nodes) {
      if (id.index() < m_claimOf.size() && m_claimOf[id.index()] == claim) m_claimOf[id.index()] = kNobody;
    }
  }

  ClaimVerdict checkNodes(uint32_t claim, const IndexedSubGraph& group) {
    if (group.nodes.empty()) return bad(kNodesRule, "the claim names no node", "0 nodes", "leave empty claims out");
    for (const NodeId id : group.nodes) {
      ClaimVerdict verdict = checkNode(claim, id);
      if (!verdict.accepted) return verdict;
      m_claimOf[id.index()] = claim;
    }
    if (!group.metaDef && group.nodes.size() > 1) {
      return bad("a claim without MetaDef is one node", "the claim names several nodes and brings no MetaDef",
                 fmt::format("{} nodes", group.nodes.size()), "a MetaDef, or one claim for each node");
    }
    return {};
  }

  ClaimVerdict checkNode(uint32_t claim, NodeId id) const {
    if (!id.valid() || id.index() >= m_graph.nodeSlots())
      return bad(kNodesRule, "the claim names a node that does not exist",
                 id.valid() ? fmt::format("node {} of {}", id.index(), m_graph.nodeSlots()) : "no node",
                 "nodes that were offered");
    if (m_graph.node(id).removed)
      return bad(kNodesRule, fmt::format("the claim names a node that was removed: {}", nodeLabel(m_graph, id)),
                 fmt::format("node {}", id.index()), "nodes that were offered");
    if (!m_offered[id.index()]) {
      const std::string& owner = m_graph.node(id).provider;
      return bad(kNodesRule,
                 fmt::format("{} in the group {}", nodeLabel(m_graph, id),
                             owner.empty() ? "was not offered" : "is already taken by " + owner),
                 nodeLabel(m_graph, id), "nodes that were offered");
    }
    if (m_claimOf[id.index()] == claim)
      return bad(kNodesRule, fmt::format("the claim names {} twice", nodeLabel(m_graph, id)), nodeLabel(m_graph, id),
                 "each node once");
    if (m_claimOf[id.index()] != kNobody)
      return bad(
          kNodesRule,
          fmt::format("{} in the group is already taken by another claim of this provider", nodeLabel(m_graph, id)),
          nodeLabel(m_graph, id), "claims that share no node");
    if (m_refused[id.index()])
      return bad(kNodesRule, fmt::format("the provider claims {} and refuses it too", nodeLabel(m_graph, id)),
                 nodeLabel(m_graph, id), "one answer for each node");
    return {};
  }

  ClaimVerdict checkMetaDef(uint32_t claim, const IndexedSubGraph& group) {
    const MetaDef& metaDef = *group.metaDef;
    if (metaDef.name.empty())
      return bad("a MetaDef has a name", "the MetaDef has no name", "\"\"",
                 "a name, as CapabilityRequest::names gives them");
    if (metaDef.inputs.empty() && metaDef.outputs.empty()) return {};  // the natural border
    markUsed(claim, group);
    ClaimVerdict verdict = checkInputs(claim, metaDef);
    if (verdict.accepted) verdict = checkNeeded(claim, group);
    if (verdict.accepted) verdict = checkOutputs(claim, metaDef);
    if (verdict.accepted) verdict = checkGiven(claim, group);
    return verdict;
  }

  template <typename Visit>
  void forEachUse(const IndexedSubGraph& group, Visit&& visit) const {
    for (const NodeId id : group.nodes) {
      for (const ValueId value : m_graph.node(id).inputs) {
        if (value.valid()) visit(value);
      }
      for (const ValueId value : m_graph.node(id).implicitInputs)
        visit(value);
    }
  }

  void markUsed(uint32_t claim, const IndexedSubGraph& group) {
    forEachUse(group, [&](ValueId value) { m_used[value.index()] = claim; });
  }

  bool exists(ValueId id) const {
    return id.valid() && id.index() < m_graph.valueSlots() && !m_graph.value(id).removed;
  }
  bool madeInside(uint32_t claim, ValueId id) const {
    return m_graph.value(id).producer.valid() && m_claimOf[m_graph.value(id).producer.index()] == claim;
  }

  ClaimVerdict checkInputs(uint32_t claim, const MetaDef& metaDef) {
    for (const ValueId id : metaDef.inputs) {
      if (!exists(id))
        return bad(
            kBorderRule, "the MetaDef lists an input that does not exist",
            fmt::format("value {} of {}", id.valid() ? fmt::to_string(id.index()) : "none", m_graph.valueSlots()),
            "values of the graph asked about");
      const std::string& name = m_graph.value(id).name;
      if (m_listed[id.index()] == claim)
        return bad(kBorderRule, fmt::format("the MetaDef lists input '{}' twice", name), name, "each input once");
      if (madeInside(claim, id))
        return bad(kBorderRule, fmt::format("the MetaDef lists input '{}', which the group itself makes", name), name,
                   "values from outside of the group");
      if (m_used[id.index()] != claim)
        return bad(kBorderRule, fmt::format("the MetaDef lists input '{}', which no node of the group uses", name),
                   name, "inputs that its nodes use");
      m_listed[id.index()] = claim;
    }
    return {};
  }

  ClaimVerdict checkNeeded(uint32_t claim, const IndexedSubGraph& group) const {
    ClaimVerdict verdict;
    forEachUse(group, [&](ValueId id) {
      if (!verdict.accepted || madeInside(claim, id) || m_graph.isConstant(id) || m_listed[id.index()] == claim) return;
      const std::string& name = m_graph.value(id).name;
      verdict =
          bad(kBorderRule, fmt::format("the MetaDef leaves out input '{}', which the group needs from outside", name),
              name, "every value from outside that is no constant");
    });
    return verdict;
  }

  ClaimVerdict checkOutputs(uint32_t claim, const MetaDef& metaDef) {
    for (const ValueId id : metaDef.outputs) {
      if (!exists(id))
        return bad(
            kBorderRule, "the MetaDef lists an output that does not exist",
            fmt::format("value {} of {}", id.valid() ? fmt::to_string(id.index()) : "none", m_graph.valueSlots()),
            "values of the graph asked about");
      const std::string& name = m_graph.value(id).name;
      if (!madeInside(claim, id))
        return bad(kBorderRule, fmt::format("the MetaDef lists output '{}', which no node of the group makes", name),
                   name, "values that the group makes");
      if (m_listed[id.index()] == claim)
        return bad(kBorderRule, fmt::format("the MetaDef lists output '{}' twice", name), name, "each output once");
      m_listed[id.index()] = claim;
    }
    return {};
  }

  ClaimVerdict checkGiven(uint32_t claim, const IndexedSubGraph& group) const {
    for (const NodeId id : group.nodes) {
      for (const ValueId output : m_graph.node(id).outputs) {
        if (!output.valid() || m_listed[output.index()] == claim) continue;
        const Value& value = m_graph.value(output);
        const bool wanted =
            value.outputCount > 0 || std::any_of(value.uses.begin(), value.uses.end(),
                                                 [&](const Use& use) { return m_claimOf[use.node.index()] != claim; });
        if (wanted)
          return bad(kBorderRule,
                     fmt::format("the MetaDef leaves out output '{}', which is used outside of the group", value.name),
                     value.name, "every value that is a graph output or used outside");
      }
    }
    return {};
  }

  ClaimVerdict checkSize(const IndexedSubGraph& group, int64_t minimumGroupNodes) const {
    if (static_cast<int64_t>(group.nodes.size()) >= minimumGroupNodes) return {};
    const size_t count = group.nodes.size();
    return {false,
            RefusalCause::kTooSmall,
            fmt::format("its group has {} {}, and compiled groups of fewer than {} are not wanted", count,
                        count == 1 ? "node" : "nodes", minimumGroupNodes),
            "minimum group size",
            fmt::format("{} {}", count, count == 1 ? "node" : "nodes"),
            fmt::format("groups of at least {} nodes, or a smaller minimum", minimumGroupNodes)};
  }

  const Graph& m_graph;
  std::vector<char> m_offered;
  std::vector<char> m_refused;
  std::vector<uint32_t> m_claimOf;  // by node index
  std::vector<uint32_t> m_listed;   // by value index: the claim whose MetaDef lists it
  std::vector<uint32_t> m_used;
};

}  // namespace

std::vector<ClaimVerdict> checkClaims(const Graph& graph, std::span<const NodeId> free, const CapabilityAnswer& answer,
                                      int64_t minimumGroupNodes) {
  ClaimChecker checker(graph, free, answer);
  std::vector<ClaimVerdict> verdicts;
  verdicts.reserve(answer.claims.size());
  for (size_t i = 0; i < answer.claims.size(); ++i)
    verdicts.push_back(checker.check(static_cast<uint32_t>(i), answer.claims[i].subGraph, minimumGroupNodes));
  return verdicts;
}

}  // namespace cutaway::partition
