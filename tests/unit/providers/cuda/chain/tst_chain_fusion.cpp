// Chains formed on nodes that the provider has taken: what is fused and what is not, and the same numbers as cpu on the
// emulator.
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "providers/cuda/rewrite/rewrite_table.h"
#include "tests/unit/providers/cuda/cuda_case.h"

namespace cutaway::cuda {
Result<void> rewrite_fuse_chains(RewriteCall& call);
}

using namespace cutaway;
using namespace cutaway::testing;

namespace {

struct Fused {
  QStringList nodes;  // operators after the rewrite, in id order
  QStringList notes;
};

Fused fuse(const std::string& text, bool allOnCuda = true, bool chains = true, int level = 3) {
  Result<Model> model = parseModelText(text);
  if (!model) return {{QString::fromStdString(model.error().message)}, {}};
  Graph& graph = model->graph;
  for (const NodeId id : graph.nodeIds()) {
    Node& node = graph.mutableNode(id);
    node.provider = allOnCuda || node.opType != "Tanh" ? "cuda" : "cpu";
    node.sinceVersion = 13;
    node.opsetVersion = 21;
  }
  const std::string provider = "cuda";
  const cuda::CudaOptions options;
  cuda::RewriteCall call{
      .model = *model, .graph = graph, .provider = provider, .level = level, .options = options, .chains = chains};
  Fused seen;
  if (const auto done = cuda::rewrite_fuse_chains(call); !done)
    return {{QString::fromStdString(done.error().message)}, {}};
  for (const NodeId id : graph.nodeIds())
    seen.nodes << QString::fromStdString(graph.node(id).opType);
  for (const ProviderRewrite& each : call.done)
    seen.notes << QString::fromStdString(each.note);
  return seen;
}

}  // namespace

