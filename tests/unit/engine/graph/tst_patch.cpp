#include <functional>

#include <QtTest/QtTest>

#include "engine/base/clock.h"
#include "engine/graph/patch.h"
#include "engine/graph/text.h"
#include "tests/unit/engine/graph/graph_consistency.h"

using namespace cutaway;

namespace {

Graph parsed(const QByteArray& text) {
  auto model = parseModelText(text.toStdString());
  if (!model) qFatal("%s", describe(model.error()).c_str());
  return std::move(model->graph);
}

// Texts compare through the printer, so that white space does not matter.
QByteArray normal(const QByteArray& text) {
  return QByteArray::fromStdString(printGraph(parsed(text)));
}

NodeId nodeAt(const Graph& graph, const char* output) {
  return graph.value(graph.findValue(output)).producer;
}

NewNode newNode(const char* opType, std::vector<std::string> inputs, std::vector<std::string> outputs) {
  NewNode made;
  made.node.opType = opType;
  made.inputs = std::move(inputs);
  made.outputs = std::move(outputs);
  return made;
}

using MakePatch = std::function<GraphPatch(const Graph&)>;

GraphPatch removing(const Graph& graph, std::initializer_list<const char*> outputs) {
  GraphPatch patch;
  for (const char* output : outputs)
    patch.removeNodes.push_back(nodeAt(graph, output));
  return patch;
}

GraphPatch bypass(const Graph& graph, const char* from, const char* to) {
  GraphPatch patch = removing(graph, {from});
  patch.replaceValues = {{graph.findValue(from), graph.findValue(to)}};
  return patch;
}

}  // namespace

Q_DECLARE_METATYPE(MakePatch)

class TestPatch : public QObject {
  Q_OBJECT

 private slots:
  void applies_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<MakePatch>("make");
    QTest::addColumn<QByteArray>("after");
    const auto row = [](const char* name, const char* before, MakePatch make, const char* after) {
      QTest::newRow(name) << QByteArray(before) << std::move(make) << QByteArray(after);
    };

