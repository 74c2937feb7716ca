// What the oneDNN provider takes, and how it says no: rule, the value seen, what would satisfy it.
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/provider/group_namer.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/onednn/provider.h"

using namespace cutaway;

namespace {

CapabilityAnswer ask(const char* text, const ProviderOptions& options = {}) {
  Result<Model> parsed = parseModelText(text);
  if (!parsed) qFatal("%s", describe(parsed.error()).c_str());
  Progress progress;
  if (auto done = resolve::resolve(*parsed, {}, progress); !done) qFatal("%s", describe(done.error()).c_str());
  const std::unique_ptr<ExecutionProvider> provider = *onednnProvider().create({.options = options});
  const std::vector<NodeId> free = parsed->graph.nodeIds();
  GroupNamer names(*parsed);
  Result<CapabilityAnswer> answer = provider->capability(
      {.model = *parsed, .graph = parsed->graph, .free = free, .progress = progress, .names = &names});
  if (!answer) qFatal("%s", describe(answer.error()).c_str());
  return *std::move(answer);
}

}  // namespace

class TestOnednnCapability : public QObject {
  Q_OBJECT
 private slots:
  void refusals_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("cause");
    QTest::addColumn<QByteArray>("rule");
    QTest::addColumn<QByteArray>("seen");
    QTest::addColumn<QByteArray>("remedy");
    const auto row = [](const char* name, const char* text, RefusalCause cause, const char* rule, const char* seen,
                        const char* remedy) {
      QTest::newRow(name) << QByteArray(text) << static_cast<int>(cause) << QByteArray(rule) << QByteArray(seen)
                          << QByteArray(remedy);
    };
    row("operator", "main (float[2,3] x) => (float[2,3] y) { y = CumSum (x, a) }", RefusalCause::kOperator, "operators",
        "CumSum", "an operator that oneDNN");
    row("type", "main (double[2,3] x) => (double[2,3] y) { y = Relu (x) }", RefusalCause::kType, "Relu.types",
        "double[2,3]", "float");
    row("rank", "main (float[2,3] x) => (float[2,3] y) { y = LRN <size = 3> (x) }", RefusalCause::kRank, "LRN.rank",
        "rank 2", "rank 3 to 5");
    row("attribute", "main (float[1,4,3,3] x) => (float[1,4,3,3] y) { y = LRN <size = 4> (x) }",
        RefusalCause::kAttribute, "LRN.attributes.size", "size = 4", "odd");
    row("computed input", "main (float[2,3] x, int64[2] s) => (float[3,2] y) { y = Reshape (x, s) }",
        RefusalCause::kInput, "Reshape.inputs[1]", "'s' is computed", "constant");
    row("broadcast", "main (float[3] x, float[2,3] z) => (float[2,3] y) { y = Sub (x, z) }", RefusalCause::kShape,
        "Sub.broadcast", "float", "first operand");
    row("resize",
        "main (float[1,1,4,4] x) => (float[1,1,8,8] y) <float[4] s = {1,1,2,2}> { y = Resize <mode = \"cubic\"> (x, "
        "\"\", s) }",
        RefusalCause::kAttribute, "Resize.attributes.mode", "cubic", "nearest or linear");
    row("windows over a whole axis",
        "<ir_version: 9, opset_import: [\"\" : 19]> main (float[1,2,n] x) => (float[1,2,m] y) { y = AveragePool "
        "<kernel_shape = [2], dilations = [2], pads = [1,1]> (x) }",
        RefusalCause::kShape, "AveragePool.attributes.dilations", "open axis", "--dim");
    row("too small", "main (float[2,3] x) => (float[2,3] y) { y = Relu (x) }", RefusalCause::kTooSmall, "group rule",
        "1 node", "");
  }
  void refusals() {
    QFETCH(QByteArray, text);
    QFETCH(int, cause);
    QFETCH(QByteArray, rule);
    QFETCH(QByteArray, seen);
    QFETCH(QByteArray, remedy);
    QByteArray prepared = text;
    prepared.replace("{ y = CumSum", "<int64 a = {0}> { y = CumSum");
    const CapabilityAnswer answer = ask(prepared.constData());
    QVERIFY(answer.claims.empty());
    QCOMPARE(answer.refusals.size(), size_t{1});
    const Refusal& refusal = answer.refusals[0];
    QCOMPARE(static_cast<int>(refusal.cause), cause);
    QCOMPARE(QByteArray::fromStdString(refusal.rule), rule);
    QVERIFY2(refusal.seen.find(rule == "Sub.broadcast" ? "[3] and [2,3]" : seen.toStdString()) != std::string::npos,
             refusal.seen.c_str());
    QVERIFY2(refusal.remedy.find(remedy.toStdString()) != std::string::npos, refusal.remedy.c_str());
    QVERIFY(!refusal.reason.empty());
    QVERIFY2(refusal.remedy.find("providers/") == std::string::npos, refusal.remedy.c_str());  // users have no sources
  }

  void aProductPaysForItsGroup() {
    constexpr const char* kText =
        "main (float[2,3] x) => (float[2,2] y) <float[3,2] w = {1,2,3,4,5,6}> { h = MatMul (x, w)\n y = Relu (h) }";
    const CapabilityAnswer answer = ask(kText);
    QCOMPARE(answer.claims.size(), size_t{1});
    QCOMPARE(answer.claims[0].subGraph.nodes.size(), size_t{2});
    QVERIFY(answer.claims[0].subGraph.metaDef);
    QCOMPARE(ask(kText, {{"minimum_nodes", "3"}}).claims.size(), size_t{0});
  }

  void claimAllTakesCheapGroups() {
    QCOMPARE(ask("main (float[2,3] x) => (float[2,3] y) { y = Relu (x) }", {{"claim_all", "1"}}).claims.size(),
             size_t{1});
  }

  void openShapesAreTaken() {
    QCOMPARE(
        ask("main (float[n,3] x) => (float[n,2] y) <float[3,2] w = {1,2,3,4,5,6}> { y = MatMul (x, w) }").claims.size(),
        size_t{1});
  }

  void options_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("word");
    QTest::newRow("unknown") << QByteArray("colour") << QByteArray("red") << QByteArray("minimum_nodes");
    QTest::newRow("no number") << QByteArray("minimum_nodes") << QByteArray("many") << QByteArray("whole number");
    QTest::newRow("no flag") << QByteArray("fuse") << QByteArray("2") << QByteArray("0 or 1");
  }
  void options() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, word);
    const auto made = onednnProvider().create({.options = {{name.toStdString(), value.toStdString()}}});
    QVERIFY(!made);
    QCOMPARE(made.error().code, ErrorCode::kInvalidArgument);
    QVERIFY2(made.error().message.find(word.toStdString()) != std::string::npos, made.error().message.c_str());
    QVERIFY(made.error().message.find(name.toStdString()) != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestOnednnCapability)
#include "tst_onednn_capability.moc"
