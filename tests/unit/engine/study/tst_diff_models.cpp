// Two models compared: what belongs together, what changed, what is on one side only.
#include <random>

#include <nlohmann/json.hpp>

#include <QtTest/QtTest>

#include "engine/base/clock.h"
#include "engine/base/progress.h"
#include "engine/graph/text.h"
#include "engine/report/json_diff.h"
#include "engine/stages/load/load.h"
#include "engine/stages/load/model_bytes.h"
#include "engine/stages/resolve/resolve.h"
#include "engine/study/difference/diff_models.h"

using namespace cutaway;

namespace {

Model modelOf(const std::string& graph) {
  auto model = parseModelText("<ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]>\n" + graph);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  return *std::move(model);
}

// As a file gives it: nothing says yet what bodies read from the graphs around them.
Model fromFile(const Model& model) {
  auto bytes = std::make_shared<std::vector<std::byte>>();
  const auto written = load::writeModelBytes(model, [&](std::span<const std::byte> part) -> Result<void> {
    bytes->insert(bytes->end(), part.begin(), part.end());
    return {};
  });
  if (!written) qFatal("%s", describe(written.error()).c_str());
  Progress progress;
  auto loaded = load::load(load::ModelSource::memory(*bytes, bytes), {}, progress);
  if (!loaded) qFatal("%s", describe(loaded.error()).c_str());
  return std::move(loaded->model);
}

constexpr const char* kBase =
    R"(g (float[2,4] x) => (float[2,4] y) <float[4,4] k = {1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}, float[4] w = {1,2,3,4}> {
  [product] a = MatMul (x, k)
  [bias] b = Add (a, w)
  [act] c = Relu (b)
  [soft] y = Softmax <axis = 1> (c)
})";

QString textOf(const ModelDiff& diff, const Model& a, const Model& b) {
  const ModelGraphs graphsA = resolve::describeGraphs(a), graphsB = resolve::describeGraphs(b);
  QStringList lines;
  for (const NodeDiff& node : diff.nodes) {
    if (node.kind == DiffKind::kSame) continue;
    const std::string left = node.nodeA == kNone ? "-" : graphsA.graphs[node.graphA].nodes[node.nodeA].name;
    const std::string right = node.nodeB == kNone ? "-" : graphsB.graphs[node.graphB].nodes[node.nodeB].name;
    QString line = QString("%1 %2/%3").arg(diffKindName(node.kind)).arg(left.c_str()).arg(right.c_str());
    for (const std::string& change : node.changes)
      line += QString("; ") + change.c_str();
    lines << line;
  }
  for (const ValueDiff& value : diff.values) {
    if (value.kind == DiffKind::kSame) continue;
    QString line = QString("%1 %2 %3/%4")
                       .arg(diffKindName(value.kind))
                       .arg(value.what.c_str())
                       .arg(value.nameA.c_str())
                       .arg(value.nameB.c_str());
    for (const std::string& change : value.changes)
      line += QString("; ") + change.c_str();
    lines << line;
  }
  for (const std::string& fact : diff.facts)
    lines << fact.c_str();
  return lines.join("\n");
}

// `count` blocks of four nodes with a skip each; names may be left out, numbered from `first`, or of another kind.
Model chain(int count, const char* prefix = "n", int first = 0, int without = -1, unsigned shuffle = 0) {
  std::vector<std::string> lines;
  std::string last = "x";
  const auto add = [&](const std::string& output, const std::string& call) {
    lines.push_back(fmt::format("[{}{}] {} = {}\n", prefix, first + static_cast<int>(lines.size()), output, call));
  };
  for (int i = 0; i < count; ++i) {
    add(fmt::format("{}a{}", prefix, i), fmt::format("MatMul ({}, k)", last));
    add(fmt::format("{}b{}", prefix, i), fmt::format("Relu ({}a{})", prefix, i));
    std::string from = fmt::format("{}b{}", prefix, i);
    if (i != without) {
      add(fmt::format("{}c{}", prefix, i), fmt::format("{} ({})", i % 3 ? "Tanh" : "Sigmoid", from));
      from = fmt::format("{}c{}", prefix, i);
    }
    add(fmt::format("{}d{}", prefix, i), fmt::format("Add ({}, {})", from, last));
    last = fmt::format("{}d{}", prefix, i);
  }
  add("y", fmt::format("Softmax <axis = 1> ({})", last));
  if (shuffle > 0) std::shuffle(lines.begin(), lines.end(), std::mt19937(shuffle));
  std::string text = "g (float[4,4] x) => (float[4,4] y) <float[4,4] k = {1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}> {\n";
  for (const std::string& line : lines)
    text += line;
  return modelOf(text + "}");
}

