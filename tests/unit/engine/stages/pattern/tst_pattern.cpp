#include <limits>

#include <QTest>

#include "engine/stages/pattern/block_life.h"
#include "engine/stages/pattern/pattern.h"
#include "tests/checker/growth.h"
#include "tests/checker/plan_checker.h"
#include "tests/checker/test_graphs.h"

using namespace cutaway;

namespace {

struct Planned {
  schedule::SequentialExecutionPlan order;
  allocate::AllocationPlan allocation;
  pattern::MemoryPatternGroup group;
};

Planned planOf(const Graph& graph, const MemoryHints& hints) {
  Planned planned;
  planned.order = *schedule::schedule(graph, schedule::OrderPolicy::kDefault);
  planned.allocation = *allocate::allocate(graph, planned.order, hints, {});
  planned.group = *pattern::planPattern(graph, planned.order, planned.allocation, pattern::staticSizes(graph));
  return planned;
}

}  // namespace

class TestPattern : public QObject {
  Q_OBJECT
 private slots:
  void workedExample_data() {
    QTest::addColumn<bool>("inPlaceAdd");
    QTest::addColumn<qint64>("peak");
    QTest::newRow("the reference's hints") << false << qint64{768};
    QTest::newRow("Add written in place") << true << qint64{512};
  }
  void workedExample() {
    QFETCH(bool, inPlaceAdd);
    QFETCH(qint64, peak);
    const Graph graph = cutaway::workedExample();
    const MemoryHints hints = inPlaceAdd ? cutawayHints(graph) : referenceHints(graph);
    const Planned planned = planOf(graph, hints);
    const auto violations = checkPlan({graph, planned.order, planned.allocation, hints, &planned.group});
    QVERIFY2(violations.empty(), describeViolations(violations).c_str());
    const auto offsetOf = [&](const char* name) { return planned.group.blocks[graph.findValue(name).index()].offset; };
    QCOMPARE(offsetOf("A"), int64_t{0});
    QCOMPARE(offsetOf("B"), int64_t{256});
    QCOMPARE(offsetOf("C"), int64_t{-1});
    QCOMPARE(offsetOf("D"), int64_t{inPlaceAdd ? -1 : 512});
    QCOMPARE(offsetOf("Y"), int64_t{-1});
    QCOMPARE(planned.group.patterns.size(), size_t{1});
    QCOMPARE(planned.group.patterns[0].peakBytes, int64_t{peak});
    QCOMPARE(planned.group.blocks[graph.findValue("A").index()].sizeBytes, int64_t{64});
  }

  void reportSaysWhatThePeakIsMadeOf() {
    const Graph graph = cutaway::workedExample();
    const Planned planned = planOf(graph, referenceHints(graph));
    const auto reports = pattern::describePattern(graph, planned.order, planned.allocation, planned.group, 2);
    QCOMPARE(reports.size(), size_t{1});
    const GraphPattern& report = reports[0];
    QCOMPARE(report.graph, 2);
    QCOMPARE(report.peakBytes, int64_t{768});
    QCOMPARE(report.lowerBoundBytes, int64_t{768});
    QCOMPARE(report.naiveBytes, int64_t{768});
    QCOMPARE(report.fragmentation, 0.0);
    QCOMPARE(report.liveBytes, (std::vector<int64_t>{256, 512, 512, 768, 256}));
    QCOMPARE(report.peakStep, 3);
    QCOMPARE(report.peak.size(), size_t{3});
    QCOMPARE(report.blocks[0].lastStep, 3);
    QCOMPARE(report.peak[0].producer, 0);
    QCOMPARE(report.peak[0].keptAliveBy, 3);
  }

  void bestGapIsTheSmallestThatFits() {
    // Blocks of 1024, 256, 512, 256 bytes; the first and third die, then 512 bytes must go into the gap of 512, not
    // into that of 1024.
    Graph graph("gaps");
    const int64_t floats[] = {256, 64, 128, 64, 128};
    allocate::AllocationPlan allocation;
    const std::pair<int32_t, int32_t> lives[] = {{0, 3}, {1, 5}, {2, 3}, {3, 5}, {4, 5}};
    schedule::SequentialExecutionPlan order;
    for (int i = 0; i < 5; ++i) {
      graph.addValue(fmt::format("v{}", i), floatTensor({floats[i]}));
      allocate::AllocPlanPerValue value;
      value.kind = AllocKind::kAllocate;
      value.root = ValueId{static_cast<size_t>(i)};
      value.counter = {{lives[i].first}, {lives[i].second}};
      allocation.values.push_back(value);
    }
    const auto group = pattern::planPattern(graph, order, allocation, pattern::staticSizes(graph));
    QVERIFY(group.has_value());
    QCOMPARE(group->blocks[4].offset, int64_t{1280});
    QCOMPARE(group->patterns[0].peakBytes, int64_t{2048});
  }

