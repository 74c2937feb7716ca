#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/stages/resolve/resolve.h"

using namespace cutaway;

namespace {

Model modelOf(const QByteArray& text) {
  auto model = parseModelText(text.toStdString());
  if (!model) qFatal("%s", describe(model.error()).c_str());
  return *std::move(model);
}

Result<ResolveReport> resolved(Model& model, const resolve::ResolveOptions& options = {}) {
  Progress progress;
  return resolve::resolve(model, options, progress);
}

const Graph& bodyOf(const Graph& graph, const char* node, const char* attribute) {
  return **std::get_if<GraphBox>(&graph.node(graph.findNode(node)).findAttribute(attribute)->value);
}

QByteArray namesOf(const Graph& graph, std::span<const ValueId> ids) {
  QByteArray text;
  for (const ValueId id : ids)
    text += QByteArray::fromStdString(graph.value(id).name) + " ";
  return text.trimmed();
}

constexpr const char* kCapturing = R"(g (bool[] c, float[2] x) => (y) {
  p = Relu (x)
  [outer] y = If <then_branch = t () => (float[2] a) { [inner] a = If <then_branch = tt () => (float[2] b) { b = Neg (p) }, else_branch = te () => (float[2] d) { d = Abs (x) }> (c) },
                  else_branch = e () => (float[2] f) { f = Exp (p) }> (c) })";

}  // namespace

class TestResolve : public QObject {
  Q_OBJECT

 private slots:
  void capturesBubbleUp() {
    Model model = modelOf(kCapturing);
    const auto report = resolved(model);
    if (!report) QFAIL(describe(report.error()).c_str());
    QCOMPARE(namesOf(model.graph, model.graph.node(model.graph.findNode("outer")).implicitInputs), QByteArray("c p x"));
    const Graph& then = bodyOf(model.graph, "outer", "then_branch");
    QCOMPARE(namesOf(then, then.node(then.findNode("inner")).implicitInputs), QByteArray("p x"));
    QVERIFY(then.value(then.findValue("p")).outerScope);
    QCOMPARE(toText(then.value(then.findValue("p")).type), std::string("float[2]"));
    QCOMPARE(toText(model.graph.value(model.graph.findValue("y")).type), std::string("float[2]"));
  }

