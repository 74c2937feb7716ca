// The playhead, and which step every node of every version takes part in.
#include <QSignalSpy>
#include <QTest>

#include "tests/unit/ui/walk_fixture.h"
#include "ui/document/document.h"

using namespace cutaway;
using namespace cutaway::ui;

class TestPlayhead : public QObject {
  Q_OBJECT

 private slots:
  void stepsStayWithinTheOrder() {
    Playhead head;
    head.setCount(7);
    head.setStep(12);
    QCOMPARE(head.step(), 6);
    head.stepBy(-2);
    QCOMPARE(head.step(), 4);
    head.setStep(-5);
    QCOMPARE(head.step(), -1);
    head.stepBy(-1);
    QCOMPARE(head.step(), 6);
    head.setRange(Playhead::Range{9, 2});
    QCOMPARE(*head.range(), (Playhead::Range{2, 6}));
  }

  void anotherOrderStartsAnew() {
    Playhead head;
    head.setCount(7);
    head.setStep(3);
    head.setRange(Playhead::Range{1, 2});
    head.toggleMark(4);
    QSignalSpy changed(&head, &Playhead::changed);
    head.setCount(7);
    QCOMPARE(changed.count(), 0);
    head.setCount(8);
    QVERIFY(!head.active() && !head.range() && head.marks().empty());
  }

  void escapeTakesOneThingOffAtATime() {
    Playhead head;
    head.setCount(7);
    head.setStep(3);
    head.setRange(Playhead::Range{1, 5});
    head.setPlaying(true);
    QVERIFY(head.escape() && !head.playing() && head.range());
    QVERIFY(head.escape() && !head.range() && head.active());
    QVERIFY(head.escape() && !head.active());
    QVERIFY(!head.escape());
  }

  void marksToggle() {
    Playhead head;
    head.toggleMark(5);
    head.toggleMark(2);
    QCOMPARE(head.marks(), (std::vector<int>{2, 5}));
    head.toggleMark(5);
    QCOMPARE(head.marks(), std::vector<int>{2});
  }

  void playsToTheEndOfTheRange() {
    Playhead head;
    head.setCount(100);
    head.setSpeed(64);
    head.setRange(Playhead::Range{10, 20});
    head.setPlaying(true);
    QCOMPARE(head.step(), 10);
    QTRY_VERIFY(!head.playing());
    QCOMPARE(head.step(), 20);
  }

  void longOrdersArePlayedInHalfAMinute() {
    Playhead head;
    head.setCount(50'000);
    QVERIFY(head.stepsPerSecond() * 30 >= 49'999);
  }

  void everyVersionKnowsItsSteps() {
    Document document(std::make_shared<EngineHost>(), {});
    document.setWalk(test::sampleWalk());
    const StepIndex& steps = document.steps();
    QCOMPARE(steps.count(), 7);
    QCOMPARE(document.playhead().count(), 7);
    QCOMPARE(steps.stepOf({GraphVersion::kPartitioned, 0, steps.nodeAt(3)}), 3);
    QCOMPARE(steps.stepOf({GraphVersion::kLoaded, 0, 1}), 0);  // BatchNormalization runs inside the fused node
    QCOMPARE(steps.stepOf({GraphVersion::kLoaded, 9, 1}), -1);
    QCOMPARE(&document.steps(), &steps);
    const ModelGraphs& graphs = *document.walk()->partitionedGraphs;
    for (size_t g = 0; g < graphs.graphs.size(); ++g)
      if (graphs.graphs[g].parentNode >= 0 && graphs.graphs[g].parentGraph == 0 && !graphs.graphs[g].nodes.empty())
        QCOMPARE(steps.stepOf({GraphVersion::kPartitioned, static_cast<int>(g), 0}),
                 steps.stepOf({GraphVersion::kPartitioned, 0,
                               graphs.graphs[g].parentNode}));  // bodies run in their holder's step
  }

  void totalsAndPeakOfSteps() {
    Document document(std::make_shared<EngineHost>(), {});
    document.setWalk(test::sampleWalk());
    const StepIndex& steps = document.steps();
    const StepTotals totals = steps.totals({1, 2});
    QCOMPARE(totals.nodes, 2);
    QCOMPARE(totals.timeNs, 150'000);
    const std::vector<int64_t>& live = document.walk()->pattern->graphs[0].liveBytes;
    QCOMPARE(steps.liveAt(4), live[4]);
    const auto [peak, at] = steps.peakUntil(6);
    QCOMPARE(peak, *std::max_element(live.begin(), live.end()));
    QCOMPARE(live[static_cast<size_t>(at)], peak);
    QCOMPARE(steps.peakUntil(0).second, 0);
  }
};

QTEST_GUILESS_MAIN(TestPlayhead)
#include "tst_playhead.moc"
