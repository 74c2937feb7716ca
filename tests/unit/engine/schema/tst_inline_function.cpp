#include <QtTest/QtTest>

#include "engine/base/progress.h"
#include "engine/graph/text.h"
#include "engine/graph/topology.h"
#include "engine/schema/schema.h"
#include "engine/stages/resolve/resolve.h"

using namespace cutaway;

namespace {

constexpr const char* kHeader = R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]> )";

Model resolved(const QByteArray& text) {
  auto model = parseModelText(text.toStdString());
  if (!model) qFatal("%s", describe(model.error()).c_str());
  Progress progress;
  const auto report = resolve::resolve(*model, {}, progress);
  if (!report) qFatal("%s", describe(report.error()).c_str());
  return *std::move(model);
}

QByteArray operators(const Graph& graph) {
  QByteArray text;
  const auto order = topologicalOrder(graph);
  if (!order) return "cycle";
  for (const NodeId id : *order)
    text += QByteArray::fromStdString(graph.node(id).opType) + " ";
  return text.trimmed();
}

}  // namespace

class TestInlineFunction : public QObject {
  Q_OBJECT

 private slots:
  void inlines_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* name, const char* text, const char* expected) {
      QTest::newRow(name) << QByteArray(kHeader) + text << QByteArray(expected);
    };
    row("a chain",
        "g (float[2] x) => (y) { [c] y = f.F (x) } <domain: \"f\", opset_import: [\"\" : 17]> F (a) => (b) { t = Relu "
        "(a) b = Neg (t) }",
        "Relu Neg");
    row("the same value twice",
        "g (float[2] x) => (y) { [c] y = f.F (x, x) } <domain: \"f\", opset_import: [\"\" : 17]> F (a, b) => (s) { s = "
        "Add (a, b) }",
        "Add");
    row("an input that goes straight through",
        "g (float[2] x) => (y) { [c] y = f.F (x) } <domain: \"f\", opset_import: [\"\" : 17]> F (a) => (a) { t = Relu "
        "(a) }",
        "Relu Identity");
    row("one value given back twice",
        "g (float[2] x) => (y, z) { [c] y, z = f.F (x) } <domain: \"f\", opset_import: [\"\" : 17]> F (a) => (t, t) { "
        "t = Relu (a) }",
        "Relu Identity");
    row("an input left out",
        "g (float[2] x) => (y) { [c] y = f.F (x) } <domain: \"f\", opset_import: [\"\" : 17]> F (a, lo) => (t) { t = "
        "Clip (a, lo) }",
        "Clip");
    row("names that the caller has too",
        "g (float[2] x) => (y) { t = Exp (x) [c] u = f.F (t) y = Add (t, u) } <domain: \"f\", opset_import: [\"\" : "
        "17]> F (x) => (y) { t = Relu (x) y = Neg (t) }",
        "Exp Relu Neg Add");
    row("a body that captures",
        "g (bool[] k, float[2] x) => (y) { [c] y = f.F (k, x) } <domain: \"f\", opset_import: [\"\" : 17]> F (k, a) => "
        "(b) { t = Relu (a) b = If (k) <then_branch = th () => (p) { p = Neg (t) }, else_branch = el () => (q) { q = "
        "Abs (a) }> }",
        "Relu If");
  }
  void inlines() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    Model model = resolved(text);
    const NodeId call = model.graph.findNode("c");
    const std::vector<OriginId> origins = model.graph.node(call).origins;
    const auto added = inlineFunction(model.graph, call, model.functions[0]);
    if (!added) QFAIL(describe(added.error()).c_str());
    QCOMPARE(operators(model.graph), expected);
    for (const NodeId id : *added) {
      QVERIFY(model.graph.node(id).origins == origins);
      QCOMPARE(model.graph.node(id).rewrite, std::string("function inlining"));
      QCOMPARE(model.graph.node(id).opsetVersion, 17);
    }
    // The result stands on its own.
    model.functions.clear();
    Progress progress;
    const auto again = resolve::resolve(model, {}, progress);
    if (!again) QFAIL(describe(again.error()).c_str());
    QCOMPARE(toText(model.graph.value(model.graph.findValue("y")).type), std::string("float[2]"));
  }

  void namesOfWhatComesOutAreShort() {
    const std::string longName(5000, 'N');
    Model model = resolved(QByteArray::fromStdString(
        kHeader + ("g (float[2] x) => (y) { [c] u = f." + longName + " (x) [d] y = f." + longName + " (u) } <domain: " +
                   "\"f\", opset_import: [\"\" : 17]> " + longName + " (a) => (b) { t = Relu (a) b = Neg (t) }")));
    for (const char* name : {"c", "d"}) {
      const auto added = inlineFunction(model.graph, model.graph.findNode(name), model.functions[0]);
      if (!added) QFAIL(describe(added.error()).c_str());
    }
    QCOMPARE(operators(model.graph), QByteArray("Relu Neg Relu Neg"));
    for (const NodeId id : model.graph.nodeIds())
      QVERIFY(model.graph.node(id).name.size() < 150);
    for (const ValueId id : model.graph.valueIds())
      QVERIFY(model.graph.value(id).name.size() < 150);
  }

  void namesThatAreTakenAreLeft() {
    std::string nodes = "_inlfunc_F_y_t = Exp (x) ";
    for (int i = 1; i < 40; ++i) {
      if (i != 37) nodes += fmt::format("_inlfunc_F_y_{}_t = Exp (x) ", i);
    }
    Model model =
        resolved(QByteArray::fromStdString(kHeader + ("g (float[2] x) => (y) { " + nodes +
                                                      "[c] y = f.F (x) } <domain: \"f\", opset_import: [\"\" : 17]> " +
                                                      "F (a) => (b) { t = Relu (a) b = Neg (t) }")));
    const auto added = inlineFunction(model.graph, model.graph.findNode("c"), model.functions[0]);
    if (!added) QFAIL(describe(added.error()).c_str());
    const ValueId free = model.graph.findValue("_inlfunc_F_y_37_t");
    QVERIFY(free.valid());
    QCOMPARE(model.graph.node(model.graph.value(free).producer).opType, std::string("Relu"));
  }

  void attributesAreFilledIn() {
    Model model = resolved(QByteArray(kHeader) +
                           "g (float[2] x) => (y) { [c] y = f.F <a = 0.5> (x) } <domain: \"f\", opset_import: [\"\" : "
                           "17]> F <a> (x) => (y) { y = Elu <alpha = @a> (x) }");
    QVERIFY(inlineFunction(model.graph, model.graph.findNode("c"), model.functions[0]).has_value());
    const Node& elu = model.graph.node(model.graph.value(model.graph.findValue("y")).producer);
    QCOMPARE(elu.attributeOr<float>("alpha", 0), 0.5f);
  }

  void schemasHaveBodies_data() {
    QTest::addColumn<QByteArray>("node");
    QTest::addColumn<bool>("has");
    QTest::newRow("plain body") << QByteArray("y = HardSwish (x)") << true;
    QTest::newRow("body made for the types") << QByteArray("y = Celu (x)") << true;
    QTest::newRow("body that depends on inputs") << QByteArray("y = SoftmaxCrossEntropyLoss (x, t)") << true;
    QTest::newRow("none") << QByteArray("y = Relu (x)") << false;
  }
  void schemasHaveBodies() {
    QFETCH(QByteArray, node);
    QFETCH(bool, has);
    Model model = resolved(QByteArray(kHeader) + "g (float[2,3] x, int64[2] t) => (y) { [c] " + node + " }");
    const NodeId call = model.graph.findNode("c");
    const auto function = schemaFunction(model.graph, call, 17);
    if (!function) QFAIL(describe(function.error()).c_str());
    QCOMPARE(function->has_value(), has);
    if (!has) return;
    const std::string type = toText(model.graph.value(model.graph.findValue("y")).type);
    const auto added = inlineFunction(model.graph, call, **function);
    if (!added) QFAIL(describe(added.error()).c_str());
    QVERIFY(!added->empty());
    Progress progress;
    const auto again = resolve::resolve(model, {}, progress);
    if (!again) QFAIL(describe(again.error()).c_str());
    QCOMPARE(toText(model.graph.value(model.graph.findValue("y")).type), type);
  }
};

QTEST_GUILESS_MAIN(TestInlineFunction)
#include "tst_inline_function.moc"
