// Contraction against brute force: on random graphs, contracting a group is accepted exactly when the contracted graph
// has no cycle.
#include <algorithm>
#include <random>
#include <set>

#include <QtTest/QtTest>

#include "engine/stages/partition/convexity.h"

using namespace cutaway;

namespace {

struct RandomGraph {
  Graph graph;
  std::vector<NodeId> nodes;
  std::vector<std::pair<size_t, size_t>> edges;
};

RandomGraph randomGraph(uint32_t seed, size_t count) {
  std::mt19937 random(seed);
  RandomGraph result;
  const ValueId x = result.graph.addInput("x", ValueType::tensor(ElementType::kFloat, Shape{Dim(1)}));
  std::vector<ValueId> made;
  for (size_t i = 0; i < count; ++i) {
    std::vector<ValueId> inputs;
    for (size_t k = 0; k < 2 && i > 0; ++k) {
      const size_t from = random() % i;
      inputs.push_back(made[from]);
      result.edges.emplace_back(from, i);
    }
    if (inputs.empty()) inputs.push_back(x);
    Node node;
    node.name = "n" + std::to_string(i);
    node.opType = "Sum";
    const std::vector<std::string> outputs{"v" + std::to_string(i)};
    result.nodes.push_back(result.graph.addNode(std::move(node), inputs, outputs));
    made.push_back(result.graph.node(result.nodes.back()).outputs[0]);
  }
  return result;
}

// Kahn's algorithm over the graph with each group as one vertex.
bool acyclic(const RandomGraph& graph, const std::vector<std::vector<size_t>>& groups) {
  std::vector<size_t> vertex(graph.nodes.size());
  for (size_t i = 0; i < vertex.size(); ++i)
    vertex[i] = i;
  for (const std::vector<size_t>& group : groups) {
    for (const size_t member : group)
      vertex[member] = group.front();
  }
  std::set<std::pair<size_t, size_t>> edges;
  for (const auto& [from, to] : graph.edges) {
    if (vertex[from] != vertex[to]) edges.emplace(vertex[from], vertex[to]);
  }
  std::set<size_t> left(vertex.begin(), vertex.end());
  for (bool removed = true; removed;) {
    removed = false;
    for (const size_t candidate : std::set<size_t>(left)) {
      const bool hasInput =
          std::any_of(edges.begin(), edges.end(), [&](const auto& edge) { return edge.second == candidate; });
      if (hasInput) continue;
      left.erase(candidate);
      std::erase_if(edges, [&](const auto& edge) { return edge.first == candidate; });
      removed = true;
    }
  }
  return left.empty();
}

}  // namespace

class TestConvexity : public QObject {
  Q_OBJECT
 private slots:
  void agreesWithBruteForce() {
    int rejected = 0;
    for (uint32_t seed = 0; seed < 200; ++seed) {
      const RandomGraph graph = randomGraph(seed, 14);
      std::mt19937 random(seed + 1000);
      partition::Contraction contraction(graph.graph);
      std::vector<std::vector<size_t>> accepted;
      std::vector<char> used(graph.nodes.size(), 0);
      for (int attempt = 0; attempt < 4; ++attempt) {
        std::vector<size_t> group;
        for (size_t i = 0; i < graph.nodes.size(); ++i) {
          if (!used[i] && random() % 4 == 0) group.push_back(i);
        }
        if (group.size() < 2) continue;
        std::vector<NodeId> ids;
        for (const size_t i : group)
          ids.push_back(graph.nodes[i]);
        std::vector<std::vector<size_t>> withGroup = accepted;
        withGroup.push_back(group);
        const bool expected = acyclic(graph, withGroup);
        QCOMPARE(contraction.staysAcyclic(ids), expected);
        rejected += expected ? 0 : 1;
        if (!expected) continue;
        contraction.contract(ids);
        accepted = withGroup;
        for (const size_t i : group)
          used[i] = 1;
      }
    }
    QVERIFY2(rejected > 20, "the random groups must include some that close a cycle");
  }

