// Rewrites as small pictures, and when the steps of a run ran: pure geometry and arithmetic.
#include <QTest>

#include "tests/unit/ui/run_fixture.h"
#include "tests/unit/ui/walk_fixture.h"
#include "ui/document/document.h"
#include "ui/panels/optimize/rewrite_picture.h"
#include "ui/panels/run/step_times.h"

using namespace cutaway;
using namespace cutaway::ui;

class TestRewritesAndTimes : public QObject {
  Q_OBJECT

 private slots:
  // Each node below what it reads, lines only between nodes of the picture.
  void touchedNodesStandInRows() {
    const auto walk = test::flatWalk(40);
    std::vector<NodeTarget> nodes;
    for (const int n : {3, 4, 5, 5, 99})
      nodes.push_back({GraphVersion::kLoaded, 0, n});  // once each, and none that is not there
    const SmallGraph graph = smallGraph(*walk->loadedGraphs, nodes);
    QCOMPARE(graph.boxes.size(), size_t{3});
    QCOMPARE(graph.rows, 3);
    QCOMPARE(graph.lines, (std::vector<std::pair<int, int>>{{0, 1}, {1, 2}}));
    QVERIFY(graph.boxes[0].row < graph.boxes[1].row && graph.boxes[1].row < graph.boxes[2].row);
  }

  void manyNodesAreCounted() {
    const auto walk = test::flatWalk(60);
    std::vector<NodeTarget> nodes;
    for (int n = 0; n < 60; ++n)
      nodes.push_back({GraphVersion::kLoaded, 0, n});
    const SmallGraph graph = smallGraph(*walk->loadedGraphs, nodes);
    QCOMPARE(static_cast<int>(graph.boxes.size()) + graph.left, 60);
    QVERIFY(graph.left > 0);
  }

  void cyclesEnd() {
    ModelGraphs graphs = *test::flatWalk(3)->loadedGraphs;
    graphs.graphs[0].nodes[0].inputs = {graphs.graphs[0].nodes[2].outputs.front()};
    const SmallGraph graph = smallGraph(
        graphs, {{GraphVersion::kLoaded, 0, 0}, {GraphVersion::kLoaded, 0, 1}, {GraphVersion::kLoaded, 0, 2}});
    QCOMPARE(graph.boxes.size(), size_t{3});
  }

  // Measured time stands for steps, and steps for measured time.
  void timeAndStepsStandForEachOther() {
    Document document(std::make_shared<EngineHost>(), {});
    document.setWalk(test::profiledWalk());
    const auto view = runView(*document.walk());
    QVERIFY(view);
    const StepTimes times = stepTimes(*view, document.steps());
    QVERIFY(!times.byStart.empty());
    for (const int step : times.byStart) {
      const auto time = times.timeOf(step);
      QVERIFY(time && time->endNs >= time->beginNs);
      const auto steps = times.stepsIn({time->beginNs, time->endNs + 1});
      QVERIFY(steps && steps->contains(step));
      const auto back = times.timeOf(Playhead::Range{step, step});
      QCOMPARE(back->beginNs, time->beginNs);
    }
    QVERIFY(!times.timeOf(-1) && !times.timeOf(9'999));
    QVERIFY(!times.stepsIn({-5, -1}));
    QCOMPARE(times.stepAt(-1e9), times.byStart.front());
    QCOMPARE(times.stepAt(1e18), times.byStart.back());
  }

  void withoutSpansNothingRan() {
    Document document(std::make_shared<EngineHost>(), {});
    document.setWalk(test::sampleWalk());
    RunView empty;
    const StepTimes times = stepTimes(empty, document.steps());
    QVERIFY(times.byStart.empty());
    QCOMPARE(times.stepAt(10), -1);
  }
};

QTEST_GUILESS_MAIN(TestRewritesAndTimes)
#include "tst_rewrites_and_times.moc"
