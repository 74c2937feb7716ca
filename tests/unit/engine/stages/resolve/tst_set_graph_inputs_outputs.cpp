#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/stages/resolve/resolve.h"

using namespace cutaway;

namespace {

QByteArray namesOf(const Graph& graph, std::span<const ValueId> ids) {
  QByteArray text;
  for (const ValueId id : ids)
    text += QByteArray::fromStdString(graph.value(id).name) + " ";
  return text.trimmed();
}

// What a window gets from replaying the steps.
QByteArray replay(const Graph& graph, const std::vector<ResolveStep>& steps, const char* list) {
  std::vector<int32_t> values;
  for (const ResolveStep& step : steps) {
    if (step.list != list) continue;
    if (step.added && std::ranges::find(values, step.value) == values.end()) values.push_back(step.value);
  }
  QByteArray text;
  const std::vector<ValueId> ids = graph.valueIds();
  for (const int32_t index : values)
    text += QByteArray::fromStdString(graph.value(ids[static_cast<size_t>(index)]).name) + " ";
  return text.trimmed();
}

Graph graphOf(const QByteArray& text, bool fromFile, bool inputsManual, bool outputsManual) {
  auto model = parseModelText(text.toStdString());
  if (!model) qFatal("%s", describe(model.error()).c_str());
  Graph& graph = model->graph;
  graph.loadedFromFile = fromFile;
  graph.inputsManual = inputsManual;
  graph.outputsManual = outputsManual;
  return std::move(graph);
}

constexpr const char* kDiamond = "g () => () { a = Relu (x) b = Neg (a) c = Abs (a) d = Add (b, c) }";
constexpr const char* kWeights = "g () => () <float[1] w = {1}> { a = Add (x, w) }";

}  // namespace

class TestSetGraphInputsOutputs : public QObject {
  Q_OBJECT

