#include <QtTest/QtTest>

#include "engine/base/clock.h"
#include "engine/graph/text.h"
#include "engine/graph/topology.h"
#include "tests/unit/engine/graph/graph_consistency.h"

using namespace cutaway;

namespace {

ValueType floats(std::initializer_list<Dim> dims) {
  return ValueType::tensor(ElementType::kFloat, Shape(dims));
}

QString consistency(const Graph& graph) {
  return QString::fromStdString(deepInconsistencyOf(graph));
}

Graph parsed(const char* text) {
  return std::move(parseModelText(text).value().graph);
}

QByteArray printed(const Graph& graph) {
  return QByteArray::fromStdString(printGraph(graph));
}

constexpr const char* kNested = R"(g (float[2] x, bool c) => (y) {
  t = Relu (x)
  y = If <then_branch = then () => (a) {
      a = Add (t, x)
    }, else_branch = otherwise () => (z) {
      z = If <then_branch = inner () => (t) {
        }, else_branch = other () => (b) {
          b = Neg (t)
        }> (c)
    }> (c)
}
)";

}  // namespace

class TestGraph : public QObject {
  Q_OBJECT

 private slots:
  void readsBackWhatWasBuilt() {
    Graph graph("main");
    const ValueId x = graph.addInput("x", floats({Dim("n"), Dim(4)}));
    const ValueId w = graph.addInitializer("w", Tensor::of<float>(std::vector<float>{1, 2}));
    const NodeId relu = graph.addNode({.name = "r", .opType = "Relu"}, {x}, {"h"});
    const NodeId gemm = graph.addNode({.name = "m", .opType = "Gemm"}, {graph.findValue("h"), w, ValueId{}}, {"y", ""});
    graph.addOutput(graph.node(gemm).outputs[0]);
    QCOMPARE(consistency(graph), QString());
    QCOMPARE(graph.nodeCount(), size_t{2});
    QVERIFY(graph.findNode("m") == gemm);
    QVERIFY(!graph.findNode("none").valid());
    QVERIFY(!graph.findValue("none").valid());
    QVERIFY(graph.value(graph.findValue("h")).producer == relu);
    QVERIFY(!graph.node(gemm).inputs[2].valid());
    QVERIFY(!graph.node(gemm).outputs[1].valid());
    QVERIFY(graph.isConstant(w));
    QVERIFY(graph.value(w).type == ValueType::tensor(ElementType::kFloat, Shape{Dim(2)}));
    QVERIFY(graph.initializers() == std::vector<ValueId>{w});
  }

  void initializersAmongTheInputs() {
    for (const bool overridable : {true, false}) {
      Graph graph;
      graph.overridableInitializers = overridable;
      const ValueId w = graph.addInput("w", ValueType::tensor(ElementType::kFloat, Shape{Dim("k")}));
      graph.addInitializer("w", Tensor::of<float>(std::vector<float>{1, 2}));
      QCOMPARE(graph.isConstant(w), !overridable);
      QVERIFY(graph.value(w).type.shape->dims()[0].isSymbol());
      graph.clearInitializer(w);
      QVERIFY(!graph.isConstant(w));
    }
  }

  void valuesComeInAnyOrder() {
    Graph graph;
    const ValueId later = graph.addValue("later");
    graph.addNode({.opType = "Relu"}, {later}, {"y"});
    const NodeId maker = graph.addNode({.opType = "Relu"}, {graph.addInput("x", {})}, {"later"});
    QVERIFY(graph.value(later).producer == maker);
    QVERIFY(graph.addValue("later", floats({Dim(1)})) == later);
    QVERIFY(graph.value(later).type == floats({Dim(1)}));
    graph.addValue("later", floats({Dim(2)}));
    QVERIFY(graph.value(later).type == floats({Dim(1)}));
    QCOMPARE(consistency(graph), QString());
  }

  void twoProducersStayVisible() {
    Graph graph;
    const ValueId x = graph.addInput("x", {});
    const NodeId first = graph.addNode({.opType = "Relu"}, {x}, {"y"});
    const NodeId second = graph.addNode({.opType = "Neg"}, {x}, {"y"});
    const ValueId y = graph.findValue("y");
    QVERIFY(graph.value(y).producer == first);
    QVERIFY(graph.node(second).outputs[0] == y);
    graph.removeNode(second);
    QVERIFY(graph.value(y).producer == first);
    QCOMPARE(consistency(graph), QString());
  }

