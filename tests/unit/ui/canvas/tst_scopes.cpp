// Scopes that can be drawn: convex whatever names promise, constants and Q/DQ on the card of the node they belong to,
// and the way to what is folded.
#include <algorithm>
#include <random>

#include <QTest>

#include "tests/unit/ui/walk_fixture.h"
#include "ui/canvas/card_groups.h"
#include "ui/canvas/convex_groups.h"
#include "ui/canvas/grouping.h"
#include "ui/canvas/key_walk.h"
#include "ui/canvas/name_scopes.h"
#include "ui/canvas/scene.h"
#include "ui/canvas/scene_look.h"
#include "ui/canvas/scope_way.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

int scopeAt(const ScopeTree& tree, int node, int depth) {
  int scope = tree.scopeOfNode[static_cast<size_t>(node)];
  while (tree.scopes[static_cast<size_t>(scope)].depth > depth)
    scope = tree.scopes[static_cast<size_t>(scope)].parent;
  return scope;
}

// Whichever scopes are folded, lines between what is seen run one way: each depth is folded and must have an order.
bool isConvex(const ScopeTree& tree, const GraphReport& graph) {
  int deepest = 0;
  for (const Scope& scope : tree.scopes)
    deepest = std::max(deepest, scope.depth);
  const auto nodes = static_cast<int>(graph.nodes.size());
  const int count = nodes + static_cast<int>(tree.scopes.size());
  for (int depth = 1; depth <= deepest; ++depth) {
    const auto shownAs = [&](int node) {
      const int scope = scopeAt(tree, node, depth);
      return tree.scopes[static_cast<size_t>(scope)].depth == depth ? nodes + scope : node;
    };
    std::vector<std::vector<int>> next(static_cast<size_t>(count));
    std::vector<int> missing(static_cast<size_t>(count), 0), ready;
    for (int n = 0; n < nodes; ++n)
      for (const int32_t output : graph.nodes[static_cast<size_t>(n)].outputs)
        for (const int32_t consumer : graph.values[static_cast<size_t>(output)].consumers)
          if (shownAs(n) != shownAs(consumer)) {
            next[static_cast<size_t>(shownAs(n))].push_back(shownAs(consumer));
            ++missing[static_cast<size_t>(shownAs(consumer))];
          }
    for (int v = 0; v < count; ++v)
      if (missing[static_cast<size_t>(v)] == 0) ready.push_back(v);
    for (size_t i = 0; i < ready.size(); ++i)
      for (const int to : next[static_cast<size_t>(ready[i])])
        if (--missing[static_cast<size_t>(to)] == 0) ready.push_back(to);
    if (static_cast<int>(ready.size()) < count) return false;
  }
  return true;
}

int scopeNamed(const ScopeTree& tree, const QString& path) {
  const auto found = std::ranges::find(tree.scopes, path, &Scope::path);
  return found == tree.scopes.end() ? -1 : static_cast<int>(found - tree.scopes.begin());
}

std::shared_ptr<const ModelGraphs> modelOf(test::GraphBuilder& g) {
  auto graphs = std::make_shared<ModelGraphs>();
  graphs->graphs = {g.graph()};
  return graphs;
}

// x -> Conv (weights by DequantizeLinear) -> Relu -> Q -> DQ -> Conv, whose bias is a constant with a Reshape behind
// it.
test::GraphBuilder quantised() {
  test::GraphBuilder g("qdq");
  g.input("x", "float[1,8]");
  g.constant("w0", "int8[8,8]", 64);
  g.constant("scale", "float[]", 4);
  g.node("DequantizeLinear", "dq_w", {"w0", "scale"}, {"w"});
  g.node("Conv", "first", {"x", "w"}, {"a"});
  g.node("Relu", "relu", {"a"}, {"b"});
  g.node("QuantizeLinear", "q", {"b", "scale"}, {"c"});
  g.node("DequantizeLinear", "dq", {"c", "scale"}, {"d"});
  g.node("Constant", "bias", {}, {"e"});
  g.node("Reshape", "flat_bias", {"e", "scale"}, {"f"});
  g.node("Conv", "second", {"d", "f"}, {"y"});
  g.output("y");
  return g;
}

