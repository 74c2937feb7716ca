#include "engine/stages/partition/layout_plan.h"

#include <algorithm>

namespace cutaway::partition {

namespace {

using Kind = LayoutRole::Kind;

class Planner {
 public:
  Planner(const Graph& graph, std::span<const NodeId> order, std::span<const char> claimed)
      : m_graph(graph),
        m_order(order),
        m_roles(graph.nodeSlots()),
        m_turned(graph.nodeSlots(), 0),
        m_made(graph.valueSlots(), 0),
        m_wanted(graph.valueSlots(), 0),
        m_needed(graph.valueSlots(), 0) {
    for (const NodeId id : order) {
      if (id.index() < claimed.size() && claimed[id.index()]) m_roles[id.index()] = layoutRole(graph, id);
      if (roleOf(id).kind == Kind::kSensitive) turn(id);
    }
  }

  LayoutPlan plan() {
    LayoutPlan result;
    if (std::none_of(m_turned.begin(), m_turned.end(), [](char turned) { return turned != 0; })) return result;
    spreadWanted();
    for (const NodeId id : m_order) {
      if (roleOf(id).kind == Kind::kFollower && turnsCheaply(id)) turn(id);
    }
    leaveIdleDequantizers();
    for (const NodeId id : m_order) {
      if (!m_turned[id.index()]) continue;
      if (roleOf(id).kind == Kind::kSensitive) result.sensitive.push_back(id);
      result.nodes.push_back(id);
      result.roles.push_back(std::move(m_roles[id.index()]));
    }
    return result;
  }

 private:
  const LayoutRole& roleOf(NodeId id) const { return m_roles[id.index()]; }

  template <typename Visit>
  void forEachTurning(NodeId id, Visit&& visit) const {
    const ShortList<ValueId>& inputs = m_graph.node(id).inputs;
    for (size_t slot = 0; slot < inputs.size(); ++slot) {
      if (roleOf(id).turns[slot] && !m_graph.isConstant(inputs[slot])) visit(inputs[slot]);
    }
  }

  void turn(NodeId id) {
    m_turned[id.index()] = 1;
    for (const ValueId value : m_graph.node(id).outputs) {
      if (value.valid()) m_made[value.index()] = 1;
    }
    if (roleOf(id).kind == Kind::kSensitive) forEachTurning(id, [&](ValueId value) { m_needed[value.index()] = 1; });
  }

  bool isWanted(NodeId id) const {
    return std::any_of(m_graph.node(id).outputs.begin(), m_graph.node(id).outputs.end(),
                       [&](ValueId value) { return value.valid() && m_wanted[value.index()]; });
  }

  // A value is wanted with channels last by a node on images, and by a follower whose results are.
  void spreadWanted() {
    for (auto id = m_order.rbegin(); id != m_order.rend(); ++id) {
      const Kind kind = roleOf(*id).kind;
      if (kind == Kind::kSensitive || (kind == Kind::kFollower && isWanted(*id)))
        forEachTurning(*id, [&](ValueId value) { m_wanted[value.index()] = 1; });
    }
  }

  bool turnsCheaply(NodeId id) const {
    int made = 0;       // operands that exist with channels last only
    int open = 0;       // operands that would have to be turned
    int available = 0;  // with channels last, for whatever reason
    forEachTurning(id, [&](ValueId value) {
      const bool isMade = m_made[value.index()] != 0;
      const bool isThere = isMade || m_needed[value.index()] != 0;
      made += isMade ? 1 : 0;
      available += isThere ? 1 : 0;
      open += isThere ? 0 : 1;
    });
    const bool wanted = isWanted(id);
    // Bytes are turned before they become floats, and a quantized operator keeps its unit.
    const bool pulls = m_graph.node(id).opType == "DequantizeLinear" && wanted;
    if (available == 0 && !pulls) return false;
    return open + (wanted ? 0 : 1) <= made + (wanted ? 1 : 0);
  }

  void leaveIdleDequantizers() {
    for (auto id = m_order.rbegin(); id != m_order.rend(); ++id) {
      if (!m_turned[id->index()] || m_graph.node(*id).opType != "DequantizeLinear") continue;
      const ValueId made = m_graph.node(*id).outputs[0];
      const ShortList<Use>& uses = m_graph.value(made).uses;
      if (std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
            return m_turned[use.node.index()] && use.slot < roleOf(use.node).turns.size() &&
                   roleOf(use.node).turns[use.slot];
          }))
        continue;
      m_turned[id->index()] = 0;
    }
  }

  const Graph& m_graph;
  std::span<const NodeId> m_order;
  std::vector<LayoutRole> m_roles;  // by node index
  std::vector<char> m_turned;       // by node index
  std::vector<char> m_made;         // by value index: comes with channels last from its producer
  std::vector<char> m_wanted;       // by value index
  std::vector<char> m_needed;       // by value index: a node on images reads it
};

}  // namespace

LayoutPlan planLayout(const Graph& graph, std::span<const NodeId> order, std::span<const char> claimed) {
  return Planner(graph, order, claimed).plan();
}

}  // namespace cutaway::partition
