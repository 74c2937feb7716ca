// What a graph's nodes give beside what its file lists.
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/stages/resolve/derive.h"

using namespace cutaway;

namespace {

QString joined(const std::vector<std::string>& names) {
  QStringList list;
  for (const std::string& name : names)
    list << QString::fromStdString(name);
  return list.join(QLatin1Char(' '));
}

std::optional<std::vector<std::string>> setNames(const QString& text) {
  if (text == QLatin1String("-")) return std::nullopt;
  std::vector<std::string> names;
  for (const QString& name : text.split(QLatin1Char(' ')))
    names.push_back(name.toStdString());
  return names;
}

// The file lists z, which nobody reads, and c alone.
constexpr const char* kSetModel = "g (x, z) => (c) <float[1] w = {1}> { a = Relu (x) c = Add (a, w) d = Neg (a) }";

class TestDerive : public QObject {
  Q_OBJECT

 private slots:
  void lists_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("irVersion");
    QTest::addColumn<QString>("inputs");
    QTest::addColumn<QString>("required");
    QTest::addColumn<QString>("overridable");
    QTest::addColumn<QString>("outputs");
    QTest::addColumn<QString>("intermediates");
    QTest::addColumn<QString>("differences");  // "list value", one a row
    const auto row = [](const char* name, const char* text, int ir, const char* inputs, const char* required,
                        const char* overridable, const char* outputs, const char* intermediates,
                        const char* differences) {
      QTest::newRow(name) << text << ir << inputs << required << overridable << outputs << intermediates << differences;
    };
    row("as the file says", "g (x) => (c) { a = Relu (x) c = Abs (a) }", 8, "x", "x", "", "c", "a", "");
    row("an input that nobody reads", "g (x, z) => (a) { a = Relu (x) }", 8, "x", "x", "", "a", "", "inputs z");
    row("an output that is read too", "g (x) => (a, c) { a = Relu (x) c = Abs (a) }", 8, "x", "x", "", "c", "a",
        "outputs a");
    row("made and not listed", "g (x) => (c) { c = Abs (x) d = Neg (x) }", 8, "x", "x", "", "c d", "", "outputs d");
    row("no outputs at all", "g (x) => () { a = Relu (x) c = Abs (a) d = Neg (a) }", 8, "x", "x", "", "c d", "a",
        "outputs c|outputs d");
    row("overridable initializer", "g (x, float[1] w) => (a) <float[1] w = {1}> { a = Add (x, w) }", 8, "x", "x", "",
        "a", "", "overridable w");
    row("IR 3 lists initializers", "g (x, float[1] w) => (a) <float[1] w = {1}> { a = Add (x, w) }", 3, "x w", "x", "",
        "a", "", "");
    row("another order of inputs", "g (y, x) => (a) { a = Add (x, y) }", 8, "x y", "x y", "", "a", "", "inputs ");
    row("another order of outputs", "g (x) => (b, a) { a = Relu (x) b = Abs (x) }", 8, "x", "x", "", "a b", "",
        "outputs ");
    row("an initializer as an output", "g () => (w) <float[1] w = {1}> { }", 8, "", "", "", "", "", "outputs w");
  }
  void lists() {
    QFETCH(QString, text);
    QFETCH(int, irVersion);
    Result<Model> model = parseModelText(text.toStdString());
    if (!model) QFAIL(describe(model.error()).c_str());
    model->irVersion = irVersion;
    model->graph.loadedFromFile = true;
    const auto derived = resolve::deriveInputsOutputs(*model);
    if (!derived) QFAIL(describe(derived.error()).c_str());
    QTEST(joined(derived->derived.inputs), "inputs");
    QTEST(joined(derived->derived.requiredInputs), "required");
    QTEST(joined(derived->derived.overridable), "overridable");
    QTEST(joined(derived->derived.outputs), "outputs");
    QTEST(joined(derived->derived.intermediates), "intermediates");
    QStringList differences;
    for (const ListDifference& each : derived->differences) {
      QVERIFY(!each.text.empty());
      differences << QString::fromStdString(each.list + " " + each.value);
    }
    QTEST(differences.join(QLatin1Char('|')), "differences");
  }

  void setLists_data() {
    QTest::addColumn<QString>("inputs");  // "-": found by the rule
    QTest::addColumn<QString>("outputs");
    QTest::addColumn<QString>("derivedInputs");
    QTest::addColumn<QString>("overridable");
    QTest::addColumn<QString>("derivedOutputs");
    QTest::addColumn<QString>("differences");
    const auto row = [](const char* name, const char* inputs, const char* outputs, const char* derivedInputs,
                        const char* overridable, const char* derivedOutputs, const char* differences) {
      QTest::newRow(name) << inputs << outputs << derivedInputs << overridable << derivedOutputs << differences;
    };
    row("neither", "-", "-", "x", "", "c d", "inputs z|outputs d");
    row("inputs", "x", "-", "x", "", "c d", "inputs z|outputs d");
    row("inputs, one of them twice and a constant", "x w x", "-", "x w", "w", "c d", "inputs z|inputs w|outputs d");
    row("outputs", "-", "a c", "x", "", "a c", "inputs z|outputs a");
    row("both", "z x", "c", "z x", "", "c", "inputs ");
  }
  void setLists() {
    QFETCH(QString, inputs);
    QFETCH(QString, outputs);
    Result<Model> model = parseModelText(kSetModel);
    if (!model) QFAIL(describe(model.error()).c_str());
    const auto derived =
        resolve::deriveInputsOutputs(*model, {.inputs = setNames(inputs), .outputs = setNames(outputs)});
    if (!derived) QFAIL(describe(derived.error()).c_str());
    QTEST(joined(derived->derived.inputs), "derivedInputs");
    QTEST(joined(derived->derived.overridable), "overridable");
    QTEST(joined(derived->derived.outputs), "derivedOutputs");
    QStringList differences;
    for (const ListDifference& each : derived->differences)
      differences << QString::fromStdString(each.list + " " + each.value);
    QTEST(differences.join(QLatin1Char('|')), "differences");
    const bool declared =
        std::ranges::any_of(derived->steps, [](const ResolveStep& step) { return step.rule == "manual.declared"; });
    QCOMPARE(declared, inputs != QLatin1String("-"));
  }

