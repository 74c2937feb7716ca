// Words, figures and JSON of the reports.
#include <nlohmann/json.hpp>

#include <QtTest/QtTest>

#include "engine/base/format.h"
#include "engine/report/json_run.h"

using namespace cutaway;

class TestReport : public QObject {
  Q_OBJECT
 private slots:
  void bytes_data() {
    QTest::addColumn<qint64>("size");
    QTest::addColumn<QString>("text");
    QTest::newRow("unknown") << qint64{-1} << "unknown";
    QTest::newRow("none") << qint64{0} << "0 B";
    QTest::newRow("few") << qint64{640} << "640 B";
    QTest::newRow("kilo") << qint64{12'000} << "12 KB";
    QTest::newRow("mega") << qint64{3'100'000} << "3.1 MB";
    QTest::newRow("digits") << qint64{1'234'567} << "1.23 MB";
    QTest::newRow("almost the next unit") << qint64{999'900} << "1 MB";
    QTest::newRow("giga") << qint64{2'500'000'000} << "2.5 GB";
  }
  void bytes() {
    QFETCH(qint64, size);
    QTEST(QString::fromStdString(formatBytes(size)), "text");
  }

  void times_data() {
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<QString>("text");
    QTest::newRow("ns") << qint64{12} << "12 ns";
    QTest::newRow("us") << qint64{830'000} << "830 µs";
    QTest::newRow("ms") << qint64{1'250'000} << "1.25 ms";
    QTest::newRow("s") << qint64{12'000'000'000} << "12 s";
  }
  void times() {
    QFETCH(qint64, ns);
    QTEST(QString::fromStdString(formatTime(ns)), "text");
  }

  void counts() {
    QCOMPARE(formatCount(0), std::string("0"));
    QCOMPARE(formatCount(999), std::string("999"));
    QCOMPARE(formatCount(12'345), std::string("12,345"));
    QCOMPARE(formatCount(-1'234'567), std::string("-1,234,567"));
  }

  void everyEnumerationHasItsWords() {
    QCOMPARE(allocKindName(AllocKind::kNotSet), "NotSet");
    QCOMPARE(allocKindName(AllocKind::kAllocatedExternally), "AllocatedExternally");
    QCOMPARE(refusalCauseName(RefusalCause::kOther), "other");
    QCOMPARE(verdictName(Verdict::kCompileFailed), "compile failed");
    QCOMPARE(valueRoleName(ValueRole::kUnused), "unused");
    QCOMPARE(stageId(Stage::kContext), "context");
    QCOMPARE(stageTitle(Stage::kResolve), "Inputs & outputs");
  }

  void headlinesOfUnfinishedStagesAreEmpty() {
    const WalkReport walk;
    for (int i = 0; i < kStageCount; ++i)
      QVERIFY(stageHeadline(walk, static_cast<Stage>(i)).empty());
  }

  // A peak of the values that are known is none of the model.
  void peakWithOpenSizesIsALeast() {
    PatternReport report;
    report.peakBytes = 768;
    report.lowerBoundBytes = 768;
    report.graphs.resize(1);
    WalkReport walk;
    walk.pattern = std::make_shared<const PatternReport>(report);
    QCOMPARE(stageHeadline(walk, Stage::kPattern), std::string("768 B, at bound"));
    report.graphs[0].unplanned = {3};
    walk.pattern = std::make_shared<const PatternReport>(report);
    QCOMPARE(stageHeadline(walk, Stage::kPattern), std::string(">= 768 B, dynamic shapes"));
  }

  void jsonHasWhatIsThereAndNothingElse() {
    WalkReport walk;
    auto pattern = std::make_shared<PatternReport>();
    pattern->peakBytes = 768;
    pattern->lowerBoundBytes = 512;
    walk.pattern = pattern;
    walk.error = Error{ErrorCode::kInvalidGraph, "broken", {"m.onnx", "n", "v"}};
    const nlohmann::json json = walkToJson(walk, {});
    QCOMPARE(json["schema_version"].get<int>(), kReportSchemaVersion);
    QCOMPARE(json["pattern"]["peak_bytes"].get<int64_t>(), int64_t{768});
    QVERIFY(!json.contains("load"));
    QCOMPARE(json["error"]["code"].get<std::string>(), std::string("INVALID_GRAPH"));
    QCOMPARE(json["stages"].size(), size_t{kStageCount});
    QVERIFY(!walkToJson(walk, {.lastStage = Stage::kLoad}).contains("pattern"));
  }

  void namesThatAreNotUtf8StillGiveValidJson() {
    WalkReport walk;
    auto load = std::make_shared<LoadReport>();
    load->path = "bad\xff\xfename";
    walk.load = load;
    const std::string text = dumpJson(walkToJson(walk, {}), 0);
    QVERIFY(nlohmann::json::accept(text));
  }

  void partitionJsonHasEveryMember() {
    PartitionReport report;
    report.providers.push_back({.name = "declared(X)",
                                .device = "X",
                                .claimedNodes = 1,
                                .simulated = true,
                                .groups = 2,
                                .flops = 30,
                                .weightBytes = 40});
    NodePlacement node{.graph = 0,
                       .node = 3,
                       .provider = "cpu",
                       .group = 1,
                       .answers = {},
                       .flops = 10,
                       .movedBytes = 20,
                       .weightBytes = 5};
    node.answers.push_back({.provider = "declared(X)",
                            .cause = RefusalCause::kAttribute,
                            .reason = "no cubic",
                            .rule = "operators.Resize.mode",
                            .seen = "mode = cubic",
                            .remedy = "mode linear"});
    node.answers.push_back({.provider = "cpu", .verdict = Verdict::kClaimed});
    report.nodes.push_back(node);
    report.groups.push_back({.provider = "cpu",
                             .name = "g",
                             .compiled = true,
                             .nodes = {3},
                             .inputBytes = 1,
                             .outputBytes = 2,
                             .inputs = {"a"},
                             .outputs = {"b"},
                             .flops = 7,
                             .weightBytes = 8,
                             .simulated = true});
    report.copies.push_back({.value = "a",
                             .from = "cpu",
                             .to = "X",
                             .sizeBytes = 9,
                             .kind = "copy",
                             .cause = "because",
                             .causeNode = 3,
                             .remedy = "pin it"});
    report.refusals.push_back({.provider = "declared(X)",
                               .cause = RefusalCause::kAttribute,
                               .rule = "r",
                               .reason = "why",
                               .remedy = "so",
                               .nodes = {0},
                               .flops = 10});
    const nlohmann::json json = toJson(report);
    QCOMPARE(json["providers"][0]["simulated"].get<bool>(), true);
    QCOMPARE(json["providers"][0]["flops"].get<int64_t>(), int64_t{30});
    const nlohmann::json& placed = json["nodes"][0];
    QCOMPARE(placed["flops"].get<int64_t>(), int64_t{10});
    QCOMPARE(placed["moved_bytes"].get<int64_t>(), int64_t{20});
    QCOMPARE(placed["weight_bytes"].get<int64_t>(), int64_t{5});
    QCOMPARE(placed["answers"][0]["rule"].get<std::string>(), std::string("operators.Resize.mode"));
    QCOMPARE(placed["answers"][0]["seen"].get<std::string>(), std::string("mode = cubic"));
    QCOMPARE(placed["answers"][0]["remedy"].get<std::string>(), std::string("mode linear"));
    QVERIFY(!placed["answers"][1].contains("reason"));
    QCOMPARE(json["groups"][0]["inputs"][0].get<std::string>(), std::string("a"));
    QCOMPARE(json["groups"][0]["outputs"][0].get<std::string>(), std::string("b"));
    QCOMPARE(json["groups"][0]["simulated"].get<bool>(), true);
    QCOMPARE(json["groups"][0]["weight_bytes"].get<int64_t>(), int64_t{8});
    QCOMPARE(json["copies"][0]["remedy"].get<std::string>(), std::string("pin it"));
    QCOMPARE(json["refusals"][0]["cause"].get<std::string>(), std::string("attribute"));
    QCOMPARE(json["refusals"][0]["nodes"][0].get<int>(), 0);
  }

  void comparisonJson() {
    PartitionComparison comparison;
    comparison.a.title = "now";
    comparison.b.estimatedNs = 1.5;
    comparison.b.providers.push_back({.provider = "cpu", .nodes = 4, .estimatedNs = 2});
    comparison.moved.push_back({.name = "conv1", .from = "X", .to = "cpu", .reason = "pinned"});
    comparison.copiesOnlyInB.push_back({.value = "v", .sizeBytes = 3});
    comparison.estimateBasis = {"cpu: measured"};
    const nlohmann::json json = toJson(comparison);
    QCOMPARE(json["a"]["title"].get<std::string>(), std::string("now"));
    QCOMPARE(json["a"]["planned_peak_bytes"].get<int>(), -1);
    QCOMPARE(json["b"]["providers"][0]["nodes"].get<int>(), 4);
    QCOMPARE(json["moved"][0]["reason"].get<std::string>(), std::string("pinned"));
    QCOMPARE(json["copies_only_in_b"][0]["size_bytes"].get<int>(), 3);
    QCOMPARE(json["estimate_basis"][0].get<std::string>(), std::string("cpu: measured"));
  }

  void runJsonHasEveryMember() {
    RunReport report;
    report.medianLowMs = 1.25;
    report.executor = "dataflow";
    report.tag = "nightly";
    report.droppedSpans = 4;
    report.breakdown.packedBytes = 17;
    report.arena.extensions = 3;
    report.patternCache = {.hits = 5, .misses = 2, .evictions = 1, .entries = 1};
    NodeTiming node;
    node.deviationNs = 2.5;
    node.flops = 640;
    node.provider = "cpu";
    node.scratchBytes = 1000;
    node.allocatedBytes = 256;
    node.inputBytes = 12;
    node.subSteps = {{"pack", 9, 2}};
    report.nodes.push_back(node);
    report.spans.push_back({.name = "pack",
                            .category = "Kernel",
                            .graph = 1,
                            .node = 2,
                            .thread = 3,
                            .depth = 4,
                            .startNs = 5,
                            .durationNs = 6});
    report.memory.push_back({.timeNs = 1, .step = 2, .plannedBytes = 3, .measuredBytes = 4, .heldBytes = 5});
    const nlohmann::json json = toJson(report);
    QCOMPARE(json["median_low_ms"].get<double>(), 1.25);
    QCOMPARE(json["executor"].get<std::string>(), std::string("dataflow"));
    QCOMPARE(json["tag"].get<std::string>(), std::string("nightly"));
    QCOMPARE(json["dropped_spans"].get<int>(), 4);
    QCOMPARE(json["breakdown"]["packed_bytes"].get<int>(), 17);
    QCOMPARE(json["arena"]["extensions"].get<int>(), 3);
    QCOMPARE(json["pattern_cache"]["hits"].get<int>(), 5);
    QCOMPARE(json["pattern_cache"]["misses"].get<int>(), 2);
    QCOMPARE(json["pattern_cache"]["evictions"].get<int>(), 1);
    QCOMPARE(json["pattern_cache"]["entries"].get<int>(), 1);
    QCOMPARE(patternCacheText(report.patternCache), std::string("5 hits, 2 misses, 1 eviction, 1 held"));
    QVERIFY(patternCacheText({}).empty());
    QCOMPARE(json["nodes"][0]["flops"].get<int>(), 640);
    QCOMPARE(json["nodes"][0]["deviation_ns"].get<double>(), 2.5);
    QCOMPARE(json["nodes"][0]["scratch_bytes"].get<int>(), 1000);
    QCOMPARE(json["nodes"][0]["allocated_bytes"].get<int>(), 256);
    QCOMPARE(json["nodes"][0]["sub_steps"][0]["name"].get<std::string>(), std::string("pack"));
    QCOMPARE(json["spans"][0]["duration_ns"].get<int>(), 6);
    QCOMPARE(json["memory"][0]["held_bytes"].get<int>(), 5);
  }

  void runComparisonJson() {
    RunComparison comparison;
    comparison.titleB = "after";
    comparison.pValue = 0.01;
    comparison.significant = true;
    comparison.nodes.push_back({.name = "conv",
                                .opType = "Conv",
                                .nodeA = 3,
                                .aNs = 10,
                                .bNs = 12,
                                .lowNs = 1,
                                .highNs = 3,
                                .significant = true});
    const nlohmann::json json = toJson(comparison);
    QCOMPARE(json["title_b"].get<std::string>(), std::string("after"));
    QCOMPARE(json["p_value"].get<double>(), 0.01);
    QCOMPARE(json["nodes"][0]["b_ns"].get<int>(), 12);
    QCOMPARE(json["nodes"][0]["node_b"].get<int>(), -1);
    QCOMPARE(json["nodes"][0]["significant"].get<bool>(), true);
  }

  void accuracyJsonHoldsNumbersThatAreNotFinite() {
    AccuracyReport report;
    report.values.push_back(
        {.value = "y", .maxAbsolute = std::numeric_limits<double>::infinity(), .maxRelative = std::nan("")});
    report.firstDivergence = 0;
    const nlohmann::json json = toJson(report);
    QCOMPARE(json["values"][0]["max_absolute"].get<std::string>(), std::string("inf"));
    QCOMPARE(json["values"][0]["max_relative"].get<std::string>(), std::string("nan"));
    QCOMPARE(json["values"][0]["cosine"].get<double>(), 1.0);
    QCOMPARE(json["first_divergence"].get<int>(), 0);
    QVERIFY(nlohmann::json::accept(dumpJson(json, 2)));
  }
};

QTEST_GUILESS_MAIN(TestReport)
#include "tst_report.moc"