    row(
        "a node in the middle is bypassed", "g (x) => (y) { a = Relu (x) b = Identity (a) y = Neg (b) }",
        [](const Graph& g) { return bypass(g, "b", "a"); }, "g (x) => (y) { a = Relu (x) y = Neg (a) }");
    row(
        "a graph output keeps its name",
        "g (x) => (float[2] y) <float[n] a> { a = Relu (x) b = Neg (a) y = Identity (a) }",
        [](const Graph& g) { return bypass(g, "y", "a"); }, "g (x) => (float[2] y) { y = Relu (x) b = Neg (y) }");
    row(
        "an input cannot take a graph output's name", "g (x) => (y) { y = Dropout (x) }",
        [](const Graph& g) { return bypass(g, "y", "x"); }, "g (x) => (y) { y = Identity (x) }");
    row(
        "nor can an initializer", "g () => (y) <float[1] w = {1}> { y = Dropout (w) }",
        [](const Graph& g) { return bypass(g, "y", "w"); }, "g () => (y) <float[1] w = {1}> { y = Identity (w) }");
    row(
        "nor another graph output", "g (x) => (a, y) { a = Relu (x) y = Dropout (a) }",
        [](const Graph& g) { return bypass(g, "y", "a"); }, "g (x) => (a, y) { a = Relu (x) y = Identity (a) }");
    row(
        "two graph outputs become one value", "g (x) => (y, z) { a = Relu (x) y = Dropout (a) z = Dropout (a) }",
        [](const Graph& g) {
          GraphPatch patch = removing(g, {"y", "z"});
          patch.replaceValues = {{g.findValue("y"), g.findValue("a")}, {g.findValue("z"), g.findValue("a")}};
          return patch;
        },
        "g (x) => (y, z) { y = Relu (x) z = Identity (y) }");
    row(
        "two nodes fuse, unused weights go",
        "g (x) => (y) <float[1] w = {1}, float[1] b = {2}, float[1] kept = {3}> { a = MatMul (x, w) y = Add (a, b) "
        "other = Op (kept) }",
        [](const Graph& g) {
          GraphPatch patch = removing(g, {"a", "y"});
          patch.addNodes.push_back(newNode("Gemm", {"x", "w", "bias"}, {"y"}));
          patch.addInitializers.emplace_back("bias", Tensor::of<float>(std::vector<float>{4}));
          return patch;
        },
        "g (x) => (y) <float[1] w = {1}, float[1] kept = {3}, float[1] bias = {4}> { other = Op (kept) y = Gemm (x, w, "
        "bias) }");
    row(
        "a value becomes a constant", "g (x) => (y) <float[1] w = {1}> { a = Neg (w) y = Add (x, a) }",
        [](const Graph& g) {
          GraphPatch patch = removing(g, {"a"});
          patch.addInitializers.emplace_back("a", Tensor::of<float>(std::vector<float>{-1}));
          return patch;
        },
        "g (x) => (y) <float[1] a = {-1}> { y = Add (x, a) }");
    row(
        "a graph output becomes a constant", "g () => (float[1] y) <float[1] w = {1}> { y = Neg (w) }",
        [](const Graph& g) {
          GraphPatch patch = removing(g, {"y"});
          patch.addInitializers.emplace_back("y", Tensor::of<float>(std::vector<float>{-1}));
          return patch;
        },
        "g () => (float[1] y) <float[1] y = {-1}> { }");
    row(
        "a copy is put in front of all users", "g (x) => (y, z) <float[2] a> { a = Relu (x) y = Neg (a) z = Exp (a) }",
        [](const Graph& g) {
          GraphPatch patch;
          patch.addNodes.push_back(newNode("Copy", {"a"}, {"copied"}));
          patch.addNodes.push_back(newNode("Neg", {"copied"}, {"y"}));
          patch.removeNodes = {nodeAt(g, "y")};
          patch.addNodes.back().outputTypes = {ValueType::tensor(ElementType::kFloat, Shape{Dim(2)})};
          return patch;
        },
        "g (x) => (float[2] y, z) <float[2] a> { a = Relu (x) z = Exp (a) copied = Copy (a) y = Neg (copied) }");
    row(
        "inputs stay, even unused", "g (x, float[1] w) => (y) <float[1] w = {1}> { a = Add (x, w) y = Neg (a) }",
        [](const Graph& g) { return bypass(g, "a", "x"); },
        "g (x, float[1] w) => (y) <float[1] w = {1}> { y = Neg (x) }");
    row(
        "but constants that old models list there go",
        "<ir_version: 3> g (x, float[1] w) => (y) <float[1] w = {1}> { a = Add (x, w) y = Neg (a) }",
        [](const Graph& g) { return bypass(g, "a", "x"); }, "g (x) => (y) { y = Neg (x) }");
    row(
        "what a body captures is replaced",
        "g (x, c) => (y) { a = Identity (x) y = If <then_branch = t () => (r) { r = Neg (a) }, else_branch = e () => "
        "(a) {}> (c) }",
        [](const Graph& g) { return bypass(g, "a", "x"); },
        "g (x, c) => (y) { y = If <then_branch = t () => (r) { r = Neg (x) }, else_branch = e () => (x) {}> (c) }");
    row(
        "new nodes may have bodies", "g (x, c) => (y) { a = Relu (x) y = Op (c) }",
        [](const Graph& g) {
          Graph body("b");
          const ValueId captured = body.addOuterScope("a", {});
          body.addNode({.opType = "Neg"}, {captured}, {"r"});
          body.addOutput(body.findValue("r"));
          GraphPatch patch = removing(g, {"y"});
          patch.addNodes.push_back(newNode("If", {"c"}, {"y"}));
          patch.addNodes.back().node.setAttribute("then_branch", GraphBox(body));
          return patch;
        },
        "g (x, c) => (y) { a = Relu (x) y = If <then_branch = b () => (r) { r = Neg (a) }> (c) }");
    row(
        "a kept producer gives its graph output away", "g (x) => (y) { y, mask = Dropout (x) a = Relu (x) }",
        [](const Graph& g) {
          GraphPatch patch;
          patch.replaceValues = {{g.findValue("y"), g.findValue("a")}};
          return patch;
        },
        "g (x) => (y) { y_1, mask = Dropout (x) y = Relu (x) }");
    row(
        "a new node takes what it stands in for", "g (x) => (y, z) { y = Relu (x) a = Op () z = Neg (y) }",
        [](const Graph& g) {
          GraphPatch patch = removing(g, {"a"});
          patch.addNodes.push_back(newNode("Cast", {"y"}, {"a"}));
          patch.replaceValues = {{g.findValue("y"), g.findValue("a")}};
          return patch;
        },
        "g (x) => (y, z) { y_1 = Relu (x) z = Neg (y) y = Cast (y_1) }");
  }
  void applies() {
    QFETCH(QByteArray, before);
    QFETCH(MakePatch, make);
    QFETCH(QByteArray, after);
    Graph graph = parsed(before);
    const auto result = applyPatch(graph, make(graph), "Test");
    QVERIFY2(result.has_value(), result ? "" : describe(result.error()).c_str());
    QCOMPARE(QString::fromStdString(deepInconsistencyOf(graph)), QString());
    QCOMPARE(QByteArray::fromStdString(printGraph(graph)), normal(after));
    for (const NodeId id : result->added)
      QVERIFY(graph.node(id).rewrite == "Test");
  }

  void refuses_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<MakePatch>("make");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* before, MakePatch make, const char* message) {
      QTest::newRow(name) << QByteArray(before) << std::move(make) << QString(message);
    };
    const char* chain = "g (x) => (y) <float[1] w = {1}> { a = Relu (x) b = Add (a, w) y = Neg (b) }";
    row(
        "a use would dangle", chain, [](const Graph& g) { return removing(g, {"a"}); },
        "the patch leaves value 'a' without a producer, but it is still used");
    row(
        "a graph output would dangle", chain, [](const Graph& g) { return removing(g, {"y"}); },
        "the patch leaves value 'y' without a producer, but it is still used");
    row(
        "removed twice", chain, [](const Graph& g) { return removing(g, {"a", "a"}); },
        "the patch removes node '' twice");
    row(
        "not a node", chain,
        [](const Graph&) {
          return GraphPatch{
              .note = "", .removeNodes = {NodeId{99}}, .addNodes = {}, .addInitializers = {}, .replaceValues = {}};
        },
        "the patch removes a node that is not in the graph");
    row(
        "made twice", chain,
        [](const Graph&) {
          GraphPatch patch;
          patch.addNodes = {newNode("Op", {}, {"n"}), newNode("Op", {}, {"n"})};
          return patch;
        },
        "the patch makes value 'n' twice");
    row(
        "made although it is there", chain,
        [](const Graph&) {
          GraphPatch patch;
          patch.addNodes = {newNode("Op", {}, {"b"})};
          return patch;
        },
        "the patch makes value 'b', which has a definition already");
    row(
        "an initializer is overwritten", chain,
        [](const Graph&) {
          GraphPatch patch;
          patch.addInitializers.emplace_back("w", Tensor::of<float>(std::vector<float>{2}));
          return patch;
        },
        "the patch makes value 'w', which has a definition already");
    row(
        "initializer without a name", chain,
        [](const Graph&) {
          GraphPatch patch;
          patch.addInitializers.emplace_back("", Tensor::of<float>(std::vector<float>{2}));
          return patch;
        },
        "the patch adds an initializer without a name or a type");
    row(
        "takes what nothing makes", chain,
        [](const Graph&) {
          GraphPatch patch;
          patch.addNodes = {newNode("Op", {"nothing"}, {"n"})};
          return patch;
        },
        "a new node takes value 'nothing', which nothing makes");
    row(
        "takes what goes away", chain,
        [](const Graph& g) {
          GraphPatch patch = bypass(g, "b", "a");
          patch.addNodes = {newNode("Op", {"b"}, {"n"})};
          return patch;
        },
        "a new node takes value 'b', which the patch leaves without a producer");
    row(
        "replaced by itself", chain, [](const Graph& g) { return bypass(g, "b", "b"); },
        "the patch replaces value 'b' by itself");
    row(
        "replaced in a chain", chain,
        [](const Graph& g) {
          GraphPatch patch = removing(g, {"a", "b"});
          patch.replaceValues = {{g.findValue("b"), g.findValue("a")}, {g.findValue("a"), g.findValue("x")}};
          return patch;
        },
        "the patch replaces value 'a', which replaces another one");
    row(
        "replaced by what goes away", chain,
        [](const Graph& g) {
          GraphPatch patch = removing(g, {"a", "b"});
          patch.replaceValues = {{g.findValue("b"), g.findValue("a")}};
          return patch;
        },
        "nothing makes value 'a', which replaces 'b'");
    row(
        "replaced by what is made from it", chain,
        [](const Graph& g) {
          GraphPatch patch;
          patch.replaceValues = {{g.findValue("a"), g.findValue("b")}};
          return patch;
        },
        "'b' is made from 'a', which it replaces");
    row(
        "replaced and made", chain,
        [](const Graph& g) {
          GraphPatch patch = bypass(g, "b", "a");
          patch.addNodes = {newNode("Op", {}, {"b"})};
          return patch;
        },
        "the patch both replaces and makes value 'b'");
    row(
        "an input is a graph output", "g (x, z) => (x) { a = Relu (x) }",
        [](const Graph& g) {
          GraphPatch patch;
          patch.replaceValues = {{g.findValue("x"), g.findValue("z")}};
          return patch;
        },
        "'x' is a graph output and no node makes it: its name cannot be given to another value");
    row(
        "not a value", chain,
        [](const Graph& g) {
          GraphPatch patch;
          patch.replaceValues = {{ValueId{99}, g.findValue("x")}};
          return patch;
        },
        "the patch replaces a value that is not in the graph");
    row(
        "a body captures what nothing makes", chain,
        [](const Graph&) {
          Graph body("b");
          body.addOutput(body.addOuterScope("nothing", {}));
          GraphPatch patch;
          patch.addNodes = {newNode("If", {}, {"n"})};
          patch.addNodes[0].node.setAttribute("then_branch", GraphBox(body));
          return patch;
        },
        "a new node takes value 'nothing', which nothing makes");
  }
  void refuses() {
    QFETCH(QByteArray, before);
    QFETCH(MakePatch, make);
    QFETCH(QString, message);
    Graph graph = parsed(before);
    const QByteArray printedBefore = QByteArray::fromStdString(printGraph(graph));
    const auto result = applyPatch(graph, make(graph), "Test");
    QVERIFY(!result.has_value());
    QVERIFY(result.error().code == ErrorCode::kInvalidGraph);
    QCOMPARE(QString::fromStdString(result.error().message), message);
    QCOMPARE(QByteArray::fromStdString(printGraph(graph)), printedBefore);
    QCOMPARE(QString::fromStdString(deepInconsistencyOf(graph)), QString());
  }

  void originsAreInherited() {
    Graph graph = parsed("g (x) => (y, z) { a = Relu (x) b = Neg (a) y = Exp (b) z = Abs (x) }");
    GraphPatch patch = removing(graph, {"y", "b"});
    patch.addNodes = {newNode("Fused", {"a"}, {"y"}), newNode("Other", {"a"}, {"n"})};
    patch.addNodes[1].node.origins = {OriginId{7}};
    patch.addNodes[1].node.rewrite = "own";
    const PatchResult result = applyPatch(graph, std::move(patch), "Fusion").value();
    const std::vector<OriginId> expected{OriginId{1}, OriginId{2}};
    QVERIFY(result.origins == expected);
    QVERIFY(graph.node(result.added[0]).origins == expected);
    QCOMPARE(graph.node(result.added[0]).rewrite.c_str(), "Fusion");
    QVERIFY(graph.node(result.added[1]).origins == std::vector<OriginId>{OriginId{7}});
    QCOMPARE(graph.node(result.added[1]).rewrite.c_str(), "own");
  }

  // 25,000 patches on a graph of 50,000 nodes that all read one weight.
  void manyPatchesOnALargeGraph() {
    Graph graph;
    ValueId last = graph.addInput("x", {});
    const ValueId weight = graph.addInitializer("w", Tensor::of<float>(std::vector<float>{1}));
    for (int i = 0; i < 50'000; ++i) {
      const NodeId id = graph.addNode({.opType = "Add"}, std::vector<ValueId>{last, weight},
                                      std::vector<std::string>{"v" + std::to_string(i)});
      last = graph.node(id).outputs[0];
    }
    graph.addOutput(last);
    const Stopwatch watch;
    for (size_t i = 0; i < 50'000; i += 2) {
      const Node& node = graph.node(NodeId{i});
      GraphPatch patch;
      patch.removeNodes = {NodeId{i}};
      patch.replaceValues = {{node.outputs[0], node.inputs[0]}};
      QVERIFY(applyPatch(graph, std::move(patch), "Test").has_value());
    }
    qInfo("25,000 patches: %.1f ms", static_cast<double>(watch.elapsedNs()) * 1e-6);
    QVERIFY2(watch.elapsedNs() < 20'000'000'000, "quadratic");
    QCOMPARE(graph.value(weight).uses.size(), size_t{25'000});
    QCOMPARE(QString::fromStdString(inconsistencyOf(graph)), QString());
  }
};

QTEST_GUILESS_MAIN(TestPatch)
#include "tst_patch.moc"