  void bodyInputsHideOuterValues() {
    Model model = modelOf(R"(g (int64[] n, bool[] c, float[2] x) => (y) {
      [loop] y = Loop <body = b (int64[] i, bool[] k, float[2] x) => (bool[] k2, float[2] r) { k2 = Identity (k) r = Relu (x) }> (n, c, x) })");
    const auto report = resolved(model);
    if (!report) QFAIL(describe(report.error()).c_str());
    QVERIFY(model.graph.node(model.graph.findNode("loop")).implicitInputs.empty());
  }

  void compiledParts() {
    // The types of outputs stand in the file, as nothing can infer them. Attributes of a provider's own are no mistake;
    // a forgotten import is told.
    Model model = modelOf(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[n,4] x) => (float[n,2] y) <float16[n,7] h> {
  h = com.microsoft.EPContext <embed_mode = 0, ep_cache_context = "a.bin", vendor_secret = 3, other = "text"> (x)
  y = com.microsoft.EPContext <main_context = 0> (h)
})");
    const auto report = resolved(model);
    if (!report) QFAIL(describe(report.error()).c_str());
    QCOMPARE(toText(model.graph.value(model.graph.findValue("h")).type), std::string("float16[n,7]"));
    QCOMPARE(report->warnings.size(), size_t{1});
    QVERIFY2(report->warnings[0].message.find("com.microsoft") != std::string::npos,
             report->warnings[0].message.c_str());
    QCOMPARE(importedVersion(model.opsets, "com.microsoft"), int64_t{1});
  }

  void compiledPartsAgainstTheirSchema_data() {
    QTest::addColumn<QByteArray>("node");
    QTest::addColumn<QByteArray>("complaint");
    QTest::newRow("no inputs") << QByteArray("y = com.microsoft.EPContext <main_context = 0> ()") << QByteArray();
    QTest::newRow("any mixture of types")
        << QByteArray("y = com.microsoft.EPContext <main_context = 0> (x, flag, count)") << QByteArray();
    QTest::newRow("no outputs") << QByteArray("\"\" = com.microsoft.EPContext <main_context = 0> (x) y = Abs (x)")
                                << QByteArray("gives at least 1 output,");
    QTest::newRow("a type that is none of the operator's")
        << QByteArray("y = com.microsoft.EPContext <main_context = 0> (x, words)")
        << QByteArray("does not take tensor(string)");
    QTest::newRow("a known attribute of another kind")
        << QByteArray("y = com.microsoft.EPContext <main_context = \"yes\"> (x)")
        << QByteArray("attribute 'main_context' of EPContext should be INT");
    QTest::newRow("a number for a text") << QByteArray("y = com.microsoft.EPContext <partition_name = 4> (x)")
                                         << QByteArray("attribute 'partition_name' of EPContext should be STRING");
  }
  void compiledPartsAgainstTheirSchema() {
    QFETCH(QByteArray, node);
    QFETCH(QByteArray, complaint);
    Model model = modelOf(
        "<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft\" : 1]>\nmain (float[2] x, bool[] flag, int64[] "
        "count, string[2] words) => (float[2] y) { " +
        node + " }");
    const auto report = resolved(model);
    QVERIFY2(report.has_value() == complaint.isEmpty(), report ? "resolved" : describe(report.error()).c_str());
    if (report) return;
    QCOMPARE(report.error().code, ErrorCode::kInvalidGraph);
    QVERIFY2(report.error().message.find(complaint.toStdString()) != std::string::npos, report.error().message.c_str());
  }

  void errors_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("part");
    QTest::addColumn<QByteArray>("value");
    const auto row = [](const char* name, const char* text, ErrorCode code, const char* part, const char* value) {
      QTest::newRow(name) << QByteArray(text) << static_cast<int>(code) << QByteArray(part) << QByteArray(value);
    };
    row("an input that nobody gives", "g (float[2] x) => (y) { y = Add (x, z) }", ErrorCode::kInvalidArgument,
        "nothing gives", "z");
    row("a capture that nobody has",
        "g (bool[] c) => (y) { y = If <then_branch = t () => (a) { a = Relu (q) }, else_branch = e () => (b) { b = Neg "
        "(q) }> (c) }",
        ErrorCode::kInvalidGraph, "no graph around it", "q");
    row("a body gives back an outer value",
        "g (bool[] c, float[2] x) => (y) { y = If <then_branch = t () => (x) { }, else_branch = e () => (b) { b = Neg "
        "(x) }> (c) }",
        ErrorCode::kInvalidGraph, "Identity", "x");
    row("made by a node and an input", "g (float[2] x) => (x) { x = Relu (z) }", ErrorCode::kFail, "also a graph input",
        "x");
    row("made by a node and an initializer", "g (float[2] x) => (w) <float[2] w = {1,2}> { w = Relu (x) }",
        ErrorCode::kFail, "also an initializer", "w");
    row("initializer of another type", "g (int64[2] w) => (y) <float[2] w = {1,2}> { y = Relu (w) }",
        ErrorCode::kInvalidGraph, "declared as", "w");
    row("a function twice",
        "<ir_version: 8, opset_import: [\"\" : 17, \"f\" : 1]> g (float[2] x) => (y) { y = f.A (x) } <domain: \"f\", "
        "opset_import: [\"\" : 17]> A (a) => (b) { b = Relu (a) } <domain: \"f\", opset_import: [\"\" : 17]> A (a) => "
        "(b) { b = Neg (a) }",
        ErrorCode::kFail, "defined twice", "");
    row("a function that calls itself from a body",
        "<ir_version: 8, opset_import: [\"\" : 17, \"f\" : 1]> g (float[2] x) => (y) { y = f.A (x) } <domain: \"f\", "
        "opset_import: [\"\" : 17, \"f\" : 1]> A (a) => (b) { b = If <then_branch = t () => (p) { p = f.A (a) }, "
        "else_branch = e () => (q) { q = Neg (a) }> (a) }",
        ErrorCode::kFail, "calls itself", "");
    row("opset zero", "<ir_version: 8, opset_import: [\"\" : 0]> g (float[2] x) => (y) { y = Relu (x) }",
        ErrorCode::kInvalidGraph, "imports opset 0 of ai.onnx", "");
    row("opset below zero", "<ir_version: 8, opset_import: [\"\" : -1]> g (float[2] x) => (y) { y = Relu (x) }",
        ErrorCode::kFail, "not valid", "");
  }
  void errors() {
    QFETCH(QByteArray, text);
    QFETCH(int, code);
    QFETCH(QByteArray, part);
    QFETCH(QByteArray, value);
    Model model = modelOf(text);
    const auto report = resolved(model);
    QVERIFY(!report);
    QVERIFY2(QByteArray::fromStdString(report.error().message).contains(part), report.error().message.c_str());
    QCOMPARE(static_cast<int>(report.error().code), code);
    QCOMPARE(QByteArray::fromStdString(report.error().where.value), value);
  }

  void opsets() {
    Model old = modelOf("<ir_version: 1, opset_import: []> g (float[2] x) => (y) { y = Relu (x) }");
    QVERIFY(resolved(old).has_value());
    QCOMPARE(importedVersion(old.opsets, ""), int64_t{1});
    QCOMPARE(old.graph.node(NodeId{0}).sinceVersion, 1);
    Model alias = modelOf("<ir_version: 8, opset_import: [\"ai.onnx\" : 14]> g (float[2] x) => (y) { y = Relu (x) }");
    QVERIFY(resolved(alias).has_value());
    QCOMPARE(alias.graph.node(NodeId{0}).opsetVersion, 14);
    // onnxruntime opens it: nothing uses what is not there.
    Model unused = modelOf(
        "<ir_version: 8, opset_import: [\"\" : 14, \"com.microsoft\" : 0]> g (float[2] x) => (y) { y = Relu (x) }");
    QVERIFY(resolved(unused).has_value());
    Model added =
        modelOf("<ir_version: 8, opset_import: [\"\" : 14]> g (float[2] x) => (y) { y = com.microsoft.Gelu (x) }");
    const auto report = resolved(added);
    QVERIFY(report.has_value());
    QCOMPARE(importedVersion(added.opsets, "com.microsoft"), int64_t{1});
    QCOMPARE(toText(added.graph.value(added.graph.findValue("y")).type), std::string("float[2]"));
    Model older = modelOf("<ir_version: 8, opset_import: [\"\" : 6]> g (float[2] x) => (y) { y = Relu (x) }");
    const auto warned = resolved(older);
    QVERIFY(warned.has_value() && !warned->warnings.empty());
  }

  void dimensionsAreBound() {
    Model model = modelOf("g (float[n,m] x) => (float[n,m] y) { y = Relu (x) }");
    const auto report = resolved(model, {.dims = {{"n", 4}, {"zzz", 1}}});
    QVERIFY(report.has_value());
    QCOMPARE(toText(model.graph.value(model.graph.findValue("y")).type), std::string("float[4,m]"));
    QCOMPARE(report->boundDims.size(), size_t{1});
    QCOMPARE(report->openSymbols, std::vector<std::string>{"m"});
    QCOMPARE(report->warnings.size(), size_t{1});
    Model repeated = modelOf("g (float[n,m] x, float[m,k,n] z) => (y) { y = Relu (x) }");
    const auto symbols = resolved(repeated);
    QVERIFY(symbols.has_value());
    QCOMPARE(symbols->openSymbols, (std::vector<std::string>{"n", "m", "k"}));
    Model again = modelOf("g (float[n] x) => (y) { y = Relu (x) }");
    QVERIFY(!resolved(again, {.dims = {{"n", -1}}}));
  }

  void rolesOfValues() {
    Model model = modelOf(
        "g (float[1] x, float[1] d) => (float[1] y) <float[1] d = {1}, float[1] w = {2}, float[1] u = {3}> { a = Add "
        "(x, d) b = Mul (a, w) s = Relu (b) y = Neg (a) }");
    const auto report = resolved(model);
    QVERIFY(report.has_value());
    const auto roleOf = [&](const char* name) {
      return QByteArray(valueRoleName(report->values[model.graph.findValue(name).index()].role));
    };
    QCOMPARE(roleOf("x"), QByteArray("input"));
    QCOMPARE(roleOf("d"), QByteArray("overridable initializer"));
    QCOMPARE(roleOf("w"), QByteArray("constant"));
    QCOMPARE(roleOf("u"), QByteArray("unused"));
    QCOMPARE(roleOf("a"), QByteArray("intermediate"));
    QCOMPARE(roleOf("s"), QByteArray("unused"));
    QCOMPARE(roleOf("y"), QByteArray("output"));
    for (const ValueRule& rule : report->values)
      QVERIFY(!rule.rule.empty() && !rule.text.empty());
  }

  void graphsBuiltInMemory() {
    Model model;
    model.irVersion = 8;
    model.opsets = {{"", 17}};
    Graph& graph = model.graph;
    const ValueId x = graph.addValue("x", ValueType::tensor(ElementType::kFloat, Shape{Dim("n"), Dim(2)}));
    const NodeId relu = graph.addNode({.name = "r", .opType = "Relu"}, {x}, {"h"});
    graph.addNode({.name = "n", .opType = "Neg"}, {graph.node(relu).outputs[0]}, {"y"});
    const auto report = resolved(model);
    if (!report) QFAIL(describe(report.error()).c_str());
    QCOMPARE(namesOf(graph, graph.inputs()), QByteArray("x"));
    QCOMPARE(namesOf(graph, graph.outputs()), QByteArray("y"));
    QCOMPARE(toText(graph.value(graph.findValue("y")).type), std::string("float[n,2]"));
  }

  void resolvingTwiceChangesNothing() {
    Model model = modelOf(kCapturing);
    QVERIFY(resolved(model).has_value());
    const std::string once = printModel(model);
    QVERIFY(resolved(model).has_value());
    QCOMPARE(printModel(model), once);
  }

  void stopsWhenCancelled() {
    Model model = modelOf(kCapturing);
    CancelToken token;
    token.cancel();
    Progress progress(token);
    const auto report = resolve::resolve(model, {}, progress);
    QVERIFY(!report);
    QVERIFY(report.error().code == ErrorCode::kModelLoadCanceled);
  }
};

QTEST_GUILESS_MAIN(TestResolve)
#include "tst_resolve.moc"
