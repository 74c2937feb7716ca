// The roofline of a run, by hand: roofs of nodes, what the run was spent on, which kernels are far below.

#include <QtTest/QtTest>

#include "engine/study/roofline/roofline.h"
#include "providers/cpu/provider.h"

using namespace cutaway;

namespace {

RooflineBasis basis() {
  return {.flopsPerSecond = 1e9,
          .byteOperationsPerSecond = 4e9,
          .memory = {{1'000, 1e10}, {100'000, 1e9}},
          .launchNs = 10,
          .threads = 1};
}

NodeTiming timing(int64_t tookNs, int64_t flops, int64_t in, int64_t out, std::string type = "float[8]") {
  NodeTiming timing;
  timing.totalNs = tookNs;
  timing.flops = flops;
  timing.inputBytes = in;
  timing.outputBytes = out;
  timing.calls = 1;
  timing.inputShapes = {std::move(type)};
  return timing;
}

RunReport runOf(std::vector<NodeTiming> nodes, double medianMs) {
  RunReport run;
  run.profiled = true;
  run.medianMs = medianMs;
  run.nodes = std::move(nodes);
  return run;
}

NodeRoofline roofOf(NodeTiming node) {
  return study::rateRun(runOf({std::move(node)}, 1), basis()).nodes.front();
}

}  // namespace

class TestRoofline : public QObject {
  Q_OBJECT