 private slots:
  void decides_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("irVersion");
    QTest::addColumn<QByteArray>("setInputs");  // "-": automatic
    QTest::addColumn<QByteArray>("inputs");
    QTest::addColumn<QByteArray>("required");
    QTest::addColumn<QByteArray>("outputs");
    const auto row = [](const char* name, const char* text, int ir, const char* set, const char* inputs,
                        const char* required, const char* outputs) {
      QTest::newRow(name) << QByteArray(text) << ir << QByteArray(set) << QByteArray(inputs) << QByteArray(required)
                          << QByteArray(outputs);
    };
    row("diamond", kDiamond, 8, "-", "x", "x", "d");
    row("unused second output", "g () => () { a, m = Dropout (x) b = Relu (a) }", 8, "-", "x", "x", "m b");
    row("outputs in node order, then slot", "g () => () { a, b = Split (x) c = Relu (y) }", 8, "-", "x y", "x y",
        "a b c");
    row("initializer, IR 4 and later", kWeights, 8, "-", "x", "x", "a");
    row("initializer, IR 3", kWeights, 3, "-", "x w", "x", "a");
    row("the same input read twice", "g () => () { a = Add (x, x) b = Add (x, a) }", 8, "-", "x", "x", "b");
    row("no nodes", "g () => () { }", 8, "-", "", "", "");
    row("inputs set", kDiamond, 8, "x", "x", "x", "d");
    row("inputs set twice", kDiamond, 8, "x x", "x", "x", "d");
    row("initializer set as an input", kWeights, 8, "w x", "w x", "x", "a");
    row("an input that nobody reads", "g (z) => () { a = Relu (x) }", 8, "z x", "z x", "z x", "a");
  }
  void decides() {
    QFETCH(QByteArray, text);
    QFETCH(int, irVersion);
    QFETCH(QByteArray, setInputs);
    QFETCH(QByteArray, inputs);
    QFETCH(QByteArray, required);
    QFETCH(QByteArray, outputs);
    Graph graph = graphOf(text, false, false, false);
    if (setInputs != "-") {
      std::vector<ValueId> ids;
      for (const QByteArray& name : setInputs.split(' '))
        ids.push_back(graph.findValue(name.toStdString()));
      graph.setInputs(ids);  // which says by itself that the list is set
    }
    std::vector<ResolveStep> steps;
    const auto done = resolve::setGraphInputsOutputs(graph, irVersion, 0, steps);
    if (!done) QFAIL(describe(done.error()).c_str());
    QCOMPARE(namesOf(graph, graph.inputs()), inputs);
    QCOMPARE(namesOf(graph, graph.outputs()), outputs);
    QCOMPARE(replay(graph, steps, "inputs"), inputs);
    QCOMPARE(replay(graph, steps, "required inputs"), required);
    QCOMPARE(replay(graph, steps, "outputs"), outputs);
    for (const ResolveStep& step : steps)
      QVERIFY(!step.text.empty() && !step.rule.empty());
    QCOMPARE(graph.inputsManual, setInputs != "-");
    QVERIFY(!graph.outputsManual);
    // Once more: nothing moves.
    QVERIFY(resolve::setGraphInputsOutputs(graph, irVersion).has_value());
    QCOMPARE(namesOf(graph, graph.inputs()), inputs);
    QCOMPARE(namesOf(graph, graph.outputs()), outputs);
  }

  void setInputsMustBeEnough() {
    Graph graph = graphOf("g () => () { a = Add (x, y) }", false, false, false);
    const ValueId x = graph.findValue("x");
    graph.setInputs(std::span(&x, 1));
    const auto done = resolve::setGraphInputsOutputs(graph, 8);
    QVERIFY(!done);
    QVERIFY(done.error().code == ErrorCode::kFail);
    QCOMPARE(done.error().where.value, std::string("y"));
  }

  void setOutputsStay() {
    Graph graph = graphOf(kDiamond, false, false, false);
    const ValueId a = graph.findValue("a");
    graph.setOutputs(std::span(&a, 1));
    QVERIFY(resolve::setGraphInputsOutputs(graph, 8).has_value());
    QCOMPARE(namesOf(graph, graph.outputs()), QByteArray("a"));
  }

  void outerValuesAreNoInputs() {
    Graph graph = graphOf("g () => () { a = Add (x, y) }", false, false, false);
    graph.mutableValue(graph.findValue("y")).outerScope = true;
    std::vector<ResolveStep> steps;
    QVERIFY(resolve::setGraphInputsOutputs(graph, 8, 0, steps).has_value());
    QCOMPARE(namesOf(graph, graph.inputs()), QByteArray("x"));
    QVERIFY(std::ranges::any_of(steps, [](const ResolveStep& step) { return step.rule == "outer-scope"; }));
  }

  void filesSayItThemselves_data() {
    QTest::addColumn<int>("irVersion");
    QTest::addColumn<bool>("constant");
    QTest::addColumn<QByteArray>("overridable");
    QTest::newRow("IR 3") << 3 << true << QByteArray();
    QTest::newRow("IR 4") << 4 << false << QByteArray("w");
  }
  // The same graph, optional_inputs_ir3 and _ir4 of the reference's tests.
  void filesSayItThemselves() {
    QFETCH(int, irVersion);
    QFETCH(bool, constant);
    QFETCH(QByteArray, overridable);
    Graph graph = graphOf("g (float[1] x, float[1] w) => (y) <float[1] w = {1}> { y = Add (x, w) z = Relu (y) }", true,
                          false, false);
    std::vector<ResolveStep> steps;
    QVERIFY(resolve::setGraphInputsOutputs(graph, irVersion, 0, steps).has_value());
    QCOMPARE(namesOf(graph, graph.inputs()), QByteArray("x w"));
    QCOMPARE(namesOf(graph, graph.outputs()), QByteArray("y"));
    QCOMPARE(replay(graph, steps, "required inputs"), QByteArray("x"));
    QCOMPARE(replay(graph, steps, "overridable"), overridable);
    QCOMPARE(graph.isConstant(graph.findValue("w")), constant);
  }

  void outputsOfFilesMustExist_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("fine");
    QTest::newRow("made by a node") << QByteArray("g (x) => (y) { y = Relu (x) }") << true;
    QTest::newRow("an initializer") << QByteArray("g () => (w) <float[1] w = {1}> { }") << true;
    QTest::newRow("an input") << QByteArray("g (x) => (x) { }") << true;
    QTest::newRow("nothing") << QByteArray("g (x) => (z) { y = Relu (x) }") << false;
  }
  void outputsOfFilesMustExist() {
    QFETCH(QByteArray, text);
    QFETCH(bool, fine);
    Graph graph = graphOf(text, true, false, false);
    const auto done = resolve::setGraphInputsOutputs(graph, 8);
    QCOMPARE(done.has_value(), fine);
    if (!fine) QVERIFY(done.error().code == ErrorCode::kInvalidGraph);
  }
};

QTEST_GUILESS_MAIN(TestSetGraphInputsOutputs)
#include "tst_set_graph_inputs_outputs.moc"