class TestChainFusion : public QObject {
  Q_OBJECT
 private slots:
  void formed_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("after");
    const auto row = [](const char* name, const char* text, const QStringList& after) {
      QTest::newRow(name) << text << after;
    };
    row("three in a row",
        "g (float[8,16] x, float[16] b) => (float[8,16] y) <float[8,16] h, float[8,16] k> { h = Add (x, b) k = Relu "
        "(h) y = Exp (k) }",
        {"Chain"});
    row("one alone stays", "g (float[8,16] x) => (float[8,16] y) { y = Relu (x) }", {"Relu"});
    row("open dimensions",
        "g (float[n,16] x, float[16] b) => (float[n,16] y) <float[n,16] h> { h = Add (x, b) y = Relu (h) }", {"Chain"});
    row("unknown dimensions",
        "g (float[?,16] x, float[16] b) => (float[?,16] y) <float[?,16] h> { h = Add (x, b) y = Relu (h) }", {"Chain"});
    row("unknown, and put out before all is in",
        "g (float[?,16] x, float[?,16] b) => (float[?,16] y, float[?,16] h) { h = Relu (x) y = Add (h, b) }",
        {"Relu", "Add"});
    row("rows of unknown length stay",
        "g (float[8,?] x, float[8,?] b) => (float[8,?] y) <float[8,?] h> { h = Add (x, b) y = Softmax (h) }",
        {"Add", "Softmax"});
    row("rows of open length",
        "g (float[8,n] x, float[8,n] b) => (float[8,n] y) <float[8,n] h> { h = Add (x, b) y = Softmax (h) }",
        {"Chain"});
    row("other shapes stay",
        "g (float[16] x, float[8,16] b) => (float[8,16] y) <float[16] h> { h = Relu (x) y = Add (h, b) }",
        {"Relu", "Add"});
    row("value used elsewhere",
        "g (float[8,8] x) => (float[8,8] y, float[8,8] z) <float[8,8] h> { h = Sigmoid (x) y = Mul (x, h) z = MatMul "
        "(h, x) }",
        {"MatMul", "Chain"});
    row("around a product",
        "g (float[8,8] x) => (float[8,8] y) <float[8,8] a, float[8,8] b, float[8,8] c> { a = Relu (x) b = MatMul (a, "
        "x) c = Exp (b) y = Add (a, c) }",
        {"Relu", "MatMul", "Chain"});
    row("types within",
        "g (float16[8,8] x) => (float16[8,8] y) <float[8,8] a, float[8,8] b> { a = Cast <to = 1> (x) b = Tanh (a) y = "
        "Cast <to = 10> (b) }",
        {"Chain"});
    row("softmax",
        "g (float[8,64] x, float[64] m) => (float[8,64] y) <float[8,64] a> { a = Add (x, m) y = Softmax <axis = -1> "
        "(a) }",
        {"Chain"});
    row("a constant alone brings the axis",
        "g (int64[] x) => (float[1] y) <int64[1] a = {1}, bool[1] h> { h = Equal (a, x) y = Cast <to = 1> (h) }",
        {"Equal", "Cast"});
    row("a constant alone may bring the axis",
        "g (int64 x) => (float[1] y) <int64[1] a = {1}, bool[1] h> { h = Equal (a, x) y = Cast <to = 1> (h) }",
        {"Equal", "Cast"});
    row("a constant and another bring the axis",
        "g (int64[1] x) => (float[1] y) <int64[1] a = {1}, bool[1] h> { h = Equal (a, x) y = Cast <to = 1> (h) }",
        {"Chain"});
    row("softmax over rows elsewhere",
        "g (float[8,64] x, float[64] m) => (float[8,64] y) <float[8,64] a> { a = Add (x, m) y = Softmax <axis = 0> (a) "
        "}",
        {"Add", "Softmax"});
    row("norm by hand",
        "g (float[8,64] x) => (float[8,64] y) <float[8,1] m, float[8,64] c, float[8,64] s, float[8,1] v, float[8,1] d, "
        "int64[1] axes = {-1}> { m = ReduceMean <axes = [-1]> (x) c = Sub (x, m) s = Mul (c, c) v = ReduceMean <axes = "
        "[-1]> (s) d = Sqrt (v) y = Div (c, d) }",
        {"Chain"});
  }
  void formed() {
    QFETCH(QString, text);
    QFETCH(QStringList, after);
    QCOMPARE(fuse(text.toStdString()).nodes, after);
  }

  void notOthers() {
    const std::string text =
        "g (float[8,16] x) => (float[8,16] y) <float[8,16] h, float[8,16] k> { h = Abs (x) k = Tanh (h) y = Exp (k) }";
    QCOMPARE(fuse(text, false).nodes, (QStringList{"Abs", "Tanh", "Exp"}));
    QCOMPARE(fuse(text, true, false).nodes, (QStringList{"Abs", "Tanh", "Exp"}));
    QCOMPARE(fuse(text, true, true, 1).nodes, (QStringList{"Abs", "Tanh", "Exp"}));
    QCOMPARE(fuse(text).nodes, QStringList{"Chain"});
  }

  void note() {
    const Fused seen = fuse(
        "g (float[256,1024] x) => (float[256,1024] y) <float[256,1024] h, float[256,1024] k> { h = Abs (x) k = Exp (h) "
        "y = Neg (k) }");
    QCOMPARE(seen.notes.size(), 1);
    QVERIFY2(seen.notes[0].startsWith("3 elementwise nodes in one kernel, 4 reads and writes of 4"),
             qPrintable(seen.notes[0]));
  }

  // Two groups that would need each other: only one of them may be made.
  void noCycles() {
    const Fused seen = fuse(
        "g (float[4] x, float[4] u) => (float[4] p, float[4] q) <float[4] a, float[4] b, float[2] s, float[2] t, "
        "float[4] c, float[4] d> {"
        " a = Relu (x) b = MatMul (a, u) c = Relu (u) d = MatMul (c, x) p = Add (c, b) q = Add (a, d) }");
    QVERIFY(seen.nodes.count("MatMul") == 2);
    QVERIFY2(seen.nodes.size() >= 4, qPrintable(seen.nodes.join(' ')));
  }

  void numbers_data() {
    QTest::addColumn<QString>("nodes");
    QTest::addColumn<QString>("type");
    const QStringList types{"float", "float16", "bfloat16"};
    const QList<QPair<const char*, QString>> graphs{
        {"broadcast", "h = Add (a, b)\nk = Mul (h, c)\ny = Sub (k, a)"},
        {"gates", "h = Sigmoid (a)\nk = Mul (h, a)\nl = Tanh (k)\ny = Max (l, b, c)"},
        {"softmax", "h = Mul (a, c)\nk = Add (h, b)\ny = Softmax <axis = -1> (k)"},
        {"normalised", "h = Add (a, b)\nk = LayerNormalization <axis = -1> (h, b, b)\ny = Relu (k)"},
        {"mean", "h = Mul (a, a)\nm = ReduceMean <keepdims = 1> (h, axes)\nr = Sqrt (m)\ny = Div (a, r)"},
    };
    for (const auto& [name, nodes] : graphs) {
      for (const QString& type : types)
        QTest::newRow(qPrintable(QString(name) + " " + type)) << nodes << type;
    }
  }
  void numbers() {
    QFETCH(QString, nodes);
    QFETCH(QString, type);
    const ElementType element = *elementTypeFromName(type.toStdString());
    for (const std::vector<int64_t>& dims : {std::vector<int64_t>{3, 5, 24}, {2, 1, 7}, {1, 2, 33}}) {
      const double loose = element == ElementType::kFloat ? -1 : element == ElementType::kFloat16 ? 4e-3 : 3e-2;
      const CudaCase each{.nodes = nodes.toStdString(),
                          .inputs = {{"a", randomOf(element, dims, 1, 0.2, 2)},
                                     {"b", randomOf(element, {dims[2]}, 2)},
                                     {"c", randomOf(element, {dims[1], 1}, 3)}},
                          .outputs = type.toStdString() + " y",
                          .constants = nodes.contains("axes") ? "int64[1] axes = {-1}" : "",
                          .level = 3,
                          .fused = {"Chain"},
                          .relative = loose,
                          .absolute = loose};
      QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
    }
  }
};

QTEST_GUILESS_MAIN(TestChainFusion)
#include "tst_chain_fusion.moc"
