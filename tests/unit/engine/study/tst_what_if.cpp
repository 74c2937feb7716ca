// What-if: the walk again from partition on, figures and differences of both sides, and the estimate worked out by
// hand.

#include <QtTest/QtTest>

#include "engine/study/what_if/estimate.h"
#include "engine/study/what_if/what_if.h"
#include "providers/cpu/provider.h"
#include "tests/provider/test_provider.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

constexpr const char* kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1,16] x) => (float[1,16] y) { [r] a = Relu (x) [n] b = Neg (a) [t] c = Tanh (b) [s] y = Sigmoid (c) })";

const KernelRegistry* kernelsOfCpu() {
  static const auto cpu = cpuProvider().create({});
  return (*cpu)->kernels();
}

// Takes Relu, Neg and Tanh, each as a group of its own.
Result<std::unique_ptr<ExecutionProvider>> makeTest(const ProviderRequest&) {
  TestProviderPlan plan;
  plan.groupOperators = {"Relu", "Neg", "Tanh"};
  plan.innerKernels = kernelsOfCpu();
  return makeTestProvider(std::move(plan));
}
ProviderTable testTable() {
  return {{.name = "test", .displayName = "Test", .description = "", .create = makeTest}, cpuProvider()};
}

struct Made {
  std::unique_ptr<session::Session> session;
  session::SessionOptions options;
};

Made make(const ProviderTable& table, std::vector<std::string> providers) {
  Made made;
  made.options.providers = std::move(providers);
  made.options.keepOptimized = true;
  made.options.prepareRun = false;
  auto session = textSession(kChain, made.options, {}, &table);
  if (!session) qFatal("%s", describe(session.error()).c_str());
  made.session = *std::move(session);
  return made;
}

Result<study::WhatIfResult> ask(const ProviderTable& table, const Made& made, const std::string& line, int runs = 0) {
  study::WhatIf whatIf(table);
  Progress progress;
  auto change = session::readConfiguration(line);
  if (!change) return fail(change.error());
  return whatIf.evaluate(*made.session->optimizedModel(), made.options, *change, *made.session->report(), progress,
                         runs);
}

NodePlacement placed(std::string provider, int64_t flops, int64_t moved, int64_t weights, int32_t group = kNone) {
  return {.graph = 0,
          .node = 0,
          .provider = std::move(provider),
          .group = group,
          .answers = {},
          .flops = flops,
          .movedBytes = moved,
          .weightBytes = weights};
}

// A walk of one Conv and one Relu; turned: the Conv computes channels last, between two Transposes.
WalkReport convAndRelu(bool turned, const std::string& convProvider) {
  WalkReport walk;
  auto graphs = std::make_shared<ModelGraphs>();
  GraphReport& graph = graphs->graphs.emplace_back();
  auto partition = std::make_shared<PartitionReport>();
  const auto add = [&](const char* opType, const char* output, int32_t origin, const char* rewrite,
                       const std::string& provider) {
    graph.values.push_back({.name = output});
    graph.nodes.push_back({.opType = opType,
                           .outputs = {static_cast<int32_t>(graph.values.size()) - 1},
                           .origins = {origin},
                           .rewrite = rewrite});
    partition->nodes.push_back(
        {.graph = 0, .node = static_cast<int32_t>(graph.nodes.size()) - 1, .provider = provider});
  };
  if (turned) add("Transpose", "x/last", 0, "channels last", convProvider);
  add("Conv", turned ? "c/last" : "c", 0, turned ? "channels last" : "", convProvider);
  if (turned) add("Transpose", "c", 0, "channels last", convProvider);
  add("Relu", "y", 1, "", "cpu");
  partition->providers = {{.name = "npu"}, {.name = "cpu"}};
  walk.optimizedGraphs = graphs;
  walk.partition = partition;
  return walk;
}

}  // namespace

class TestWhatIf : public QObject {
  Q_OBJECT

 private slots:
  void nothingChanges() {
    const ProviderTable table = testTable();
    const Made made = make(table, {"cpu"});
    const auto result = ask(table, made, "");
    QVERIFY2(result, why(result).c_str());
    QVERIFY(result->comparison->moved.empty());
    QVERIFY(result->comparison->copiesOnlyInA.empty() && result->comparison->copiesOnlyInB.empty());
    QCOMPARE(result->comparison->a.groups, result->comparison->b.groups);
    QCOMPARE(result->comparison->a.plannedPeakBytes, result->comparison->b.plannedPeakBytes);
    QCOMPARE(result->walk->load.get(), made.session->report()->load.get());
    QVERIFY(result->walk->pattern != nullptr);
    QVERIFY(result->walk->run == nullptr);
    QVERIFY(!result->comparison->estimateBasis.empty());
  }