enum Quantised { kWeights, kFirst, kRelu, kQuantize, kDequantize, kBias, kFlatBias, kSecond };

}  // namespace

class TestScopes : public QObject {
  Q_OBJECT

 private slots:
  // PaddleOCR's exporter calls the 49th convolution p2o.Conv.49.
  void operatorNamesAreNoScopes() {
    test::GraphBuilder g("paddle");
    g.input("v0", "float[1]");
    for (int i = 0; i < 30; ++i) {
      const std::string op = i % 3 == 0 ? "Conv" : i % 3 == 1 ? "BatchNormalization" : "Relu";
      g.node(op, "p2o." + op + "." + std::to_string(i), {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)});
    }
    QCOMPARE(scopesOf(g.graph()).scopes.size(), size_t{1});
    QCOMPARE(groupsOf(*modelOf(g), 0, Grouping::kNames).scopes.size(), size_t{1});
  }

  // Nodes that a layout change added stand outside of the exporter's prefix, which says nothing for all that.
  void aPrefixOfAlmostAllNodesIsNoScope() {
    test::GraphBuilder g("paddle");
    g.input("v0", "float[1]");
    for (int i = 0; i < 40; ++i) {
      const bool added = i % 20 == 19;
      g.node(added ? "Reorder" : "Relu", (added ? "reorder_" : "p2o.Relu.") + std::to_string(i),
             {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)});
    }
    QCOMPARE(scopesOf(g.graph()).scopes.size(), size_t{1});
    // A part of the model that has most of it is one all the same.
    test::GraphBuilder parts("parts");
    parts.input("v0", "float[1]");
    for (int i = 0; i < 40; ++i)
      parts.node("Relu", (i < 32 ? "backbone/" : "head/") + std::to_string(i), {"v" + std::to_string(i)},
                 {"v" + std::to_string(i + 1)});
    QCOMPARE(scopesOf(parts.graph()).scopes.size(), size_t{3});
  }

  // A constant of A is read in B, and A goes on behind B: B is a scope, A is what stands behind it.
  void scopesThatComeBackAreCut() {
    test::GraphBuilder g("knot");
    g.input("x", "float[1]");
    g.node("Constant", "a/shared", {}, {"s"});
    g.node("Relu", "b/0", {"x"}, {"b0"});
    g.node("Add", "b/1", {"b0", "s"}, {"b1"});
    g.node("Conv", "a/0", {"b1"}, {"a0"});
    g.node("Conv", "a/1", {"a0"}, {"a1"});
    g.node("Conv", "a/2", {"a1", "s"}, {"a2"});
    g.output("a2");
    QVERIFY(!isConvex(scopesOf(g.graph()), g.graph()));
    const ScopeTree tree = groupsOf(*modelOf(g), 0, Grouping::kNames);
    QVERIFY(isConvex(tree, g.graph()));
    const int a = scopeNamed(tree, QStringLiteral("a")), b = scopeNamed(tree, QStringLiteral("b"));
    QCOMPARE(tree.scopeOfNode, (std::vector<int>{0, b, b, a, a, a}));
    QCOMPARE(tree.scopes[static_cast<size_t>(a)].nodeCount, 3);
  }

  // Each of the two is convex; no picture can fold both.
  void pairsThatCrossAreCut() {
    test::GraphBuilder g("crossed");
    for (const char* name : {"x", "y"})
      g.input(name, "float[1]");
    g.node("Relu", "a/0", {"x"}, {"a0"});
    g.node("Relu", "b/0", {"y"}, {"b0"});
    g.node("Relu", "a/1", {"b0"}, {"a1"});
    g.node("Relu", "b/1", {"a0"}, {"b1"});
    g.node("Relu", "b/2", {"b1"}, {"b2"});
    const ScopeTree tree = groupsOf(*modelOf(g), 0, Grouping::kNames);
    QVERIFY(isConvex(tree, g.graph()));
    QCOMPARE(tree.scopes.size(), size_t{2});  // the larger one stays
    QCOMPARE(tree.scopes[1].path, QStringLiteral("b"));
    QCOMPARE(tree.scopes[1].nodeCount, 3);
  }

  void compiledGroupsStayWhole() {
    // cpu's run of 1 to 3 stands between the two nodes of a compiled group, and nothing leads from one to the other.
    test::GraphBuilder g("group");
    g.input("x", "float[1]");
    g.node("Relu", "0", {"x"}, {"a"});
    g.node("Relu", "1", {"a"}, {"b"});
    g.node("Relu", "2", {"x"}, {"c"});
    g.node("Relu", "3", {"c"}, {"d"});
    g.node("Relu", "4", {"d"}, {"e"});
    PartitionReport asked;
    for (int n = 0; n < 5; ++n)
      asked.nodes.push_back({0, n, n == 0 || n == 4 ? "npu" : "cpu", n == 0 || n == 4 ? 0 : kNone, {}});
    asked.groups.push_back({.provider = "npu", .compiled = true});
    const ScopeTree tree = groupsOf(*modelOf(g), 0, Grouping::kProviders, &asked);
    QVERIFY(isConvex(tree, g.graph()));
    QCOMPARE(tree.scopeOfNode[0], tree.scopeOfNode[4]);
    QVERIFY(tree.scopeOfNode[0] > 0);
  }

  void randomTreesBecomeConvex_data() {
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 40; ++seed)
      QTest::addRow("seed %u", seed) << seed;
  }
  void randomTreesBecomeConvex() {
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    const auto pick = [&random](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    test::GraphBuilder g("random");
    g.input("v0", "float[1]");
    const int count = 60;
    for (int i = 0; i < count; ++i) {
      // Mostly near one another, so that scopes are nearly right, as those of exporters are.
      const int group = std::clamp(i / 12 + (pick(8) == 0 ? pick(3) - 1 : 0), 0, 4);
      const std::string name =
          "s" + std::to_string(group) + "/t" + std::to_string((i / 4) % 3 + (pick(6) == 0)) + "/n" + std::to_string(i);
      std::vector<std::string> inputs = {"v" + std::to_string(std::max(0, i - pick(6)))};
      if (pick(3) == 0) inputs.push_back("v" + std::to_string(pick(i + 1)));
      g.node("Relu", name, inputs, {"v" + std::to_string(i + 1)});
    }
    ScopeTree tree = scopesOf(g.graph());
    keepConvex(tree, g.graph());
    QVERIFY(isConvex(tree, g.graph()));
    QCOMPARE(tree.scopes[0].nodeCount, count);
    QSet<QString> paths;
    for (size_t s = 0; s < tree.scopes.size(); ++s) {
      QVERIFY(s == 0 || tree.scopes[s].parent < static_cast<int>(s));
      QVERIFY(s == 0 || tree.scopes[s].nodeCount >= 2);
      QVERIFY(s == 0 || tree.scopes[s].depth == tree.scopes[static_cast<size_t>(tree.scopes[s].parent)].depth + 1);
      paths.insert(tree.scopes[s].path);
    }
    QCOMPARE(paths.size(), static_cast<qsizetype>(tree.scopes.size()));
  }

  void ringsOfNodesEnd() {
    test::GraphBuilder g("ring");
    g.node("Relu", "a/0", {"v1"}, {"v0"});
    g.node("Relu", "a/1", {"v0"}, {"v2"});
    g.node("Relu", "b/0", {"v2"}, {"v1"});
    g.node("Relu", "b/1", {"v1"}, {"v3"});
    QVERIFY(!groupsOf(*modelOf(g), 0, Grouping::kNames).scopes.empty());
  }

  void unitsOfQuantisationAreOneCard() {
    test::GraphBuilder g = quantised();
    const ScopeTree tree = groupsOf(*modelOf(g), 0, Grouping::kAutomatic);
    QVERIFY(isConvex(tree, g.graph()));
    const auto cardOf = [&](int node) {
      return tree.scopes[static_cast<size_t>(tree.scopeOfNode[static_cast<size_t>(node)])];
    };
    QCOMPARE(cardOf(kWeights).callNode, static_cast<int>(kFirst));
    QCOMPARE(cardOf(kQuantize).callNode, static_cast<int>(kRelu));
    for (const int node : {kDequantize, kBias, kFlatBias})
      QCOMPARE(cardOf(node).callNode, static_cast<int>(kSecond));
    QCOMPARE(cardOf(kSecond).nodeCount, 4);
    // Flat hides nothing.
    QCOMPARE(groupsOf(*modelOf(g), 0, Grouping::kFlat).scopes.size(), size_t{1});
  }

  // Where a node runs is never hidden, and what several nodes read belongs to none of them.
  void whatDiffersStaysAlone() {
    test::GraphBuilder g = quantised();
    for (NodeReport& node : g.graph().nodes)
      node.provider = "npu";
    g.graph().nodes[kDequantize].provider = "cpu";
    const ScopeTree tree = groupsOf(*modelOf(g), 0, Grouping::kAutomatic);
    QCOMPARE(tree.scopes[static_cast<size_t>(tree.scopeOfNode[kDequantize])].kind != ScopeKind::kCard, true);
    test::GraphBuilder shared("shared");
    shared.input("x", "float[1]");
    shared.node("Constant", "c", {}, {"k"});
    shared.node("Add", "0", {"x", "k"}, {"y"});
    shared.node("Mul", "1", {"y", "k"}, {"z"});
    QCOMPARE(groupsOf(*modelOf(shared), 0, Grouping::kAutomatic).scopes.size(), size_t{1});
  }

  void cardsStandForAllThatIsOnThem() {
    test::GraphBuilder g = quantised();
    const auto graphs = modelOf(g);
    SceneRequest request{.graphs = graphs, .unfoldAll = true};
    const auto scene = buildScene(request, CancelToken());
    const int second = scene->itemOfNode[kSecond];
    for (const int node : {kDequantize, kBias, kFlatBias})
      QCOMPARE(scene->itemOfNode[static_cast<size_t>(node)], second);
    const SceneItem& card = scene->items[static_cast<size_t>(second)];
    QCOMPARE(card.kind, ItemKind::kNode);
    QCOMPARE(card.index, static_cast<int>(kSecond));
    QCOMPARE(scene->onCard(second), 3);
    QCOMPARE(scene->nodesOf(second), (std::vector<int>{kSecond}));
    // Its colour is its node's, its amount is that of all.
    Overlay overlay;
    overlay.category = {1, 2, 3, 4, 5, 6, 7, 8};
    overlay.amount = {1, 2, 4, 8, 16, 32, 64, 128};
    const SceneLook look = lookOf(*scene, overlay, Theme::light());
    QCOMPARE(look.category[static_cast<size_t>(second)], static_cast<signed char>(8));
    QCOMPARE(look.amount[static_cast<size_t>(second)], 16.0 + 32 + 64 + 128);
    // Arrow keys follow the lines of the whole card, past what is on it.
    QCOMPARE(nodeBeside(*scene, kSecond, Qt::Key_Up), static_cast<int>(kRelu));
    QCOMPARE(nodeBeside(*scene, kRelu, Qt::Key_Down), static_cast<int>(kSecond));
    // Opened, every node is there.
    request.unfoldAll = false;
    request.unfolded = {scene->scopes->scopes[static_cast<size_t>(card.card)].path};
    const auto open = buildScene(request, CancelToken());
    QCOMPARE(open->boxes.size(), size_t{1});
    for (const int node : {kDequantize, kBias, kFlatBias, kSecond}) {
      const int item = open->itemOfNode[static_cast<size_t>(node)];
      QCOMPARE(open->items[static_cast<size_t>(item)].index, node);
      QVERIFY(open->boxes[0].rect.contains(open->items[static_cast<size_t>(item)].rect));
    }
  }

  void theWayLeadsThroughScopes() {
    test::GraphBuilder g("way");
    g.input("x", "float[1]");
    g.node("Constant", "enc/att/c", {}, {"k"});
    g.node("Add", "enc/att/add", {"x", "k"}, {"y"});
    g.node("Relu", "enc/att/relu", {"y"}, {"z"});
    g.node("Relu", "enc/tail", {"z"}, {"u"});
    g.node("Relu", "last", {"u"}, {"v"});
    const ScopeTree tree = groupsOf(*modelOf(g), 0, Grouping::kNames);
    QCOMPARE(pathsTo(tree, 0), (QStringList{"enc", "enc/att"}));  // not the card that the constant is on
    QCOMPARE(wayTo(tree, 2), QString::fromUtf8("enc \u203a att"));
    QVERIFY(pathsTo(tree, 4).isEmpty());
  }
};

QTEST_MAIN(TestScopes)
#include "tst_scopes.moc"
