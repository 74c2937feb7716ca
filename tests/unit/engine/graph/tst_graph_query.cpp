// Values: who alone reads them, and which constant they are.
#include <QtTest/QtTest>

#include "engine/graph/graph_query.h"
#include "engine/graph/text.h"

using namespace cutaway;

namespace {

Model modelOf(const char* text) {
  Result<Model> model = parseModelText(text);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  model->graph.overridableInitializers = true;  // as from IR 4 on
  return *std::move(model);
}

class TestGraphQuery : public QObject {
  Q_OBJECT

 private slots:
  void constants_data() {
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("isConstant");
    QTest::addColumn<double>("number");  // -1: none
    QTest::newRow("initializer of one number") << "one" << true << 2.5;
    QTest::newRow("initializer of an integer") << "whole" << true << 7.0;
    QTest::newRow("initializer of two numbers") << "two" << true << -1.0;
    QTest::newRow("text") << "words" << true << -1.0;
    QTest::newRow("callers may override it") << "open" << false << -1.0;
    QTest::newRow("a Constant node") << "made" << true << 3.0;
    QTest::newRow("a Constant node of another form") << "listed" << false << -1.0;
    QTest::newRow("an input") << "x" << false << -1.0;
    QTest::newRow("a result") << "y" << false << -1.0;
    QTest::newRow("absent") << "" << false << -1.0;
  }
  void constants() {
    QFETCH(QString, value);
    QFETCH(bool, isConstant);
    QFETCH(double, number);
    const Model model = modelOf(R"(g (float[2] x, float[1] open) => (float[2] y)
      <float[1] one = {2.5}, int64[1,1] whole = {7}, float[2] two = {1, 2}, string[1] words = {"a"}, float[1] open = {4}> {
      made = Constant <value = float[1] {3}> () listed = Constant <value_float = 3.0> ()
      a = Mul (x, one) b = Mul (a, two) c = Mul (b, open) d = Mul (c, made) y = Mul (d, listed) })");
    const ValueId id = value.isEmpty() ? ValueId() : model.graph.findValue(value.toStdString());
    QCOMPARE(id.valid(), !value.isEmpty());
    QCOMPARE(constantOf(model.graph, id) != nullptr, isConstant);
    QCOMPARE(constantNumber(model.graph, id).value_or(-1), number);
  }

  // A graph that was read without its file of weights knows what is constant, and no numbers.
  void numbersThatAreNotAtHand() {
    Model model = modelOf("g (float[2] x) => (float[2] y) <float[1] one = {2.5}> { y = Mul (x, one) }");
    const ValueId one = model.graph.findValue("one");
    QVERIFY(constantOf(model.graph, one) != nullptr);
    model.graph.mutableValue(one).initializer =
        Tensor::wrapConst(ElementType::kFloat, std::vector<int64_t>{1}, nullptr, nullptr);
    QVERIFY(model.graph.isConstant(one));
    QVERIFY(constantOf(model.graph, one) == nullptr);
  }

  void readers() {
    const Model model = modelOf(R"(g (bool c, float[2] x) => (float[2] y, float[2] b) {
      [first] a = Abs (x) [second] b = Neg (a) [third] d = Exp (b)
      [choose] y = If <then_branch = t () => (float[2] r) { r = Abs (d) }, else_branch = e () => (float[2] s) { s = Abs (d) }> (c) })");
    const auto readerOf = [&](const char* name) {
      const NodeId id = onlyReader(model.graph, model.graph.findValue(name));
      return id.valid() ? QString::fromStdString(model.graph.node(id).name) : QString();
    };
    QCOMPARE(readerOf("x"), QString("first"));
    QCOMPARE(readerOf("a"), QString("second"));
    QCOMPARE(readerOf("b"), QString());  // given away as well
    QCOMPARE(readerOf("y"), QString());
  }
};

}  // namespace

QTEST_GUILESS_MAIN(TestGraphQuery)
#include "tst_graph_query.moc"
