#include "ui/canvas/card_groups.h"

#include <algorithm>
#include <utility>

#include "ui/base/format.h"
#include "ui/canvas/grouping.h"
#include "ui/canvas/provider_groups.h"
#include "ui/canvas/scene_graph.h"

namespace cutaway::ui {
namespace {

bool isQuantize(const NodeReport& node) {
  return node.opType == "QuantizeLinear";
}
bool isDequantize(const NodeReport& node) {
  return node.opType == "DequantizeLinear";
}

class CardFinder {
 public:
  CardFinder(const GraphReport& graph, std::vector<Taker> takers)
      : m_graph(graph),
        m_takers(std::move(takers)),
        m_into(graph.nodes.size(), -1),
        m_constant(graph.nodes.size(), false) {
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      m_constant[n] = isConstant(static_cast<int>(n));
      m_into[n] = target(static_cast<int>(n));
    }
  }

  // The node on whose card the node is: itself, where it has one of its own.
  int principal(int node) {
    int last = node;
    while (m_into[last] >= 0)
      last = m_into[last];
    while (m_into[node] >= 0)
      node = std::exchange(m_into[node], last);
    return last;
  }

 private:
  int producer(int32_t value) const { return value < 0 ? -1 : m_graph.values[value].producer; }

  // Computed of weights alone. Nodes are in topological order.
  bool isConstant(int node) const {
    const NodeReport& report = m_graph.nodes[node];
    if (hasBody(report) || !report.implicitInputs.empty()) return false;
    if (report.inputs.empty()) return report.opType == "Constant";
    return std::ranges::all_of(report.inputs, [&](int32_t input) {
      if (input < 0 || m_graph.values[input].isInitializer) return true;
      return producer(input) >= 0 && producer(input) < node && m_constant[producer(input)];
    });
  }

  // The one node that reads what this one makes; -1: none, several, or it leaves the graph.
  int onlyReader(int node) const {
    int reader = -1;
    for (const int32_t output : m_graph.nodes[node].outputs) {
      if (output < 0) continue;
      const ValueReport& value = m_graph.values[output];
      if (value.isOutput) return -1;
      for (const int32_t consumer : value.consumers) {
        if (reader >= 0 && reader != consumer) return -1;
        reader = consumer;
      }
    }
    return reader;
  }

  bool runsWith(int a, int b) const {
    return m_takers[a].provider == m_takers[b].provider && m_takers[a].group == m_takers[b].group;
  }

  int target(int node) const {
    const NodeReport& report = m_graph.nodes[node];
    const int reader = onlyReader(node);
    const auto joined = [&](int other) { return hasBody(m_graph.nodes[other]) || !runsWith(node, other) ? -1 : other; };
    const bool read = reader > node;  // else there is none, or a file with nodes in no order
    if (m_constant[node]) return read ? joined(reader) : -1;
    if (isQuantize(report) && !report.inputs.empty()) {
      const int before = producer(report.inputs[0]);
      const bool plain = before >= 0 && before < node && m_into[before] < 0 && !m_constant[before] &&
                         !isQuantize(m_graph.nodes[before]) && !isDequantize(m_graph.nodes[before]);
      if (plain && onlyReader(before) == node) return joined(before);
      return read && isDequantize(m_graph.nodes[reader]) ? joined(reader) : -1;
    }
    return isDequantize(report) && read && !isQuantize(m_graph.nodes[reader]) ? joined(reader) : -1;
  }

  const GraphReport& m_graph;
  std::vector<Taker> m_takers;
  std::vector<int> m_into;
  std::vector<bool> m_constant;
};

}  // namespace

void addCards(ScopeTree& tree, const GraphReport& report, int graph, const PartitionReport* asked) {
  CardFinder finder(report, takersOf(report, graph, asked));
  std::vector<int> cardOf(report.nodes.size(), 0);
  for (size_t n = 0; n < report.nodes.size(); ++n) {
    const int node = static_cast<int>(n), principal = finder.principal(node);
    if (principal == node) continue;
    int& card = cardOf[principal];
    if (card == 0) {
      card = static_cast<int>(tree.scopes.size());
      const int outside = tree.scopeOfNode[principal];
      Scope scope;
      scope.title = operatorText(report.nodes[principal]);
      scope.path = bodyPath(tree.scopes[outside].path, report, principal) + QLatin1Char('+');
      scope.parent = outside;
      scope.depth = tree.scopes[outside].depth + 1;
      scope.kind = ScopeKind::kCard;
      scope.callGraph = graph;
      scope.callNode = principal;
      tree.scopes.push_back(std::move(scope));
    }
    tree.scopeOfNode[n] = card;
  }
  for (size_t n = 0; n < report.nodes.size(); ++n)
    if (cardOf[n] > 0) tree.scopeOfNode[n] = cardOf[n];
  completeTree(tree, report);
}

}  // namespace cutaway::ui