  void pausingBlocksAreLookedThrough() {
    // v0 lives at 0..1 and 4..5 (two values in one buffer); v1 at 2..3 fits into the same place.
    Graph graph("pause");
    allocate::AllocationPlan allocation;
    const allocate::ProgramCounter counters[] = {{{0}, {1}}, {{4}, {5}}, {{2}, {3}}};
    const size_t roots[] = {0, 0, 2};
    for (size_t i = 0; i < 3; ++i) {
      graph.addValue(fmt::format("v{}", i), floatTensor({64}));
      allocate::AllocPlanPerValue value;
      value.kind = roots[i] == i ? AllocKind::kAllocate : AllocKind::kReuse;
      value.root = ValueId{roots[i]};
      value.counter = counters[i];
      allocation.values.push_back(value);
    }
    const auto group = pattern::planPattern(graph, {}, allocation, pattern::staticSizes(graph));
    QCOMPARE(group->blocks[2].offset, int64_t{0});
    QCOMPARE(group->patterns[0].peakBytes, int64_t{256});
    const auto lives = pattern::blockLives(allocation);
    QCOMPARE(lives[0].counter.starts, (std::vector<int32_t>{0, 4}));
    QVERIFY(!pattern::collide(lives[0].counter, lives[1].counter));
  }

  void hugeSizesAreRefusedNotWrapped() {
    Graph graph("huge");
    allocate::AllocationPlan allocation;
    for (size_t i = 0; i < 3; ++i) {
      graph.addValue(fmt::format("v{}", i), floatTensor({64}));
      allocate::AllocPlanPerValue value;
      value.kind = AllocKind::kAllocate;
      value.root = ValueId{i};
      value.counter = {{0}, {1}};
      allocation.values.push_back(value);
    }
    const int64_t most = std::numeric_limits<int64_t>::max();
    QCOMPARE(pattern::planPattern(graph, {}, allocation, {most, 1, 1}).error().code, ErrorCode::kInvalidArgument);
    QCOMPARE(pattern::planPattern(graph, {}, allocation, {most - 1000, most - 1000, 1}).error().code,
             ErrorCode::kInvalidArgument);
    QCOMPARE(pattern::planPattern(graph, {}, allocation, {1, 1}).error().code, ErrorCode::kInvalidArgument);
  }

  void emptyAndUnknownSizes() {
    Graph graph("empty");
    allocate::AllocationPlan allocation;
    for (size_t i = 0; i < 2; ++i) {
      graph.addValue(fmt::format("v{}", i), floatTensor({0}));
      allocate::AllocPlanPerValue value;
      value.kind = AllocKind::kAllocate;
      value.root = ValueId{i};
      value.counter = {{0}, {0}};
      allocation.values.push_back(value);
    }
    schedule::SequentialExecutionPlan order;
    order.steps.resize(1);
    const auto group = pattern::planPattern(graph, order, allocation, {0, -1});
    QCOMPARE(group->blocks[0].offset, int64_t{0});
    QCOMPARE(group->blocks[1].offset, int64_t{-1});
    QCOMPARE(group->patterns[0].peakBytes, int64_t{0});
    const auto reports = pattern::describePattern(graph, order, allocation, *group, 0);
    QCOMPARE(reports[0].unplanned, std::vector<int32_t>{1});
    QCOMPARE(reports[0].fragmentation, 0.0);
  }

  void manyValuesAreNearLinear() {
    const auto ticksFor = [](int nodes) {
      const Graph graph = randomGraph({.seed = 9, .nodes = nodes});
      const auto order = schedule::schedule(graph, schedule::OrderPolicy::kDefault);
      const auto allocation = allocate::allocate(graph, *order, cutawayHints(graph), {.traceReasons = false});
      const auto sizes = pattern::staticSizes(graph);
      return ticksOf([&] {
        if (!pattern::planPattern(graph, *order, *allocation, sizes)) qFatal("%d nodes have no pattern", nodes);
      });
    };
    const Growth growth = growthOf(ticksFor, 5000, 50000, 40);
    QVERIFY2(growth.ratio < 40, growth.words().c_str());
  }
};

QTEST_GUILESS_MAIN(TestPattern)
#include "tst_pattern.moc"
