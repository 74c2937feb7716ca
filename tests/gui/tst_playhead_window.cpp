// Execution played on the graph, a range for everything, the story of a selection, and two linked panes: in the window,
// as a person does it.
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QSplitter>
#include <QTableView>
#include <QTest>

#include "tests/gui/window_driver.h"
#include "ui/canvas/overlay.h"
#include "ui/panels/life_chart.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/play_bar.h"
#include "ui/panels/range_chip.h"
#include "ui/panels/story/station_card.h"
#include "ui/shell/pair/pair_view.h"
#include "ui/shell/tool_docks.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

session::SessionOptions bound() {
  session::SessionOptions options;
  options.threads = 1;
  options.dims = {{"batch", 16}};  // sizes are known, so that there is memory to see
  return options;
}

// The chart of a panel that is in front.
LifeChart* shownChart(test::WindowDriver& driver) {
  for (LifeChart* chart : driver.window.findChildren<LifeChart*>())
    if (chart->isVisible() && chart->data().played) return chart;
  return nullptr;
}

int countOf(const GraphView& view, Played state) {
  return static_cast<int>(std::count(view.look().played.begin(), view.look().played.end(), state));
}

bool clickStation(test::WindowDriver& driver, Stage stage) {
  for (StationCard* card : driver.window.findChildren<StationCard*>())
    if (card->isVisible() && card->station().stage == stage) {
      card->findChild<QPushButton*>()->click();
      return true;
    }
  return false;
}

}  // namespace

class TestPlayheadWindow : public QObject {
  Q_OBJECT

 private slots:
  // Keys on the memory chart: the step moves, the graph shows done, current and to come, Escape ends it.
  void executionIsPlayedOnTheGraph() {
    test::WindowDriver driver(test::engineHost(), bound());
    QVERIFY(driver.open(test::sample("digits_cnn"), Stage::kPattern));
    LifeChart* chart = shownChart(driver);
    QVERIFY(chart);
    chart->setFocus();
    for (int i = 0; i < 4; ++i)
      QTest::keyClick(chart, Qt::Key_Right);
    Playhead& head = driver.document().playhead();
    QCOMPARE(head.step(), 3);
    QCOMPARE(countOf(driver.view(), Played::kCurrent), 1);
    QVERIFY(countOf(driver.view(), Played::kDone) > 0 && countOf(driver.view(), Played::kToCome) > 0);
    PlayBar* bar = nullptr;
    for (PlayBar* each : driver.window.findChildren<PlayBar*>())
      if (each->isVisible()) bar = each;
    QVERIFY(bar);
    QCOMPARE(bar->slider()->value(), 3);
    QVERIFY(playWords(driver.document(), 3).contains(QLatin1String("peak so far")));
    driver.keepPicture("play-step");
    QTest::keyClick(chart, Qt::Key_Space);
    QVERIFY(head.playing());
    QTRY_VERIFY(!head.playing());
    QCOMPARE(head.step(), head.count() - 1);
    QTest::keyClick(chart, Qt::Key_Escape);
    QVERIFY(!head.active());
    QVERIFY(driver.view().look().played.empty());
  }