  void anotherProviderTakesNodes() {
    const ProviderTable table = testTable();
    const Made made = make(table, {"cpu"});
    const auto result = ask(table, made, "providers=test,cpu");
    QVERIFY2(result, why(result).c_str());
    const PartitionComparison& comparison = *result->comparison;
    QCOMPARE(comparison.b.providers.size(), size_t{2});
    QCOMPARE(comparison.a.providers[0].nodes, int64_t{4});
    QCOMPARE(comparison.b.providers[0].nodes + comparison.b.providers[1].nodes, int64_t{4});
    QCOMPARE(int64_t(comparison.moved.size()), comparison.b.providers[0].nodes);
    QVERIFY(!comparison.moved.empty());
    for (const MovedNode& moved : comparison.moved) {
      QCOMPARE(moved.from, std::string("cpu"));
      QCOMPARE(moved.to, std::string("test"));
      QVERIFY(!moved.reason.empty());
    }
  }

  void aPinTakesANodeBack() {
    const ProviderTable table = testTable();
    const Made made = make(table, {"test", "cpu"});
    const auto result = ask(table, made, "pin=op:Neg=cpu");
    QVERIFY2(result, why(result).c_str());
    QCOMPARE(result->comparison->moved.size(), size_t{1});
    QCOMPARE(result->comparison->moved[0].name, std::string("n"));
    QVERIFY2(result->comparison->moved[0].reason.find("pin") != std::string::npos,
             result->comparison->moved[0].reason.c_str());
    QVERIFY(result->configuration.pins && result->configuration.pins->size() == 1);
  }

