// Property test: every order, hint set and kind of graph gives plans that the independent checker accepts, and peaks between the lower bound and the sum of all blocks.

#include <QTest>

#include "tests/checker/plan_checker.h"
#include "tests/checker/test_graphs.h"

using namespace cutaway;

class TestRandomPlans : public QObject {
  Q_OBJECT
 private slots:
  void plansHold_data() {
    QTest::addColumn<bool>("symbolic");
    QTest::addColumn<bool>("unusual");
    QTest::addColumn<QString>("order");
    for (const bool symbolic : {false, true}) {
      for (const bool unusual : {false, true}) {
        for (const char* order : {"default", "fifo", "priority"}) QTest::addRow("%s, %s types, %s", order, unusual ? "unusual" : "usual", symbolic ? "symbolic" : "static") << symbolic << unusual << order;
      }
    }
  }
  void plansHold() {
    QFETCH(bool, symbolic);
    QFETCH(bool, unusual);
    QFETCH(QString, order);
    for (uint64_t seed = 1; seed <= 60; ++seed) {
      const Graph graph = randomGraph({seed, static_cast<int>(3 + seed * 3), symbolic, unusual});
      for (const bool inPlaceAdd : {false, true}) {
        const MemoryHints hints = inPlaceAdd ? cutawayHints(graph) : referenceHints(graph);
        const auto plan = schedule(graph, *orderPolicyFromName(order.toStdString()));
        QVERIFY(plan.has_value());
        const auto allocation = allocate(graph, *plan, hints, {});
        QVERIFY(allocation.has_value());
        const auto pattern = planPattern(graph, *plan, *allocation, staticSizes(graph));
        QVERIFY(pattern.has_value());
        const auto violations = checkPlan({graph, *plan, *allocation, hints, &*pattern});
        QVERIFY2(violations.empty(), fmt::format("seed {}:\n{}", seed, describeViolations(violations)).c_str());
        for (ValueId value : graph.valueIds()) QVERIFY(!allocation->values[value.index()].reason.empty());
        for (const GraphPattern& report : describePattern(graph, *plan, *allocation, *pattern, 0)) {
          QVERIFY(report.lowerBoundBytes <= report.peakBytes);
          QVERIFY(report.peakBytes <= report.naiveBytes);
          int64_t parts = 0;
          for (const PeakPart& part : report.peak) parts += part.sizeBytes;
          QCOMPARE(parts, report.lowerBoundBytes);
        }
      }
    }
  }

  void samePlanEveryTime() {
    const Graph graph = randomGraph({.seed = 3, .nodes = 300});
    const auto make = [&] {
      const auto order = schedule(graph, OrderPolicy::kDefault);
      const auto allocation = allocate(graph, *order, cutawayHints(graph), {});
      const auto pattern = planPattern(graph, *order, *allocation, staticSizes(graph));
      std::string text;
      for (size_t i = 0; i < graph.valueSlots(); ++i) text += fmt::format("{} {} {};", static_cast<int>(allocation->values[i].kind), allocation->values[i].reason, pattern->blocks[i].offset);
      return text;
    };
    QCOMPARE(make(), make());
  }
};

QTEST_GUILESS_MAIN(TestRandomPlans)
#include "tst_random_plans.moc"