 private slots:
  void aRoofIsTheLongerOfWorkAndBytes() {
    const NodeRoofline work = roofOf(timing(9'000, 5'000, 500, 500));
    QCOMPARE(work.boundNs, int64_t{5'000});
    QCOMPARE(work.limit, RooflineLimit::kWork);
    const NodeRoofline bytes = roofOf(timing(9'000, 50, 500, 500));
    QCOMPARE(bytes.boundNs, int64_t{100});
    QCOMPARE(bytes.limit, RooflineLimit::kMemory);
  }

  void bytesHaveTheSpeedOfWhereTheyFit() {
    QCOMPARE(roofOf(timing(1, 1, 50, 50)).boundNs, int64_t{10});             // smaller than anything measured
    QCOMPARE(roofOf(timing(1, 1, 50'000, 49'000)).boundNs, int64_t{9'900});  // still in the cache
    QCOMPARE(roofOf(timing(1, 1, 50'000, 50'000)).boundNs, int64_t{100'000});
  }

  void integersOfOneByteHaveAPeakOfTheirOwn() {
    QCOMPARE(roofOf(timing(1, 8'000, 10, 10, "uint8[8]")).boundNs, int64_t{2'000});
    QCOMPARE(roofOf(timing(1, 8'000, 10, 10, "float16[8]")).boundNs, int64_t{8'000});
    // No peak was measured for these: their bytes are all that is known.
    QCOMPARE(roofOf(timing(1, 8'000, 10, 10, "int64[8]")).limit, RooflineLimit::kMemory);
  }

  void moversReadWhatTheyWrite() { QCOMPARE(roofOf(timing(1, 0, 90'000, 100)).boundNs, int64_t{20}); }

  void unknownWorkAndOtherDevicesHaveNoRoof() {
    QCOMPARE(roofOf(timing(500, -1, 10, 10)).boundNs, int64_t{-1});
    NodeTiming elsewhere = timing(500, 100, 10, 10);
    elsewhere.hostNs = 5;
    QCOMPARE(roofOf(elsewhere).boundNs, int64_t{-1});
    const RooflineReport report = study::rateRun(runOf({timing(500, -1, 10, 10), elsewhere}, 0.002), basis());
    QCOMPARE(report.unratedNs, int64_t{1'000});
    QCOMPARE(report.engineNs, int64_t{1'000});
    QCOMPARE(report.flops, int64_t{0});
  }

  void callsCountInRoofAndOperations() {
    NodeTiming often = timing(9'000, 1'000, 10, 10);
    often.calls = 3;
    const RooflineReport report = study::rateRun(runOf({often}, 0.01), basis());
    QCOMPARE(report.nodes.front().boundNs, int64_t{3'000});
    QCOMPARE(report.flops, int64_t{3'000});
    QCOMPARE(report.peakShare, 0.3);
  }

  void whatARunWasSpentOn() {
    NodeTiming inBody = timing(2'000, 1'000, 10, 10);
    inBody.graph = 1;
    const RooflineReport report =
        study::rateRun(runOf({timing(6'000, 5'000, 10, 10), timing(700, 0, 500, 500), timing(300, -1, 1, 1),
                              timing(400, 8'000, 10, 10, "int8[8]"), inBody},
                             0.01),
                       basis());
    QCOMPARE(report.runNs, int64_t{10'000});
    QCOMPARE(report.roofNs, int64_t{5'000 + 100 + 400});  // no more than it took
    QCOMPARE(report.aboveWorkNs, int64_t{1'000});
    QCOMPARE(report.aboveMemoryNs, int64_t{600});
    QCOMPARE(report.unratedNs, int64_t{300});
    QCOMPARE(report.engineNs, int64_t{10'000 - 7'400});  // a body's nodes are part of the node that has it
    QCOMPARE(report.flops, int64_t{6'000});
    QCOMPARE(report.byteOperations, int64_t{8'000});
    QCOMPARE(report.peakShare, (6'000 + 2'000) / 10'000.0);
  }

  void farIsManyTimesTheRoofAndAShareOfTheRun() {
    const std::vector<NodeTiming> nodes = {timing(4'100, 1'000, 10, 10), timing(4'000, 1'000, 10, 10),
                                           timing(900, 100, 10, 10), timing(4'100, -1, 10, 10)};
    const RooflineReport report = study::rateRun(runOf(nodes, 0.1), basis());
    QCOMPARE(report.nodes[0].isFar, true);
    QCOMPARE(report.nodes[1].isFar, false);  // four times roof and launch, no more
    QCOMPARE(report.nodes[2].isFar, false);  // nine times, but under a hundredth of the run
    QCOMPARE(report.nodes[3].isFar, false);
  }

  void withoutTimesOfThisMachineThereIsNone() {
    const ProviderTable table{cpuProvider()};
    WalkReport walk;
    QVERIFY(!study::rooflineOf(walk, table).problem.empty());
    RunReport read = runOf({}, 1);
    read.source = "trace.json";
    walk.run = std::make_shared<const RunReport>(read);
    QVERIFY(!study::rooflineOf(walk, table).problem.empty());
    walk.run = std::make_shared<const RunReport>(runOf({}, 1));
    auto partition = std::make_shared<PartitionReport>();
    partition->providers = {{.name = "far", .device = "far", .claimedNodes = 1, .simulated = true}};
    walk.partition = partition;
    QVERIFY(QString::fromStdString(study::rooflineOf(walk, table).problem).contains("far"));
    QVERIFY(!study::rateRun(RunReport{}, basis()).problem.empty());
    QVERIFY(!study::rateRun(runOf({}, 1), RooflineBasis{}).problem.empty());
  }

  void thisMachineIsMeasured() {
    const RooflineBasis measured = study::measureRoofline({cpuProvider()}, 1);
    QCOMPARE(measured.threads, 1);
    QVERIFY(measured.flopsPerSecond > 0);
    QVERIFY(measured.byteOperationsPerSecond > 0);
    QVERIFY(measured.launchNs > 0);
    QCOMPARE(measured.memory.size(), size_t{3});
    for (size_t i = 0; i < measured.memory.size(); ++i) {
      QVERIFY(measured.memory[i].bytesPerSecond > 0);
      if (i > 0) QVERIFY(measured.memory[i].bytes > measured.memory[i - 1].bytes);
    }
    QCOMPARE(study::measureRoofline({cpuProvider()}, 1).flopsPerSecond, measured.flopsPerSecond);
  }
};

QTEST_GUILESS_MAIN(TestRoofline)
#include "tst_roofline.moc"
