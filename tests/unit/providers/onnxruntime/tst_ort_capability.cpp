// What the provider claims and refuses, with which words, and its options.
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/graph/topology.h"
#include "engine/provider/group_namer.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/onnxruntime/options.h"
#include "providers/onnxruntime/provider.h"
#include "providers/onnxruntime/questions.h"

using namespace cutaway;
using namespace cutaway::onnxruntime;

namespace {

Model resolved(const char* text) {
  Model model = *parseModelText(text);
  Progress progress;
  const Result<ResolveReport> report = resolve::resolve(model, {}, progress);
  if (!report) qFatal("%s", describe(report.error()).c_str());
  return model;
}

Result<CapabilityAnswer> ask(const Model& model, const ProviderOptions& options = {}, CancelToken cancel = {}) {
  CUTAWAY_TRY(const std::unique_ptr<ExecutionProvider> provider, onnxruntimeProvider().create({.options = options}));
  CUTAWAY_TRY(const std::vector<NodeId> free, topologicalOrder(model.graph));
  GroupNamer names(model);
  const Progress progress(cancel);
  return provider->capability(
      {.model = model, .graph = model.graph, .free = free, .progress = progress, .names = &names});
}

size_t claimedNodes(const CapabilityAnswer& answer) {
  size_t count = 0;
  for (const ComputeCapability& claim : answer.claims)
    count += claim.subGraph.nodes.size();
  return count;
}

}  // namespace

