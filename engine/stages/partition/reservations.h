#pragma once
// Which provider a node is kept for before the others are asked, and who said so: pins of the user, streams of a node
// partition file, layer annotations.
//
// A node that is kept for a provider is offered to nobody else until that provider has answered. When it refuses, the
// node is set free: a firm rule (a pin, a stream) then offers it to everybody in order, the providers that were passed
// over included; a layer offers it to the later ones only (onnxruntime/core/framework/resource_accountant.h and
// onnxruntime_session_options_config_keys.h). Thread rule: one partitioning. Lookups are constant time. Example:
//   Reservations kept;
//   const int32_t rule = kept.addRule({.provider = 1, .text = "pin node:conv1=npu", .firm = true});
//   kept.keep(graph, id, rule);
//   if (const ReservationRule* other = kept.keptForAnother(graph, id, 0)) refuse(id, other->text);

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/report/partition_report.h"

namespace cutaway::partition {

struct ReservationRule {
  int32_t provider = kNone;  // index in the list of providers
  std::string text;          // "pin op:Resize=npu"; opens warnings and reasons
  bool firm = true;
  bool warnWhenUnused = true;
};

class Reservations {
 public:
  // providers: names in order of priority.
  explicit Reservations(std::vector<std::string> providers) : m_providers(std::move(providers)) {}

  const std::vector<std::string>& providers() const { return m_providers; }
  int32_t indexOf(const std::string& provider) const;  // kNone: not in this session

  int32_t addRule(ReservationRule rule);
  // The first rule that keeps a node stays.
  void keep(const Graph& graph, NodeId id, int32_t rule);
  // Forgets which nodes were kept and set free, not the rules: graphs have changed and are bound again.
  void forgetNodes();

  bool empty() const { return m_rules.empty(); }
  // The rule that keeps the node from `provider`; nullptr: it may be offered.
  const ReservationRule* keptForAnother(const Graph& graph, NodeId id, int32_t provider) const;
  // The rule that keeps the node for `provider`; nullptr: there is none.
  const ReservationRule* keptFor(const Graph& graph, NodeId id, int32_t provider) const;
  // Answer for a provider that is passed over.
  ProviderAnswer passedOver(const ReservationRule& rule, int32_t provider) const;

  // After `provider` has answered: the nodes kept for it that nobody owns now are free for others. Gives those that
  // earlier providers must be asked about again, in id order. reasonOf: why the provider did not take it.
  template <typename ReasonOf>
  std::vector<NodeId> release(const Graph& graph, int32_t provider, ReasonOf&& reasonOf) {
    std::vector<NodeId> again;
    const auto found = m_ruleOfNode.find(&graph);
    if (found == m_ruleOfNode.end()) return again;
    for (size_t i = 0; i < found->second.size(); ++i) {
      const int32_t rule = found->second[i];
      if (rule == kNone || m_rules[static_cast<size_t>(rule)].rule.provider != provider) continue;
      const Node& node = graph.node(NodeId{i});
      if (node.removed || !node.provider.empty()) continue;
      found->second[i] = kNone;
      countRefusal(rule, graph, NodeId{i}, reasonOf(NodeId{i}));
      if (m_rules[static_cast<size_t>(rule)].rule.firm) again.push_back(NodeId{i});
    }
    return again;
  }

  // One sentence for each rule that fits no node, and for each firm one that was refused.
  std::vector<std::string> warnings() const;

 private:
  struct Counted {
    ReservationRule rule;
    int64_t kept = 0;
    int64_t refused = 0;
    std::string firstRefused;  // label and reason
  };
  const ReservationRule* ruleOf(const Graph& graph, NodeId id) const;
  void countRefusal(int32_t rule, const Graph& graph, NodeId node, const std::string& reason);

  std::vector<std::string> m_providers;
  std::vector<Counted> m_rules;
  std::unordered_map<const Graph*, std::vector<int32_t>> m_ruleOfNode;
};

}  // namespace cutaway::partition