  void setListsMustFit_data() {
    QTest::addColumn<QString>("inputs");
    QTest::addColumn<QString>("outputs");
    QTest::addColumn<QString>("says");
    QTest::newRow("an input is missing") << "z" << "-" << "'x' must be a declared input or an initializer";
    QTest::newRow("a name is wrong") << "x zz" << "-" << "no value 'zz'; did you mean 'z'?";
    QTest::newRow("a node makes it") << "x a" << "-" << "'a' cannot be set as an input: Relu";
    QTest::newRow("an output is wrong") << "-" << "cc" << "no value 'cc'; did you mean 'c'?";
  }
  void setListsMustFit() {
    QFETCH(QString, inputs);
    QFETCH(QString, outputs);
    QFETCH(QString, says);
    Result<Model> model = parseModelText(kSetModel);
    if (!model) QFAIL(describe(model.error()).c_str());
    const auto derived =
        resolve::deriveInputsOutputs(*model, {.inputs = setNames(inputs), .outputs = setNames(outputs)});
    QVERIFY(!derived);
    const QString message = QString::fromStdString(describe(derived.error()));
    QVERIFY2(message.contains(says), qPrintable(message));
  }

  // A value that only a body reads is no output of the graph around it.
  void bodiesRead() {
    Result<Model> model = parseModelText(R"(g (bool c, x) => (y) { a = Relu (x)
      y = If <then_branch = t () => (r) { r = Abs (a) }, else_branch = e () => (s) { s = Neg (a) }> (c) })");
    if (!model) QFAIL(describe(model.error()).c_str());
    const auto derived = resolve::deriveInputsOutputs(*model);
    if (!derived) QFAIL(describe(derived.error()).c_str());
    QCOMPARE(joined(derived->derived.outputs), QStringLiteral("y"));
    QCOMPARE(joined(derived->derived.inputs), QStringLiteral("x c"));
  }

  // The inner rule: what a graph around a body knows is captured, what nobody makes is an input, what nobody reads an
  // output, whatever the operator around it hands over by place.
  void bodiesAreDerived() {
    Result<Model> model = parseModelText(R"(g (int64 n, bool c, x) => (y) { a = Relu (x)
      y = Loop <body = b (int64 i, bool go, s) => (go, t) { t = Add (s, a) u = Neg (t) }> (n, c, x) })");
    if (!model) QFAIL(describe(model.error()).c_str());
    model->irVersion = 8;
    const auto derived = resolve::deriveInputsOutputs(*model);
    if (!derived) QFAIL(describe(derived.error()).c_str());
    QVERIFY(derived->differences.empty() || derived->differences.size() == 1);  // the order of the inputs alone
    QCOMPARE(derived->bodies.size(), size_t{1});
    const DerivedLists& body = derived->bodies[0];
    QCOMPARE(body.graph, 1);
    QVERIFY2(body.title.find("Loop") != std::string::npos, body.title.c_str());
    QCOMPARE(joined(body.declared.inputs), QStringLiteral("i go s"));
    QCOMPARE(joined(body.declared.outputs), QStringLiteral("go t"));
    QCOMPARE(joined(body.derived.inputs), QStringLiteral("s"));
    QCOMPARE(joined(body.derived.outputs), QStringLiteral("u"));
    QCOMPARE(joined(body.derived.intermediates), QStringLiteral("t"));
    QStringList differences;
    for (const ListDifference& each : body.differences)
      differences << QString::fromStdString(each.list + " " + each.value);
    QCOMPARE(differences.join('|'), QStringLiteral("inputs i|inputs go|outputs go|outputs t|outputs u"));
    const auto captured = std::ranges::find(body.steps, "outer-scope", &ResolveStep::rule);
    QVERIFY(captured != body.steps.end() && captured->graph == 1);
    QVERIFY2(captured->text.find("'a'") != std::string::npos, captured->text.c_str());
  }

  // A graph that is built in memory has no input that only a body reads: the body asks for it itself.
  void whatOnlyBodiesReadIsTheirInput() {
    Result<Model> model = parseModelText(R"(g (bool c, z) => (y) {
      y = If <then_branch = t () => (r) { r = Abs (z) }, else_branch = e () => (s) { s = Neg (c) }> (c) })");
    if (!model) QFAIL(describe(model.error()).c_str());
    const auto derived = resolve::deriveInputsOutputs(*model);
    if (!derived) QFAIL(describe(derived.error()).c_str());
    QCOMPARE(joined(derived->derived.inputs), QStringLiteral("c"));
    QCOMPARE(derived->differences.size(), size_t{1});
    QVERIFY2(derived->differences[0].text.find("only a body reads it") != std::string::npos,
             derived->differences[0].text.c_str());
    QCOMPARE(derived->bodies.size(), size_t{2});
    QCOMPARE(joined(derived->bodies[0].derived.inputs), QStringLiteral("z"));
    QVERIFY2(derived->bodies[0].differences[0].text.find("cannot be captured") != std::string::npos,
             derived->bodies[0].differences[0].text.c_str());
    QVERIFY(derived->bodies[1].derived.inputs.empty() && derived->bodies[1].differences.empty());
  }
};

}  // namespace

QTEST_GUILESS_MAIN(TestDerive)
#include "tst_derive.moc"