class TestOrtCapability : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    const ProviderStatus status = onnxruntimeProvider().probe();
    QVERIFY2(status.usable, status.reason.c_str());
    QVERIFY2(status.version.starts_with("1."), status.version.c_str());
  }

  void aWholeModelIsOneGroup() {
    const Model model = resolved(R"(main (float[2,3,3] x, bool[] c) => (float[2,3,3] y, float[2] d) {
      a = Relu (x)
      b = If <then_branch = t () => (float[2,3,3] p) { p = Exp (a) }, else_branch = e () => (float[2,3,3] q) { q = Neg (a) }> (c)
      d = Det (b)
      y = Neg (b)
    })");
    const Result<CapabilityAnswer> answer = ask(model);
    QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
    for (const Refusal& refusal : answer->refusals)
      QVERIFY2(false, refusal.reason.c_str());
    QCOMPARE(answer->claims.size(), size_t{1});
    QCOMPARE(claimedNodes(*answer), size_t{4});
  }

  void refusedForms_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("operatorName");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("reason");
    QTest::newRow("no kernel for the type")
        << QByteArray("main (bfloat16[2] x, float[2] z) => (bfloat16[2] y, float[2] w) { y = Tanh (x)\n w = Relu (z) }")
        << "Tanh" << "session of questions" << "Could not find an implementation for Tanh";
    QTest::newRow("random draws")
        << QByteArray("main (float[2] z) => (float[2] y, float[2] w) { y = RandomNormalLike (z)\n w = Relu (z) }")
        << "RandomNormalLike" << "random draws" << "do not follow the session's seed";
    QTest::newRow("sequences") << QByteArray(
                                      "main (float[2] z) => (float[2] w, int64[] n) { s = SequenceConstruct (z, z)\n n "
                                      "= SequenceLength (s)\n w = Relu (z) }")
                               << "SequenceConstruct" << "tensors only" << "no tensor";
  }
  void refusedForms() {
    QFETCH(QByteArray, text);
    QFETCH(QString, operatorName);
    QFETCH(QString, rule);
    QFETCH(QString, reason);
    const Model model = resolved(text.constData());
    const Result<CapabilityAnswer> answer = ask(model);
    QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
    QVERIFY(claimedNodes(*answer) >= 1);
    const auto refusal = std::ranges::find_if(answer->refusals, [&](const Refusal& each) {
      return model.graph.node(each.node).opType == operatorName.toStdString();
    });
    QVERIFY(refusal != answer->refusals.end());
    QCOMPARE(QString::fromStdString(refusal->rule), rule);
    QVERIFY2(QString::fromStdString(refusal->reason).contains(reason), refusal->reason.c_str());
  }

  void answersAreTheSameAgain() {
    const Model model = resolved("main (bfloat16[2] x) => (bfloat16[2] y) { h = Tanh (x)\n y = Softmax (h) }");
    const Result<CapabilityAnswer> first = ask(model);
    const Result<CapabilityAnswer> again = ask(model);
    QVERIFY(first && again);
    QCOMPARE(first->refusals.size(), size_t{2});
    QCOMPARE(again->refusals.size(), size_t{2});
    QCOMPARE(again->refusals[0].reason, first->refusals[0].reason);
  }

  void smallGroupsMayBeLeft() {
    const Model model = resolved("main (float[2] x) => (float[2] y) { h = Relu (x)\n y = Tanh (h) }");
    const Result<CapabilityAnswer> answer = ask(model, {{"minimum_nodes", "3"}});
    QVERIFY(answer);
    QVERIFY(answer->claims.empty());
    QCOMPARE(answer->refusals[0].cause, RefusalCause::kTooSmall);
  }

  void contextsKeepTheGraph() {
    const auto provider = onnxruntimeProvider().create({});
    QVERIFY2(provider, provider ? "" : provider.error().message.c_str());
    const Progress progress;
    Model model = resolved(
        "main (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1,2,3,4}> { h = MatMul (x, w)\n y = Relu (h) }");
    const std::vector<FusedSubGraph> groups{{"g", model, model.graph}};
    const auto compiled = (*provider)->compile(groups, progress);
    QVERIFY2(compiled, compiled ? "" : compiled.error().message.c_str());
    auto partition = (*provider)->exportContext({groups[0], *compiled->at(0).kernel}, progress);
    QVERIFY2(partition, partition ? "" : partition.error().message.c_str());
    partition->inputs = {{"x", model.graph.value(model.graph.inputs()[0]).type}};
    partition->outputs = {{"y", model.graph.value(model.graph.outputs()[0]).type}};
    const auto restored = (*provider)->restoreContext({*partition, nullptr, "g"}, progress);
    QVERIFY2(restored, restored ? "" : restored.error().message.c_str());
    QVERIFY(restored->kernel != nullptr);
    // Bytes of another form are refused, whatever follows them.
    auto changed = *partition;
    const std::string other = "cutaway-onnxruntime 9";
    changed.sections[0].bytes = std::as_bytes(std::span(other));
    QVERIFY(!(*provider)->restoreContext({changed, nullptr, "g"}, progress));
    changed.sections.clear();
    QVERIFY(!(*provider)->restoreContext({changed, nullptr, "g"}, progress));
    QCOMPARE((*provider)->checkCompatibility(other).verdict, ContextCompatibility::kUnsupported);
    QCOMPARE((*provider)->checkCompatibility((*provider)->compatibilityInfo()).verdict, ContextCompatibility::kOptimal);
  }

  void cancelIsHeard() {
    CancelToken cancel;
    cancel.cancel();
    const Model model = resolved("main (float[7] x) => (float[7] y) { y = Softsign (x) }");
    const Result<CapabilityAnswer> answer = ask(model, {{"threads", "3"}}, cancel);
    QVERIFY(!answer);
    QCOMPARE(answer.error().code, ErrorCode::kModelLoadCanceled);
  }

  void options() {
    const Result<OnnxruntimeOptions> options = readOptions({{"level", "basic"},
                                                            {"execution", "parallel"},
                                                            {"threads", "3"},
                                                            {"arena", "0"},
                                                            {"prepacking", "0"},
                                                            {"session.set_denormal_as_zero", "1"},
                                                            {"providers", "XnnpackExecutionProvider+Mine"},
                                                            {"Mine:library", "/x.so"},
                                                            {"Mine:soc", "69"}});
    QVERIFY2(options, options ? "" : options.error().message.c_str());
    QCOMPARE(options->settings.level, OptimizationLevel::kBasic);
    QVERIFY(options->settings.parallel);
    QVERIFY(!options->settings.arena);
    QCOMPARE(options->settings.intraThreads, 3);
    QCOMPARE(options->settings.keys.size(), size_t{2});
    QCOMPARE(options->settings.providers.size(), size_t{2});
    QCOMPARE(options->settings.providers[1].plugin.library, std::string("/x.so"));
    QCOMPARE(options->settings.providers[1].options[0].second, std::string("69"));
  }

  void badOptions_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("message");
    QTest::newRow("misspelt") << "levle" << "all" << "level, execution";
    QTest::newRow("level") << "level" << "most" << "none, basic, extended, layout or all";
    QTest::newRow("threads") << "threads" << "-1" << "from 0";
    QTest::newRow("arena") << "arena" << "yes" << "from 0 to 1";
    QTest::newRow("empty provider") << "providers" << "+X" << "names with";
    QTest::newRow("option of nobody") << "X:soc" << "1" << "does not name";
  }
  void badOptions() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, message);
    const Result<OnnxruntimeOptions> options = readOptions({{key.toStdString(), value.toStdString()}});
    QVERIFY(!options);
    QCOMPARE(options.error().code, ErrorCode::kInvalidArgument);
    QVERIFY2(QString::fromStdString(options.error().message).contains(message), options.error().message.c_str());
  }

  void messagesNameTheirQuestion() {
    QCOMPARE(questionNamedIn("... Node (cutaway_q17) Op (Foo)"), int64_t{17});
    QCOMPARE(questionNamedIn("output arg (cutaway_q3.o0) of node"), int64_t{3});
    QCOMPARE(questionNamedIn("nothing"), int64_t{-1});
    QCOMPARE(questionNamedIn("cutaway_q"), int64_t{-1});
    QCOMPARE(questionNamedIn("cutaway_q99999999999999999999999"), int64_t{-1});
  }
};

QTEST_GUILESS_MAIN(TestOrtCapability)
#include "tst_ort_capability.moc"
