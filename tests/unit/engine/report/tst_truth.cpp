// What figures are: exact, partial, simulated, measured; and which dimensions a run took.
#include <QtTest/QtTest>

#include "engine/report/truth.h"

using namespace cutaway;

namespace {

WalkReport walkWithInput(const std::string& type, const std::string& fed) {
  WalkReport walk;
  auto graphs = std::make_shared<ModelGraphs>();
  GraphReport& graph = graphs->graphs.emplace_back();
  graph.values.push_back({.name = "ids", .type = type});
  graph.inputs = {0};
  walk.loadedGraphs = graphs;
  auto run = std::make_shared<RunReport>();
  run->runs = 10;
  run->medianMs = 66.7;
  run->medianLowMs = 60;
  run->medianHighMs = 70;
  run->inputs.push_back({.name = "ids", .type = fed});
  walk.run = run;
  return walk;
}

PatternReport pattern(size_t planned, size_t open, int64_t peak) {
  PatternReport report;
  report.peakBytes = report.lowerBoundBytes = peak;
  GraphPattern& graph = report.graphs.emplace_back();
  graph.blocks.resize(planned);
  graph.unplanned.resize(open);
  return report;
}

}  // namespace

class TestTruth : public QObject {
  Q_OBJECT

 private slots:
  void runTellsWhatItTook_data() {
    QTest::addColumn<QString>("declared");
    QTest::addColumn<QString>("fed");
    QTest::addColumn<QString>("dims");
    QTest::newRow("names") << "int64[batch,seq]" << "int64[1,16]" << "batch = 1, seq = 16";
    QTest::newRow("one of them") << "float[batch,3,224]" << "float[2,3,224]" << "batch = 2";
    QTest::newRow("quoted") << "float[\"p2o.Dim,0\",3]" << "float[1,3]" << "p2o.Dim,0 = 1";
    QTest::newRow("without a name") << "float[?,3]" << "float[4,3]" << "ids[0] = 4";
    QTest::newRow("twice the same") << "float[n,n]" << "float[5,5]" << "n = 5";
    QTest::newRow("all known") << "float[1,3]" << "float[1,3]" << "";
    QTest::newRow("scalar") << "float[]" << "float[]" << "";
    QTest::newRow("rank not known") << "float" << "float[1]" << "";
  }
  void runTellsWhatItTook() {
    QFETCH(QString, declared);
    QFETCH(QString, fed);
    QFETCH(QString, dims);
    const WalkReport walk = walkWithInput(declared.toStdString(), fed.toStdString());
    QCOMPARE(QString::fromStdString(dimsSentence(runDims(walk, *walk.run))), dims);
    const QString words = QString::fromStdString(truthText(stageTruth(walk, Stage::kRun)));
    QVERIFY2(words.startsWith("measured: 10 runs, median between 60 ms and 70 ms"), qPrintable(words));
    QCOMPARE(words.endsWith(", at " + dims), !dims.isEmpty());
  }

  void simulatedIsNotMeasured() {
    WalkReport walk = walkWithInput("float[1]", "float[1]");
    auto partition = std::make_shared<PartitionReport>();
    partition->providers.push_back({.name = "declared(QNN-HTP)", .claimedNodes = 3, .simulated = true});
    walk.partition = partition;
    for (const Stage stage : {Stage::kPartition, Stage::kRun}) {
      const Truth truth = stageTruth(walk, stage);
      QVERIFY(truth.kind == TruthKind::kSimulated);
      QVERIFY(truthText(truth).find("declared(QNN-HTP) is not here") != std::string::npos);
    }
  }

  // The path of an order goes by estimates, unless nodes were timed.
  void criticalPathIsEstimated() {
    for (const auto& [unit, words] :
         {std::pair{"work", "estimated: the critical path, by operations and bytes"},
          std::pair{"nodes", "estimated: the critical path, every node counted alike"}, std::pair{"ns", "exact"}}) {
      auto schedule = std::make_shared<ScheduleReport>();
      schedule->graphs.resize(1);
      schedule->graphs[0].costUnit = unit;
      schedule->graphs[0].steps.resize(2);
      WalkReport walk;
      walk.schedule = schedule;
      const std::string text = truthText(stageTruth(walk, Stage::kSchedule));
      QVERIFY2(text.starts_with(words), text.c_str());
    }
  }

  void openSizesArePartial() {
    WalkReport walk;
    walk.pattern = std::make_shared<const PatternReport>(pattern(12, 186, 768));
    QCOMPARE(truthText(stageTruth(walk, Stage::kPattern)),
             std::string("partial: 12 of 198 buffers have a size before running"));
    QCOMPARE(stageHeadline(walk, Stage::kPattern), std::string(">= 768 B, dynamic shapes"));
    walk.pattern = std::make_shared<const PatternReport>(pattern(12, 0, 768));
    QVERIFY(stageTruth(walk, Stage::kPattern).kind == TruthKind::kExact);
    auto allocate = std::make_shared<AllocateReport>();
    GraphAllocation& graph = allocate->graphs.emplace_back();
    graph.values.push_back({.value = 0, .kind = AllocKind::kAllocate, .sizeBytes = 8});
    graph.values.push_back({.value = 1, .kind = AllocKind::kAllocate, .sizeBytes = -1});
    graph.values.push_back({.value = 2, .kind = AllocKind::kAllocateStatically, .sizeBytes = 8});
    walk.allocate = allocate;
    QCOMPARE(truthText(stageTruth(walk, Stage::kAllocate)),
             std::string("partial: 1 of 2 values have a size before running"));
  }

  void whatIsNotThereIsExact() {
    const WalkReport walk;
    for (int stage = 0; stage < kStageCount; ++stage)
      QCOMPARE(truthText(stageTruth(walk, static_cast<Stage>(stage))), std::string("exact"));
  }

  void countsOfStagesAgree() {
    WalkReport walk;
    auto optimize = std::make_shared<OptimizeReport>();
    optimize->nodesBefore = optimize->nodesAfter = 3;
    walk.optimize = optimize;
    auto partition = std::make_shared<PartitionReport>();
    partition->nodes.resize(3, {.provider = "cpu"});
    partition->groups.resize(1);
    walk.partition = partition;
    QCOMPARE(stageHeadline(walk, Stage::kPartition), std::string("1 provider, 1 group"));
    partition->nodes.resize(9, {.provider = "cpu"});  // functions were inlined
    QCOMPARE(stageHeadline(walk, Stage::kPartition), std::string("1 provider, 1 group, 9 nodes"));
  }
};

QTEST_APPLESS_MAIN(TestTruth)
#include "tst_truth.moc"