  // Dragging in the chart chooses a range: the chip sums it up, tables filter, the graph fades the rest; Escape clears.
  void aRangeIsForEverything() {
    test::WindowDriver driver(test::engineHost(), bound());
    QVERIFY(driver.open(test::sample("digits_cnn"), Stage::kPattern));
    LifeChart* chart = shownChart(driver);
    QVERIFY(chart);
    const QPoint from(static_cast<int>(chart->geometry().x(1.4)),
                      static_cast<int>(chart->geometry().plot.center().y())),
        to(static_cast<int>(chart->geometry().x(3.6)), from.y());
    QTest::mousePress(chart, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, QPointF(to), chart->mapToGlobal(QPointF(to)), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(chart, &move);
    QTest::mouseRelease(chart, Qt::LeftButton, {}, to);
    QVERIFY(driver.document().playhead().range());
    QCOMPARE(*driver.document().playhead().range(), (Playhead::Range{1, 3}));
    auto* chip = driver.window.findChild<RangeChip*>();
    QVERIFY(chip->isVisible());
    QVERIFY2(chip->words().contains(QLatin1String("3 nodes")), qPrintable(chip->words()));
    QVERIFY(countOf(driver.view(), Played::kOutside) > 0);
    driver.keepPicture("range");
    driver.go(Stage::kSchedule);
    auto* steps = driver.bring<LinkedTable>(QStringLiteral("schedule/table2"));
    QVERIFY(steps);
    QCOMPARE(steps->proxy()->rowCount(), 3);
    driver.view().setFocus();
    QTest::keyClick(&driver.view(), Qt::Key_Escape);
    QVERIFY(!driver.document().playhead().range());
    QVERIFY(steps->proxy()->rowCount() > 3);
    QVERIFY(!chip->isVisible());
  }

  // F7: the story beside the inspector; its stations lead to the stages with the selection kept.
  void theStoryLeadsThroughTheStages() {
    test::WindowDriver driver;
    QVERIFY(driver.open(test::sample("digits_cnn"), Stage::kSchedule));
    driver.clickNode(1);
    const std::vector<int> origins = driver.document().selection().origins();
    driver.keys(Qt::Key_F7);
    QTRY_VERIFY(driver.window.tools()->shown(QStringLiteral("story")));
    QTRY_VERIFY(!driver.window.findChildren<StationCard*>().isEmpty());
    driver.keepPicture("story");
    QVERIFY(clickStation(driver, Stage::kAllocate));
    QCOMPARE(driver.document().stage(), Stage::kAllocate);
    QCOMPARE(driver.document().selection().origins(), origins);
    QCoreApplication::processEvents();
    QVERIFY(clickStation(driver, Stage::kLoad));
    QCOMPARE(driver.document().stage(), Stage::kLoad);
    QCOMPARE(driver.document().selection().origins(), origins);
  }

  // Another model beside this one: found alike where it is, selection and scale go along, N walks through what differs.
  void twoModelsSideBySide() {
    test::WindowDriver driver;
    QVERIFY(driver.open(test::sample("digits_cnn"), Stage::kOptimize));
    PairView* pair = openPair(driver.page, test::sample("digits_cnn"), &driver.themes, &driver.viewState);
    QVERIFY(pair);
    QTRY_VERIFY_WITH_TIMEOUT(pair->other()->walk()->pattern && pair->canvas()->loaded().scene &&
                                 driver.document().difference().state() != ModelDiffController::State::kComparing,
                             test::kPatienceMs);
    QVERIFY(driver.idle());
    // What differs, made by hand: one changed, all others the same.
    auto diff = std::make_shared<ModelDiff>();
    const int count = static_cast<int>(driver.document().walk()->loadedGraphs->graphs[0].nodes.size());
    for (int n = 0; n < count; ++n)
      diff->nodes.push_back({DiffKind::kSame, 0, n, 0, n, "name", {}});
    diff->nodes[1].kind = DiffKind::kChanged;
    diff->nodes[1].changes = {"attribute pads [0,0] -> [1,1]"};
    diff->changed = 1;
    diff->same = count - 1;
    pair->present(diff);
    QVERIFY2(pair->summary()->text().contains(QLatin1String("1 changed")), qPrintable(pair->summary()->text()));
    driver.document().selection().selectNode({GraphVersion::kLoaded, 0, 2});
    QCOMPARE(pair->other()->selection().origins(), driver.document().selection().origins());
    driver.view().zoomTo(0.6);
    QCOMPARE(pair->canvas()->view()->transform().scale, driver.view().transform().scale);
    driver.document().setStage(Stage::kLoad);
    QCOMPARE(pair->other()->stage(), Stage::kLoad);
    QCOMPARE(driver.canvas().overlayId(), QStringLiteral("diff"));
    driver.view().setFocus();
    QTest::keyClick(&driver.view(), Qt::Key_N);
    QCOMPARE(driver.document().selection().focus(), (NodeTarget{GraphVersion::kLoaded, 0, diff->nodes[1].nodeA}));
    driver.keepPicture("pair");
    pair->swapSides();
    QCOMPARE(driver.page->panes()->indexOf(pair), 0);
    pair->endComparison();
    QTRY_VERIFY(!pairOf(driver.page));
    QVERIFY(driver.canvas().overlayId() != QLatin1String("diff"));
  }

  // The button of the what-if page: the present walk beside the one that was tried out, both computed by the engine.
  void whatIfSideBySide() {
    session::SessionOptions options;
    options.providers = {"onednn", "cpu"};
    options.threads = 1;
    test::WindowDriver driver(test::engineHost(), options);
    QVERIFY(driver.open(test::sample("digits_cnn"), Stage::kPartition));
    std::vector<DraftProvider> providers = driver.document().draft().providers();
    QVERIFY(!providers.empty());
    providers.front().enabled = false;  // all on the CPU
    driver.document().draft().setProviders(providers);
    driver.document().compare();
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().whatIf(), test::kPatienceMs);
    auto* beside = driver.window.findChild<QPushButton*>(QStringLiteral("partition/sideBySide"));
    QVERIFY(beside && beside->isEnabled());
    beside->click();
    PairView* pair = pairOf(driver.page);
    QVERIFY(pair && pair->isWhatIf());
    QTRY_VERIFY_WITH_TIMEOUT(pair->canvas()->loaded().scene, test::kPatienceMs);
    QVERIFY(driver.idle());
    QVERIFY2(pair->summary()->text().contains(QLatin1String("changed")), qPrintable(pair->summary()->text()));
    QVERIFY(pair->list()->model()->rowCount() > 0);
    pair->list()->setFocus();
    pair->list()->selectRow(0);
    QVERIFY(!driver.document().selection().empty() && !pair->other()->selection().empty());
    QVERIFY(pair->list()->model()->index(0, 3).data().toString().contains(QLatin1String("onednn")));
    driver.keepPicture("pair-what-if");
    pair->endComparison();
    QTRY_VERIFY(!pairOf(driver.page));
  }

  void anotherModelThatIsNone() {
    test::WindowDriver driver;
    QVERIFY(driver.open(test::sample("digits_cnn"), Stage::kLoad));
    const QString path = driver.target("broken.onnx");
    QVERIFY(test::writeFile(path, "not a model"));
    PairView* pair = openPair(driver.page, path, &driver.themes, &driver.viewState);
    QTRY_VERIFY_WITH_TIMEOUT(pair->summary()->text().contains(QLatin1String("broken")), test::kPatienceMs);
  }
};

QTEST_MAIN(TestPlayheadWindow)
#include "tst_playhead_window.moc"
