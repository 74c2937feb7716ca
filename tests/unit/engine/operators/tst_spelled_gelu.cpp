// A Gelu that is spelled out, in the orders that exporters choose, and what is nearly one.
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/operators/spelled_gelu.h"

using namespace cutaway;
using operators::Formulas;

namespace {

constexpr operators::FormulaRules kAny{.takes = [](const Node&) { return true; }, .tolerance = 2e-3};

// `body` makes y of x, whose type is `type`; the constants have it, too.
Model modelOf(const QString& body, const QString& type = "float") {
  const QString text = QString(R"(g (%1[2,3] x, %1[2,3] other) => (%1[2,3] y, %1[2,3] z)
    <%1[1] root = {1.41421}, %1[1] inverse = {0.70711}, %1[1] half = {0.5}, %1[1] unit = {1}, %1[1] two = {2}, %1[] third = {3},
     %1[1] cubic = {0.044715}, %1[1] slope = {0.79788}, %1[1,1,1] deep = {0.5}> { z = Abs (other) %2 })")
                           .arg(type, body);
  Result<Model> model = parseModelText(text.toStdString());
  if (!model) qFatal("%s", describe(model.error()).c_str());
  model->graph.overridableInitializers = true;
  for (const ValueId id : model->graph.valueIds()) {
    Value& value = model->graph.mutableValue(id);
    if (!value.type.known()) value.type = model->graph.value(model->graph.findValue("x")).type;
  }
  return *std::move(model);
}

class TestSpelledGelu : public QObject {
  Q_OBJECT

 private slots:
  void forms_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("removed");  // operators nobody needs any more, sorted; "-": no Gelu
    QTest::addColumn<bool>("approximate");
    const auto row = [](const char* name, const char* body, const char* removed, bool approximate = false) {
      QTest::newRow(name) << QString(body) << QString(removed) << approximate;
    };
    row("as in the paper", "d = Div (x, root) e = Erf (d) a = Add (e, unit) m = Mul (x, a) y = Mul (m, half)",
        "Add Div Erf Mul Mul");
    row("a division at the end", "d = Mul (x, inverse) e = Erf (d) a = Add (unit, e) m = Mul (a, x) y = Div (m, two)",
        "Add Div Erf Mul Mul");
    row("multiplied out", "d = Mul (x, inverse) e = Erf (d) h = Mul (x, half) m = Mul (h, e) y = Add (m, h)",
        "Add Erf Mul Mul Mul");
    row("a difference",
        "d = Div (x, root) e = Erf (d) a = Sub (e, unit) h = Mul (x, half) m = Mul (h, a) y = Add (m, x)",
        "Add Div Erf Mul Mul Sub");
    row("the quotient is read, too",
        "d = Div (x, root) w = Neg (d) e = Erf (d) a = Add (e, unit) m = Mul (x, a) "
        "y = Mul (m, half)",
        "Add Erf Mul Mul");
    row("by a Constant node",
        "k = Constant <value = float[1] {0.5}> () d = Div (x, root) e = Erf (d) a = Add (e, unit) "
        "m = Mul (x, a) y = Mul (m, k)",
        "Add Div Erf Mul Mul");
    row("of a scaled value",
        "s = Mul (x, two) d = Div (s, root) e = Erf (d) a = Add (e, unit) m = Mul (s, a) "
        "y = Mul (m, half)",
        "Add Div Erf Mul Mul");
    row("by Tanh",
        "c = Pow (x, third) k = Mul (c, cubic) s = Add (x, k) u = Mul (s, slope) t = Tanh (u) "
        "a = Add (t, unit) h = Mul (x, half) y = Mul (h, a)",
        "Add Add Mul Mul Mul Mul Pow Tanh", true);
    row("by Tanh, with products",
        "q = Mul (x, x) c = Mul (q, x) k = Mul (c, cubic) s = Add (x, k) u = Mul (s, slope) "
        "t = Tanh (u) a = Add (t, unit) h = Mul (x, half) y = Mul (h, a)",
        "Add Add Mul Mul Mul Mul Mul Mul Tanh", true);
    row("another root", "d = Mul (x, half) e = Erf (d) a = Add (e, unit) m = Mul (x, a) y = Mul (m, half)", "-");
    row("not halved", "d = Div (x, root) e = Erf (d) a = Add (e, unit) y = Mul (x, a)", "-");
    row("of two values", "d = Div (x, root) e = Erf (d) a = Add (e, unit) m = Mul (other, a) y = Mul (m, half)", "-");
    row("the Erf is read, too",
        "d = Div (x, root) e = Erf (d) w = Neg (e) a = Add (e, unit) m = Mul (x, a) "
        "y = Mul (m, half)",
        "-");
    row("a half of more axes", "d = Div (x, root) e = Erf (d) a = Add (e, unit) m = Mul (x, a) y = Mul (m, deep)", "-");
  }
  void forms() {
    QFETCH(QString, body);
    QFETCH(QString, removed);
    QFETCH(bool, approximate);
    const Model model = modelOf(body);
    std::optional<operators::SpelledGelu> found;
    for (const NodeId id : model.graph.nodeIds())
      if (auto gelu = operators::spelledGelu(Formulas(model.graph, kAny), id)) found = std::move(gelu);
    QCOMPARE(found.has_value(), removed != "-");
    if (!found) return;
    QCOMPARE(model.graph.value(found->result).name, std::string("y"));
    QCOMPARE(model.graph.value(found->x).name, std::string(body.startsWith("s = Mul") ? "s" : "x"));
    QCOMPARE(found->isApproximate, approximate);
    QStringList operators;
    for (const NodeId id : found->nodes)
      operators << QString::fromStdString(model.graph.node(id).opType);
    operators.sort();
    QCOMPARE(operators.join(' '), removed);
  }

  // Constants of other types are numbers as well; how near they must be is the caller's to say.
  void typesAndTolerance() {
    const QString body = "d = Div (x, root) e = Erf (d) a = Add (e, unit) m = Mul (x, a) y = Mul (m, half)";
    for (const char* type : {"double", "float16", "bfloat16"}) {
      const Model model = modelOf(body, type);
      const NodeId erf = model.graph.value(model.graph.findValue("e")).producer;
      const operators::FormulaRules near{.takes = kAny.takes,
                                         .tolerance = QLatin1String(type) == "bfloat16" ? 1e-2 : 2e-3};
      QVERIFY2(operators::spelledGelu(Formulas(model.graph, near), erf), type);
      QVERIFY2(!operators::spelledGelu(Formulas(model.graph, {.takes = kAny.takes, .tolerance = 1e-7}), erf), type);
    }
  }

  void nodesOfOthersAreLeftAlone() {
    const Model model = modelOf("d = Div (x, root) e = Erf (d) a = Add (e, unit) m = Mul (x, a) y = Mul (m, half)");
    const NodeId erf = model.graph.value(model.graph.findValue("e")).producer;
    const auto isNoDivision = [](const Node& node) { return node.opType != "Div"; };
    QVERIFY(!operators::spelledGelu(Formulas(model.graph, {.takes = isNoDivision}), erf));
  }
};

}  // namespace

QTEST_GUILESS_MAIN(TestSpelledGelu)
#include "tst_spelled_gelu.moc"