  void refusesWhatASessionRefuses_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("message");
    QTest::newRow("provider") << "providers=warp" << "there is no provider 'warp'";
    QTest::newRow("pin") << "pin=op:Neg=warp" << "warp";
    QTest::newRow("key") << "session.disable_model_compile=maybe" << "session.disable_model_compile";
  }
  void refusesWhatASessionRefuses() {
    QFETCH(QString, line);
    QFETCH(QString, message);
    const ProviderTable table = testTable();
    const auto result = ask(table, make(table, {"cpu"}), line.toStdString());
    QVERIFY(!result);
    QVERIFY2(QString::fromStdString(result.error().message).contains(message), result.error().message.c_str());
  }

  void measuresBothSides() {
    const ProviderTable table = cpuTable();
    const auto result = ask(table, make(table, {"cpu"}), "opt-level=0", 3);
    QVERIFY2(result, why(result).c_str());
    QVERIFY(result->comparison->a.measuredNs > 0);
    QVERIFY(result->comparison->b.measuredNs > 0);
    QVERIFY2(!result->comparison->b.warnings.empty() &&
                 result->comparison->b.warnings[0].find("opt-level") != std::string::npos,
             "the level does not show");
  }

  // A node that computes channels last writes another value: it is the same node all the same, and the Transposes
  // around it are none of the model's.
  void turnedNodesStayThemselves() {
    const PartitionComparison to = study::comparePartitions(convAndRelu(false, "cpu"), convAndRelu(true, "npu"));
    QCOMPARE(to.moved.size(), size_t{1});
    QCOMPARE(to.moved[0].opType, std::string("Conv"));
    QCOMPARE(to.moved[0].to, std::string("npu"));
    QVERIFY2(to.b.warnings.empty(), to.b.warnings.empty() ? "" : to.b.warnings[0].c_str());
    const PartitionComparison back = study::comparePartitions(convAndRelu(true, "npu"), convAndRelu(false, "cpu"));
    QCOMPARE(back.moved.size(), size_t{1});
    QCOMPARE(back.moved[0].opType, std::string("Conv"));
    QCOMPARE(back.b.warnings.size(), size_t{1});
    QVERIFY2(back.b.warnings[0].starts_with("2 nodes of 'now' are not in 'what if': a Transpose to or from channels"),
             back.b.warnings[0].c_str());
  }

  void cancels() {
    const ProviderTable table = cpuTable();
    const Made made = make(table, {"cpu"});
    study::WhatIf whatIf(table);
    CancelToken token;
    token.cancel();
    Progress progress(token);
    const auto result =
        whatIf.evaluate(*made.session->optimizedModel(), made.options, {}, *made.session->report(), progress);
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::kModelLoadCanceled);
  }

  void aNodeTakesTheLongerOfWorkAndBytes() {
    const DeviceSpeed speed{.flopsPerSecond = 1e9, .memoryBytesPerSecond = 1e8};
    QCOMPARE(study::nodeTimeNs(placed("x", 1000, 10, 0), speed), 1000.0);
    QCOMPARE(study::nodeTimeNs(placed("x", 1000, 100, 400), speed), 5000.0);
    QCOMPARE(study::nodeTimeNs(placed("x", 0, 100, 4000), speed), 2000.0);  // a lookup reads what it writes
    QCOMPARE(study::nodeTimeNs(placed("x", -1, 100, 0), speed), 1000.0);
    QCOMPARE(study::nodeTimeNs(placed("x", 1000, -1, 0), speed), -1.0);
  }

  void estimateByHand() {
    auto report = std::make_shared<PartitionReport>();
    report->providers = {{.name = "fast", .device = "far", .simulated = true}, {.name = "cpu", .device = "cpu"}};
    report->groups.push_back({.provider = "fast", .compiled = true});
    report->nodes = {placed("fast", 1000, 8, 0, 0), placed("fast", 3000, 8, 0, 0), placed("cpu", 500, 8, 0)};
    report->copies.push_back({.value = "v", .from = "cpu", .to = "far", .sizeBytes = 1000, .kind = "copy"});
    report->copies.push_back({.value = "w", .from = "cpu", .to = "far", .sizeBytes = -1, .kind = "copy"});
    WalkReport walk;
    walk.partition = report;
    study::SpeedTable speeds{
        .cpu = {.flopsPerSecond = 1e9, .memoryBytesPerSecond = 1e10, .linkBytesPerSecond = 5e9, .launchNs = 7},
        .providers = {}};
    speeds.providers["fast"] = DeviceSpeed{.flopsPerSecond = 1e10,
                                           .memoryBytesPerSecond = 1e11,
                                           .linkBytesPerSecond = 1e9,
                                           .launchNs = 50,
                                           .transferNs = 20};
    PartitionFigures figures = study::comparePartitions(walk, walk).a;
    study::estimateTimes(walk, speeds, figures);
    QCOMPARE(figures.providers[0].estimatedNs, 50.0 + 100 + 300);  // one launch for the group
    QCOMPARE(figures.providers[1].estimatedNs, 7.0 + 500);
    QCOMPARE(figures.estimatedCopyNs, 1000.0 + 20);
    QCOMPARE(figures.estimatedNs, 450.0 + 507 + 1020);
    QCOMPARE(figures.copiesOfUnknownSize, int64_t{1});
    QCOMPARE(figures.copiedBytes, int64_t{1000});
    QVERIFY(figures.simulated);
  }

  void noEstimateWithoutSpeedsOrSizes() {
    auto report = std::make_shared<PartitionReport>();
    report->providers = {{.name = "silent", .device = "far", .simulated = true}, {.name = "cpu", .device = "cpu"}};
    report->nodes = {placed("silent", 1000, 8, 0), placed("cpu", 500, 8, 0)};
    WalkReport walk;
    walk.partition = report;
    const study::SpeedTable speeds{
        .cpu = {.flopsPerSecond = 1e9, .memoryBytesPerSecond = 1e10, .linkBytesPerSecond = 5e9}, .providers = {}};
    PartitionFigures silent = study::comparePartitions(walk, walk).a;
    study::estimateTimes(walk, speeds, silent);
    QCOMPARE(silent.estimatedNs, -1.0);
    QCOMPARE(silent.providers[1].estimatedNs, 500.0);
    QCOMPARE(silent.warnings.size(), size_t{1});
    report = std::make_shared<PartitionReport>();
    report->providers = {{.name = "cpu", .device = "cpu"}};
    report->nodes = {placed("cpu", -1, -1, 0), placed("cpu", 500, 8, 0)};
    walk.partition = report;
    PartitionFigures open = study::comparePartitions(walk, walk).a;
    study::estimateTimes(walk, speeds, open);
    QCOMPARE(open.estimatedNs, -1.0);
  }
};

QTEST_GUILESS_MAIN(TestWhatIf)
#include "tst_what_if.moc"
