#include "engine/stages/partition/reservations.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

#include "engine/graph/node_label.h"

namespace cutaway::partition {

int32_t Reservations::indexOf(const std::string& provider) const {
  const auto found = std::find(m_providers.begin(), m_providers.end(), provider);
  return found == m_providers.end() ? kNone : static_cast<int32_t>(found - m_providers.begin());
}

int32_t Reservations::addRule(ReservationRule rule) {
  m_rules.push_back({.rule = std::move(rule), .firstRefused = {}});
  return static_cast<int32_t>(m_rules.size()) - 1;
}

void Reservations::keep(const Graph& graph, NodeId id, int32_t rule) {
  std::vector<int32_t>& rules = m_ruleOfNode[&graph];
  if (rules.size() < graph.nodeSlots()) rules.resize(graph.nodeSlots(), kNone);
  if (rules[id.index()] != kNone) return;
  rules[id.index()] = rule;
  ++m_rules[static_cast<size_t>(rule)].kept;
}

void Reservations::forgetNodes() {
  m_ruleOfNode.clear();
  for (Counted& each : m_rules)
    each = {.rule = std::move(each.rule), .firstRefused = {}};
}

const ReservationRule* Reservations::ruleOf(const Graph& graph, NodeId id) const {
  const auto found = m_ruleOfNode.find(&graph);
  if (found == m_ruleOfNode.end() || id.index() >= found->second.size() || found->second[id.index()] == kNone)
    return nullptr;
  return &m_rules[static_cast<size_t>(found->second[id.index()])].rule;
}

const ReservationRule* Reservations::keptForAnother(const Graph& graph, NodeId id, int32_t provider) const {
  const ReservationRule* rule = ruleOf(graph, id);
  return rule == nullptr || rule->provider == provider ? nullptr : rule;
}

const ReservationRule* Reservations::keptFor(const Graph& graph, NodeId id, int32_t provider) const {
  const ReservationRule* rule = ruleOf(graph, id);
  return rule == nullptr || rule->provider != provider ? nullptr : rule;
}

ProviderAnswer Reservations::passedOver(const ReservationRule& rule, int32_t provider) const {
  const std::string& owner = m_providers[static_cast<size_t>(rule.provider)];
  return {.provider = m_providers[static_cast<size_t>(provider)],
          .verdict = Verdict::kRefused,
          .cause = RefusalCause::kPin,
          .reason = fmt::format("not asked: kept for {} by {}", owner, rule.text),
          .rule = rule.text,
          .seen = {},
          .remedy = fmt::format("take {} away", rule.text)};
}

void Reservations::countRefusal(int32_t rule, const Graph& graph, NodeId node, const std::string& reason) {
  Counted& counted = m_rules[static_cast<size_t>(rule)];
  if (counted.refused++ == 0) counted.firstRefused = fmt::format("{}: {}", nodeLabel(graph, node), reason);
}

std::vector<std::string> Reservations::warnings() const {
  std::vector<std::string> texts;
  for (const Counted& each : m_rules) {
    if (each.kept == 0 && each.rule.warnWhenUnused) texts.push_back(fmt::format("{} fits no node", each.rule.text));
    if (!each.rule.firm) continue;
    const std::string& provider = m_providers[static_cast<size_t>(each.rule.provider)];
    if (each.refused == 1)
      texts.push_back(
          fmt::format("{} cannot be kept: {} does not support {}; the node was offered to the other providers",
                      each.rule.text, provider, each.firstRefused));
    if (each.refused > 1) {
      texts.push_back(
          fmt::format("{} cannot be kept for {} of {} nodes: {} does not support them, the first being {}; they were "
                      "offered to the other providers",
                      each.rule.text, each.refused, each.kept, provider, each.firstRefused));
    }
  }
  return texts;
}

}  // namespace cutaway::partition