  // Several groups at once: what is kept closes no cycle, and nothing that is refused could have been kept beside it.
  void refusesNoMoreThanNeeded() {
    int refused = 0, kept = 0;
    for (uint32_t seed = 0; seed < 300; ++seed) {
      const RandomGraph graph = randomGraph(seed, 16);
      std::mt19937 random(seed + 5000);
      std::vector<std::vector<size_t>> groups(5);
      for (size_t i = 0; i < graph.nodes.size(); ++i) {
        const size_t group = random() % 8;
        if (group < groups.size()) groups[group].push_back(i);
      }
      std::erase_if(groups, [](const std::vector<size_t>& group) { return group.empty(); });
      std::vector<std::vector<NodeId>> ids;
      for (const std::vector<size_t>& group : groups) {
        ids.emplace_back();
        for (const size_t i : group)
          ids.back().push_back(graph.nodes[i]);
      }
      const std::vector<char> offenders =
          partition::Contraction(graph.graph).offenders(std::vector<std::span<const NodeId>>(ids.begin(), ids.end()));
      std::vector<std::vector<size_t>> accepted;
      for (size_t i = 0; i < groups.size(); ++i) {
        if (!offenders[i]) accepted.push_back(groups[i]);
      }
      QVERIFY2(acyclic(graph, accepted), qPrintable(QString("seed %1").arg(seed)));
      for (size_t i = 0; i < groups.size(); ++i) {
        if (!offenders[i]) continue;
        std::vector<std::vector<size_t>> withIt = accepted;
        withIt.push_back(groups[i]);
        QVERIFY2(!acyclic(graph, withIt),
                 qPrintable(QString("seed %1: group %2 was refused for nothing").arg(seed).arg(i)));
        ++refused;
      }
      kept += static_cast<int>(accepted.size());
    }
    QVERIFY2(refused > 50 && kept > 50, qPrintable(QString("%1 refused, %2 kept").arg(refused).arg(kept)));
  }

  void aPathBackIsShown() {
    RandomGraph graph;
    const ValueId x = graph.graph.addInput("x", ValueType::tensor(ElementType::kFloat, Shape{Dim(1)}));
    std::vector<NodeId> chain;
    ValueId last = x;
    for (const char* name : {"a", "b", "c"}) {
      Node node;
      node.name = name;
      node.opType = "Relu";
      chain.push_back(graph.graph.addNode(std::move(node), {last}, {std::string("v") + name}));
      last = graph.graph.node(chain.back()).outputs[0];
    }
    const partition::Contraction contraction(graph.graph);
    const std::vector<NodeId> ends{chain[0], chain[2]}, all = chain;
    QCOMPARE(contraction.pathBack(ends), chain);
    QVERIFY(contraction.pathBack(all).empty());
  }

  void twoConvexGroupsThatCloseACycleTogether() {
    // a1 -> b1 and b2 -> a2: {a1, a2} and {b1, b2} are convex each, but not side by side.
    RandomGraph graph;
    const ValueId x = graph.graph.addInput("x", ValueType::tensor(ElementType::kFloat, Shape{Dim(1)}));
    const auto add = [&](const std::string& name, ValueId input) {
      Node node;
      node.name = name;
      node.opType = "Relu";
      return graph.graph.addNode(std::move(node), {input}, {"v" + name});
    };
    const NodeId a1 = add("a1", x);
    const NodeId b1 = add("b1", graph.graph.node(a1).outputs[0]);
    const NodeId b2 = add("b2", x);
    const NodeId a2 = add("a2", graph.graph.node(b2).outputs[0]);
    partition::Contraction contraction(graph.graph);
    const std::vector<NodeId> a{a1, a2}, b{b1, b2};
    QVERIFY(contraction.staysAcyclic(a));
    QVERIFY(contraction.staysAcyclic(b));
    contraction.contract(a);
    QVERIFY(!contraction.staysAcyclic(b));
    contraction.release(a);
    QVERIFY(contraction.staysAcyclic(b));
  }
};

QTEST_GUILESS_MAIN(TestConvexity)
#include "tst_convexity.moc"