  void removingLeavesHolesAndCompactClosesThem() {
    Graph graph =
        parsed("g (x, w) => (y) <float[1] k = {1}> { a = Relu (x)  b = Neg (a)  y = Add (b, w)  d = Add (k, k) }");
    const ValueId b = graph.findValue("b");
    graph.replaceUses(b, graph.findValue("x"));
    graph.removeNode(graph.value(b).producer);
    graph.removeNode(graph.value(graph.findValue("d")).producer);
    graph.removeValue(graph.findValue("b"));
    graph.removeValue(graph.findValue("d"));
    graph.removeValue(graph.findValue("k"));
    graph.removeValue(graph.findValue("a"));  // has a producer: stays
    QVERIFY(graph.value(b).removed);
    QVERIFY(graph.findValue("a").valid());
    QCOMPARE(consistency(graph), QString());
    const QByteArray before = printed(graph);
    const Graph::Renumbering ids = graph.compact();
    QCOMPARE(printed(graph), before);
    QCOMPARE(graph.nodeSlots(), size_t{2});
    QVERIFY(!ids.values[b.index()].valid());
    QVERIFY(!ids.nodes[1].valid());
    QVERIFY(ids.nodes[2] == NodeId{1});
    QCOMPARE(consistency(graph), QString());
    graph.setNodeInput(NodeId{1}, 0, graph.findValue("w"));
    graph.removeNode(NodeId{0});
    QCOMPARE(consistency(graph), QString());
  }

  void removedInputsLeaveTheList() {
    Graph graph = parsed("g (x, unused) => (y) { y = Relu (x) }");
    graph.removeValue(graph.findValue("unused"));
    graph.removeValue(graph.findValue("x"));
    QCOMPARE(graph.inputs().size(), size_t{1});
    QCOMPARE(consistency(graph), QString());
  }

  void inputListsGrow() {
    Graph graph = parsed(kNested);
    const NodeId branch{1};
    const std::vector<ValueId> implicit = graph.node(branch).implicitInputs;
    graph.setNodeInput(branch, 3, graph.findValue("x"));
    QCOMPARE(graph.node(branch).inputs.size(), size_t{4});
    QVERIFY(!graph.node(branch).inputs[2].valid());
    QVERIFY(graph.node(branch).implicitInputs == implicit);
    QCOMPARE(consistency(graph), QString());
    graph.setNodeOutput(branch, 2, graph.addValue("extra"));
    graph.setNodeOutput(branch, 0, graph.addValue("other"));
    QVERIFY(!graph.value(graph.findValue("y")).producer.valid());
    QCOMPARE(consistency(graph), QString());
  }

  void bodiesFollowRenaming() {
    Graph graph = parsed(kNested);
    QCOMPARE(consistency(graph), QString());
    graph.renameValue(graph.findValue("t"), "fresh");
    QVERIFY(!graph.findValue("t").valid());
    QCOMPARE(consistency(graph), QString());
    QVERIFY(printed(graph).contains("Add (fresh, x)"));
    QVERIFY(printed(graph).contains("Neg (fresh)"));
    QVERIFY(printed(graph).contains("() => (fresh)"));
    graph.renameValue(graph.findValue("fresh"), "x");  // taken: stays
    QVERIFY(graph.findValue("fresh").valid());
  }

  void namesInBodiesGiveWay() {
    Graph graph = parsed(kNested);
    graph.renameValue(graph.findValue("t"), "a");  // the first body has an a of its own
    QCOMPARE(consistency(graph), QString());
    QVERIFY2(printed(graph).contains("=> (a_1) {\n      a_1 = Add (a, x)"), printed(graph).constData());
  }

  void bodiesFollowReplacement() {
    Graph graph = parsed(kNested);
    graph.replaceUses(graph.findValue("t"), graph.findValue("x"));  // the first body captures both
    QCOMPARE(consistency(graph), QString());
    QVERIFY2(printed(graph).contains("Add (x, x)"), printed(graph).constData());
    QVERIFY(printed(graph).contains("Neg (x)"));
    QVERIFY(printed(graph).contains("() => (x)"));
    QVERIFY(graph.value(graph.findValue("t")).uses.empty());
  }

  void outputsAreReplaced() {
    Graph graph = parsed("g (x) => (y, y, x) { y = Relu (x)  z = Neg (x) }");
    QCOMPARE(graph.value(graph.findValue("y")).outputCount, 2u);
    graph.replaceUses(graph.findValue("y"), graph.findValue("z"));
    QCOMPARE(graph.value(graph.findValue("z")).outputCount, 2u);
    QCOMPARE(consistency(graph), QString());
    graph.setOutputs(std::vector<ValueId>{graph.findValue("x")});
    graph.setInputs({});
    QCOMPARE(consistency(graph), QString());
  }

  void copiesAreDeep() {
    const Graph original = parsed(kNested);
    const QByteArray before = printed(original);
    Graph copy = original;
    copy.renameValue(copy.findValue("t"), "changed");
    copy.removeNode(NodeId{0});
    QCOMPARE(printed(original), before);
    QCOMPARE(consistency(original), QString());
    QCOMPARE(consistency(copy), QString());
  }

  void freshNamesAreFree() {
    Graph graph;
    QCOMPARE(QString::fromStdString(graph.freshName("x")), QString("x"));
    graph.addValue("x");
    graph.addValue("x_2");
    std::set<std::string> names;
    for (int i = 0; i < 3000; ++i) {
      const std::string name = graph.freshName("x");
      QVERIFY(!graph.findValue(name).valid());
      QVERIFY(names.insert(name).second);
      graph.addValue(name);
    }
    QVERIFY(!graph.freshName("").empty());
  }