Model flat(int count, int changed) {
  Model model;
  model.opsets = {{"", 17}};
  const ValueType type = ValueType::tensor(ElementType::kFloat, Shape{Dim(4), Dim(4)});
  const char* kinds[] = {"Relu", "Tanh", "Abs", "Neg", "Exp"};
  std::vector<ValueId> made = {model.graph.addInput("x", type)};
  std::mt19937 random(3);
  for (int i = 0; i < count; ++i) {
    const ValueId left = made[made.size() - 1], right = made[random() % made.size()];
    const bool two = i % 3 == 0;
    Node node{.name = fmt::format("{}{}", changed >= 0 ? "other" : "node", i),
              .opType = two ? "Add" : kinds[random() % 5]};
    if (i == changed) node.opType = "Sin";
    const std::string output = fmt::format("{}{}", changed >= 0 ? "o" : "v", i);
    const NodeId id = two && i != changed ? model.graph.addNode(std::move(node), {left, right}, {output})
                                          : model.graph.addNode(std::move(node), {left}, {output});
    made.push_back(model.graph.node(id).outputs[0]);
  }
  model.graph.addOutput(made.back());
  return model;
}

}  // namespace

class TestDiffModels : public QObject {
  Q_OBJECT

 private slots:
  void differences_data() {
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, QByteArray b, const char* expected, QByteArray a = kBase) {
      QTest::newRow(name) << a << b << QString(expected);
    };
    const QByteArray base(kBase);
    row("the same", base, "");
    row("a node renamed", QByteArray(base).replace("[act]", "[relu]"), "changed act/relu; name act -> relu");
    row("values renamed", QByteArray(base).replace(" b ", " mid ").replace("(b)", "(mid)"), "");
    row("an input renamed", QByteArray(base).replace("[2,4] x", "[2,4] in").replace("(x,", "(in,"),
        "changed input x/in; name x -> in");
    row("an attribute", QByteArray(base).replace("axis = 1", "axis = 0"), "changed soft/soft; attribute axis 1 -> 0");
    row("an attribute is gone", QByteArray(base).replace("<axis = 1> ", ""),
        "changed soft/soft; attribute axis 1 is gone");
    row("weights", QByteArray(base).replace("{1,2,3,4}", "{1,2,3,5}"),
        "changed bias/bias; weights of 'w' differ\nchanged initializer w/w; weights differ");
    row("shape of weights", QByteArray(base).replace("float[4] w = {1,2,3,4}", "float[1] w = {1}"),
        "changed bias/bias; weights of 'w' float[4] -> float[1]\nchanged initializer w/w; type float[4] -> float[1]");
    row("a node inserted",
        QByteArray(base).replace("[soft] y = Softmax <axis = 1> (c)",
                                 "[drop] d = Identity (c) [soft] y = Softmax <axis = 1> (d)"),
        "changed soft/soft; input 0 comes from another node: 'c' -> 'd'\nonly in B -/drop");
    row("a node inserted, all renamed",
        QByteArray(base)
            .replace("[product]", "[p]")
            .replace("[bias]", "[q]")
            .replace("[act]", "[r]")
            .replace("[soft] y = Softmax <axis = 1> (c)", "[s] d = Identity (c) [t] y = Softmax <axis = 1> (d)"),
        "changed product/p; name product -> p\nchanged bias/q; name bias -> q\nchanged act/r; name act -> r\nchanged "
        "soft/t; name soft -> t; input 0 comes from another node: 'c' -> 'd'\nonly in B -/s");
    row("another operator", QByteArray(base).replace("Relu", "Tanh"),
        "only in A act/-\nchanged soft/soft; input 0 comes from another node: 'c' -> 'c'\nonly in B -/act");
    row("an output more", QByteArray(base).replace("(float[2,4] y)", "(float[2,4] y, float[2,4] c)"),
        "only in B output /c");
    row("order of nodes",
        QByteArray(base).replace("  [act] c = Relu (b)\n", "").replace("{\n", "{\n  [act] c = Relu (b)\n"), "");
    row("input's type", QByteArray(base).replace("float[2,4] x", "float[3,4] x"),
        "changed input x/x; type float[2,4] -> float[3,4]");
    const QByteArray branch =
        "g (float[2] x, bool c) => (y) { [pick] y = If <then_branch = t () => (r) { [one] r = Relu (x) }, else_branch "
        "= e () => (q) { [two] q = Neg (x) }> (c) }";
    row("in a body", QByteArray(branch).replace("[one] r = Relu (x)", "[one] m = Relu (x) [three] r = Abs (m)"),
        "only in B -/three", branch);
    const QByteArray function =
        "g (float[2] x) => (y) { [call] y = my.F (x) }\n<domain: \"my\", opset_import: [\"\" : 17]> F (a) => (c) { "
        "[in] c = LeakyRelu <alpha = 0.5> (a) }";
    row("in a function", QByteArray(function).replace("0.5", "0.25"), "changed in/in; attribute alpha 0.5 -> 0.25",
        function);
    const QByteArray constant =
        "g (float[9] x) => (y) { [c] k = Constant <value = float[9] {1,2,3,4,5,6,7,8,9}> () [n] y = Add (x, k) }";
    row("a constant's later bytes", QByteArray(constant).replace("8,9}", "8,7}"), "changed c/c; weights of 'k' differ",
        constant);
    row("nothing in common", "g (float[2] x) => (y) { [n] y = Neg (x) }",
        "only in A m/-\nonly in B -/n\nchanged output z/y; name z -> y", "g (float[2] x) => (z) { [m] z = Abs (x) }");
  }
  void differences() {
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    const Model left = modelOf(a.toStdString()), right = modelOf(b.toStdString());
    const auto diff = study::diffModels(left, right);
    QVERIFY(diff);
    QTEST(textOf(*diff, left, right), "expected");
    QCOMPARE(diff->identical(), textOf(*diff, left, right).isEmpty());
    QVERIFY(diff->weightsCompared);
    // The other way round: as many on either side.
    const auto back = study::diffModels(right, left);
    QCOMPARE(back->same, diff->same);
    QCOMPARE(back->onlyA, diff->onlyB);
    QCOMPARE(back->onlyB, diff->onlyA);
    QCOMPARE(diffToJson(*diff, true)["nodes"].size(), diff->nodes.size());
  }

  // What bodies read from around them is compared where it is given, also in models that were loaded and no more.
  void captures_data() {
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    QTest::addColumn<QString>("expected");
    const QByteArray nested =
        "g (float[2] x, float[2] z, bool c) => (y) { [pick] y = If <then_branch = t () => (r) { [inner] r = If "
        "<then_branch = u () => (p) { [one] p = Relu (x) }, else_branch = v () => (s) { [three] s = Neg (x) }> (c) }, "
        "else_branch = e () => (q) { [two] q = Neg (z) }> (c) }";
    QTest::newRow("the same") << nested << nested << QString();
    QTest::newRow("an input renamed") << nested << QByteArray(nested).replace("[2] x", "[2] in").replace("(x)", "(in)")
                                      << QString("changed input x/in; name x -> in");
    QTest::newRow("another input") << nested << QByteArray(nested).replace("Relu (x)", "Relu (z)")
                                   << QString("changed one/one; input 0 is another one: 'x' -> 'z'");
    QTest::newRow("a condition that is computed")
        << nested
        << QByteArray(nested).replace("(c) }, else", "(d) }, else").replace("{ [pick]", "{ [not] d = Not (c) [pick]")
        << QString("changed inner/inner; input 0 was a graph input 'c', is a node's result 'd'\nonly in B -/not");
    const QByteArray weighted =
        "g (float[2] x, bool c) => (y) <float[2] w = {1,2}> { [pick] y = If <then_branch = t () => (r) { [one] r = Mul "
        "(x, w) }, else_branch = e () => (q) { [two] q = Neg (x) }> (c) }";
    QTest::newRow("weights") << weighted << QByteArray(weighted).replace("{1,2}", "{1,3}")
                             << QString(
                                    "changed one/one; weights of 'w' differ\nchanged initializer w/w; weights differ");
  }
  void captures() {
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    const Model left = modelOf(a.toStdString()), right = modelOf(b.toStdString());
    QTEST(textOf(*study::diffModels(left, right), left, right), "expected");
    const Model leftFile = fromFile(left), rightFile = fromFile(right);
    QTEST(textOf(*study::diffModels(leftFile, rightFile), leftFile, rightFile), "expected");
  }

  void everythingRenamed() {
    const auto diff = study::diffModels(chain(200), chain(200, "other"));
    QCOMPARE(diff->onlyA + diff->onlyB, int64_t(0));
    for (const NodeDiff& node : diff->nodes) {
      QCOMPARE(node.nodeA, node.nodeB);
      QCOMPARE(node.matchedBy, std::string("structure"));
      QCOMPARE(node.changes.size(), size_t(1));
    }
  }

  // An exporter numbers nodes: with one less at the beginning all names behind it stand for other nodes.
  void numberedAnew() {
    const Model a = chain(50), b = chain(50, "n", 0, 3);
    const auto diff = study::diffModels(a, b);
    QCOMPARE(diff->onlyA, int64_t(1));
    QCOMPARE(diff->onlyB, int64_t(0));
    const ModelGraphs graphsA = resolve::describeGraphs(a), graphsB = resolve::describeGraphs(b);
    for (const NodeDiff& node : diff->nodes)
      if (node.nodeB != kNone)
        QCOMPARE(QString::fromStdString(graphsB.graphs[0].values[graphsB.graphs[0].nodes[node.nodeB].outputs[0]].name),
                 QString::fromStdString(graphsA.graphs[0].values[graphsA.graphs[0].nodes[node.nodeA].outputs[0]].name));
  }

  void shuffled() {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const auto diff = study::diffModels(chain(60), chain(60, "n", 0, -1, seed));
      QVERIFY(diff);
      QCOMPARE(diff->onlyA + diff->onlyB, int64_t(0));
    }
    // Names do not help here.
    const auto diff = study::diffModels(chain(60), chain(60, "z", 500, -1, 9));
    QCOMPARE(diff->onlyA + diff->onlyB, int64_t(0));
    for (const NodeDiff& node : diff->nodes)
      QCOMPARE(node.changes.size(), size_t(1));
  }

  // Two branches that look exactly alike must not be mixed up.
  void twins() {
    const auto text = [](const char* order) {
      return modelOf(fmt::format("g (float[2] x) => (y) {{ {} y = Add (b1, b2) }}",
                                 std::string_view(order) == "12"
                                     ? "a1 = Relu (x) b1 = Neg (a1) a2 = Relu (x) b2 = Neg (a2)"
                                     : "a2 = Relu (x) b1 = Neg (a1) a1 = Relu (x) b2 = Neg (a2)"));
    };
    const auto diff = study::diffModels(text("12"), text("21"));
    QCOMPARE(diff->same, int64_t(5));
  }

  void facts() {
    Model a = modelOf(kBase), b = modelOf(kBase);
    b.opsets[0].version = 21;
    b.irVersion = 10;
    b.producerName = "me";
    b.metadata = {{"author", "you"}};
    const auto diff = study::diffModels(a, b);
    QCOMPARE(diff->facts, (std::vector<std::string>{"opset ai.onnx 17 -> 21", "IR 8 -> 10", "producer (none) -> me",
                                                    "metadata author (none) -> you"}));
    QVERIFY(!diff->identical());
  }

  void withoutWeights() {
    const Model a = modelOf(kBase), b = modelOf(QByteArray(kBase).replace("{1,2,3,4}", "{1,2,3,5}").toStdString());
    const ModelDiff diff = study::diffGraphs(resolve::describeGraphs(a), resolve::describeGraphs(b));
    QVERIFY(diff.identical() && !diff.weightsCompared);
  }

  void nothingAtAll() {
    QVERIFY(study::diffGraphs({}, {}).identical());
    QVERIFY(study::diffModels(Model(), Model())->identical());
    const auto diff = study::diffModels(modelOf(kBase), Model());
    QCOMPARE(diff->onlyA, int64_t(4));
    CancelToken token;
    token.cancel();
    QCOMPARE(study::diffModels(modelOf(kBase), Model(), token).error().code, ErrorCode::kModelLoadCanceled);
  }

  void deterministic() {
    const Model a = chain(80), b = chain(80, "q", 0, 40);
    QCOMPARE(diffToJson(*study::diffModels(a, b), true).dump(), diffToJson(*study::diffModels(a, b), true).dump());
  }

  void manyNodes() {
    const Model a = flat(50'000, -1), b = flat(50'000, 25'000);
    const ModelGraphs graphsA = resolve::describeGraphs(a), graphsB = resolve::describeGraphs(b);
    const Stopwatch watch;
    const ModelDiff diff = study::diffGraphs(graphsA, graphsB);
    qInfo("50,000 nodes, all renamed, one replaced: %.0f ms", static_cast<double>(watch.elapsedNs()) / 1e6);
    QVERIFY(diff.onlyA <= 2);
    int64_t wrong = 0;
    for (const NodeDiff& node : diff.nodes)
      wrong += node.nodeA != kNone && node.nodeB != kNone && node.nodeA != node.nodeB ? 1 : 0;
    QVERIFY2(wrong < 10, qPrintable(QString::number(wrong)));
  }
};

QTEST_APPLESS_MAIN(TestDiffModels)
#include "tst_diff_models.moc"
