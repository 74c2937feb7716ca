// Q/DQ units on text graphs: which node belongs to which operator.
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/provider/node_units.h"

using namespace cutaway;

namespace {

// "dx dw conv q | other": units in order, their nodes in order, the target in brackets when the unit has more than one
// node.
QString unitsOf(const Graph& graph) {
  const NodeUnits units(graph);
  QStringList parts;
  for (const NodeUnit& unit : units.all()) {
    QStringList names;
    for (const NodeId id : unit.nodes) {
      const QString name = QString::fromStdString(graph.node(id).name);
      names << (unit.quantized() && id == unit.target ? "[" + name + "]" : name);
    }
    parts << names.join(' ');
  }
  return parts.join(" | ");
}

constexpr const char* kHead = "<ir_version: 8, opset_import: [\"\" : 17]>\n";

}  // namespace

class TestNodeUnits : public QObject {
  Q_OBJECT
 private slots:
  void units_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("without Q/DQ every node is alone")
        << "main (float[2] x) => (float[2] y) { [a] h = Relu (x) [b] y = Tanh (h) }"
        << "a | b";
    QTest::newRow("operator with inputs, weights and output")
        << R"(main (uint8[2] x, uint8[2] w, float s, uint8 z) => (uint8[2] y) {
      [dx] fx = DequantizeLinear (x, s, z) [dw] fw = DequantizeLinear (w, s, z) [add] fy = Add (fx, fw) [q] y = QuantizeLinear (fy, s, z) })"
        << "dx dw [add] q";
    QTest::newRow("a shared DequantizeLinear is alone")
        << R"(main (uint8[2] x, float s, uint8 z) => (float[2] y, float[2] w) {
      [d] f = DequantizeLinear (x, s, z) [a] y = Relu (f) [b] w = Tanh (f) })"
        << "d | a | b";
    QTest::newRow("one consumer that uses it twice")
        << R"(main (uint8[2] x, float s, uint8 z) => (float[2] y) { [d] f = DequantizeLinear (x, s, z) [a] y = Add (f, f) })"
        << "d [a]";
    QTest::newRow("a DequantizeLinear that is an output is alone")
        << R"(main (uint8[2] x, float s, uint8 z) => (float[2] f, float[2] y) {
      [d] f = DequantizeLinear (x, s, z) [a] y = Relu (f) })"
        << "d | a";
    QTest::newRow("a QuantizeLinear beside another consumer is alone")
        << R"(main (float[2] x, float s, uint8 z) => (uint8[2] y, float[2] w) {
      [a] f = Relu (x) [q] y = QuantizeLinear (f, s, z) [b] w = Tanh (f) })"
        << "a | q | b";
    QTest::newRow("a QuantizeLinear of an output is alone")
        << R"(main (float[2] x, float s, uint8 z) => (float[2] f, uint8[2] y) {
      [a] f = Relu (x) [q] y = QuantizeLinear (f, s, z) })"
        << "a | q";
    QTest::newRow("a computed scale keeps QuantizeLinear alone") << R"(main (float[2] x, uint8 z) => (uint8[2] y) {
      [a] f, g = Split <axis = 0> (x) [m] s = ReduceMax <keepdims = 0> (g) [q] y = QuantizeLinear (f, s, z) })"
                                                                 << "a | m | q";
    QTest::newRow("requantizing is no operator") << R"(main (uint8[2] x, float s, uint8 z) => (uint8[2] y) {
      [d] f = DequantizeLinear (x, s, z) [q] y = QuantizeLinear (f, s, z) })"
                                                 << "d | q";
    QTest::newRow("a chain of units") << R"(main (uint8[2] x, float s, uint8 z) => (uint8[2] y) {
      [d1] f1 = DequantizeLinear (x, s, z) [r1] g1 = Relu (f1) [q1] h = QuantizeLinear (g1, s, z)
      [d2] f2 = DequantizeLinear (h, s, z) [r2] g2 = Tanh (f2) [q2] y = QuantizeLinear (g2, s, z) })"
                                      << "d1 [r1] q1 | d2 [r2] q2";
    QTest::newRow("a body that captures the value is no operator's input")
        << R"(main (uint8[2] x, float s, uint8 z, bool[] c) => (float[2] y) {
      [d] f = DequantizeLinear (x, s, z)
      [if] y = If <then_branch = yes () => (float[2] t) { t = Relu (f) }, else_branch = no () => (float[2] e) { e = Tanh (f) }> (c) })"
        << "d | if";
  }
  void units() {
    QFETCH(QString, text);
    const Result<Model> model = parseModelText(kHead + text.toStdString());
    QVERIFY2(model, model ? "" : describe(model.error()).c_str());
    QTEST_ASSERT(model);
    QFETCH(QString, expected);
    QCOMPARE(unitsOf(model->graph), expected);
  }

  void everyLiveNodeIsInItsUnit() {
    Model model =
        *parseModelText(std::string(kHead) +
                        "main (float[2] x) => (float[2] y) { [a] h = Relu (x) [gone] k = Relu (x) [b] y = Tanh (h) }");
    model.graph.removeNode(model.graph.findNode("gone"));
    const NodeUnits units(model.graph);
    QCOMPARE(units.all().size(), size_t{2});
    for (const NodeId id : model.graph.nodeIds())
      QVERIFY(units.of(id).target == id);
  }
};

QTEST_GUILESS_MAIN(TestNodeUnits)
#include "tst_node_units.moc"