  void attributes() {
    Node node;
    node.setAttribute("axis", int64_t{1});
    node.setAttribute("axis", int64_t{2});
    node.setAttribute("alpha", 0.5f);
    QCOMPARE(node.attributes.size(), size_t{2});
    QCOMPARE(node.attributeOr<int64_t>("axis", 0), int64_t{2});
    QCOMPARE(node.attributeOr<float>("axis", 7.0f), 7.0f);
    QCOMPARE(node.attributeOr<int64_t>("none", 5), int64_t{5});
    QVERIFY(!node.hasBodies());
    node.setAttribute("bodies", std::vector<GraphBox>(2));
    QVERIFY(node.hasBodies());
  }

  void movesAreCheap() {
    QVERIFY(std::is_nothrow_move_constructible_v<Node>);
    QVERIFY(std::is_nothrow_move_constructible_v<Value>);
    QVERIFY(std::is_nothrow_move_constructible_v<Attribute>);
  }

  // A weight shared by 100,000 nodes, which go away first to last: constant time each, or this test would take minutes.
  void manyUsesCostNoMoreEach() {
    Graph graph;
    const ValueId x = graph.addInput("x", {});
    const std::vector<ValueId> inputs{x, x};
    const Stopwatch watch;
    for (int i = 0; i < 100'000; ++i)
      graph.addNode({.opType = "Add"}, inputs, std::vector<std::string>{"v" + std::to_string(i)});
    for (size_t i = 0; i < graph.nodeSlots(); ++i)
      graph.removeNode(NodeId{i});
    QVERIFY(graph.value(x).uses.empty());
    QVERIFY2(watch.elapsedNs() < 20'000'000'000, "quadratic");
    qInfo("building and removing 100,000 nodes: %.1f ms", static_cast<double>(watch.elapsedNs()) * 1e-6);
  }

  // Operators, names of attributes, providers and symbols: one text for all nodes and values of a graph, and its own.
  // Nothing holds it beside the graph, so that a program that opens many models does not grow.
  void wordsAreHeldOnce() {
    const auto build = [](Graph& graph) {
      ValueId last = graph.addInput("x", floats({Dim("batch"), Dim(64)}));
      for (int i = 0; i < 3; ++i) {
        const NodeId id = graph.addNode({.opType = std::string("Elu"), .attributes = {{"alpha", 1.0f}}}, {last},
                                        {fmt::format("value_{}", i)});
        last = graph.node(id).outputs[0];
        graph.setType(last, floats({Dim("batch"), Dim(64)}));
        graph.setProvider(id, "cpu");
      }
    };
    Graph graph, other;
    build(graph);
    build(other);
    const Node &first = graph.node(NodeId{0}), &last = graph.node(NodeId{2}), &foreign = other.node(NodeId{0});
    QVERIFY(first.opType.sharesWith(last.opType) && !first.opType.sharesWith(foreign.opType));
    QVERIFY(first.provider.sharesWith(last.provider) && !first.provider.sharesWith(foreign.provider));
    QVERIFY(first.attributes[0].name.sharesWith(last.attributes[0].name));
    const auto symbol = [](const Graph& of, const char* name) {
      return (*of.value(of.findValue(name)).type.shape)[0].symbol().c_str();
    };
    QVERIFY(symbol(graph, "x") == symbol(graph, "value_2") && symbol(graph, "x") != symbol(other, "x"));
    const Graph copy = graph;
    QVERIFY(copy.node(NodeId{1}).opType.sharesWith(first.opType));
  }

  // What every node and value costs by itself: a model of a million nodes has a million of each.
  void nodesAndValuesAreSmall() {
    QVERIFY2(sizeof(Node) <= 192, qPrintable(QString::number(sizeof(Node))));
    QVERIFY2(sizeof(Value) <= 128, qPrintable(QString::number(sizeof(Value))));
    QVERIFY2(sizeof(Attribute) <= 48, qPrintable(QString::number(sizeof(Attribute))));
    QVERIFY2(sizeof(Dim) <= 16, qPrintable(QString::number(sizeof(Dim))));
  }

  void largeGraphsBuildQuickly() {
    const Stopwatch watch;
    Graph graph;
    ValueId last = graph.addInput("x", floats({Dim(1), Dim(64)}));
    for (int i = 0; i < 50'000; ++i) {
      const NodeId id =
          graph.addNode({.name = "node_" + std::to_string(i), .opType = "Relu"}, std::vector<ValueId>{last},
                        std::vector<std::string>{"value_" + std::to_string(i)});
      last = graph.node(id).outputs[0];
    }
    const double buildMs = static_cast<double>(watch.elapsedNs()) * 1e-6;
    QCOMPARE(topologicalOrder(graph).value().size(), size_t{50'000});
    qInfo("50,000 nodes: built in %.1f ms, ordered after %.1f ms", buildMs,
          static_cast<double>(watch.elapsedNs()) * 1e-6);
  }
};

QTEST_GUILESS_MAIN(TestGraph)
#include "tst_graph.moc"
