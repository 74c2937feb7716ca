// A person looks through a model that is not ours, of any size: drops it, sees all of it, finds an operator in its
// middle, goes through every stage, changes the theme. CUTAWAY_MODEL=FILE and CUTAWAY_SIZE=1440x900 choose, and
// CUTAWAY_AT_ONCE=1 a person who does not let the window make panels ahead.
// journeys.py goes through many models, sizes and both themes, and says how long things took.
#include <algorithm>

#include <QDockWidget>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>

#include "tests/bench/window/stall_watch.h"
#include "tests/gui/window_driver.h"
#include "ui/canvas/view/find_bar.h"
#include "ui/shell/error_banner.h"
#include "ui/shell/panels_ahead.h"

using namespace cutaway;
using namespace cutaway::ui;
using cutaway::bench::StallWatch;
using test::sample;
using test::WindowDriver;

namespace {

constexpr int kLongPatienceMs = 900'000;  // a million nodes on a busy machine

// The worst stall since the watch was restarted, and how much of it this thread computed: the rest it waited for its
// turn on a busy machine.
QString stallOf(StallWatch& watch) {
  const auto worst = watch.worst(1);
  return worst.empty() ? QStringLiteral("no stall")
                       : QStringLiteral("worst stall %1 ms, %2 ms of them computed")
                             .arg(worst.front().ms, 0, 'f', 0)
                             .arg(worst.front().cpuMs, 0, 'f', 0);
}

QSize wantedSize() {
  const QStringList sides = qEnvironmentVariable("CUTAWAY_SIZE", QStringLiteral("1024x700")).split(QLatin1Char('x'));
  return {sides.value(0).toInt(), sides.value(1).toInt()};
}

// Of this process, now.
double megabytes() {
  QFile status(QStringLiteral("/proc/self/status"));
  if (!status.open(QIODevice::ReadOnly)) return -1;
  for (const QByteArray& line : status.readAll().split('\n'))
    if (line.startsWith("VmRSS")) return line.simplified().split(' ').at(1).toDouble() / 1000;
  return -1;
}

bool settled(WindowDriver& driver) {
  return QTest::qWaitFor(
      [&] {
        return !driver.document().service().busy() && !driver.canvas().loading() && driver.canvas().loaded().scene &&
               driver.view().complete();
      },
      kLongPatienceMs);
}

}  // namespace

class TestJourneyModels : public QObject {
  Q_OBJECT

 private:
  void seesAll(WindowDriver& driver) {
    driver.view().setFocus();
    driver.keys(Qt::Key_Space);
    QVERIFY(settled(driver));
    const Scene& scene = *driver.view().scene();
    const QRectF shown = driver.view().transform().toScene(QRectF(driver.view().rect()));
    QVERIFY(shown.adjusted(-40, -40, 40, 40).contains(scene.bounds.adjusted(32, 32, -32, -32)));
    driver.keepPicture("all");
    qInfo("all of it is shown at %.1f %%, %zu items of %zu nodes", driver.view().transform().scale * 100,
          scene.items.size(), scene.report().nodes.size());
  }

  // What was found stands in the open and in sight, whatever was folded before.
  void findsTheMiddle(WindowDriver& driver) {
    const GraphReport& graph = driver.view().scene()->report();
    const std::string operation = graph.nodes[graph.nodes.size() / 2].opType;
    QElapsedTimer timer;
    timer.start();
    driver.keys(Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(driver.canvas().findBar()->isVisible());
    driver.type(QStringLiteral("op:") + QString::fromStdString(operation));
    QVERIFY(QTest::qWaitFor([&] { return !driver.view().look().hits.empty(); }, kLongPatienceMs));
    qInfo("%s found after %lld ms", operation.c_str(), timer.elapsed());
    driver.keys(Qt::Key_Return);
    QVERIFY(QTest::qWaitFor([&] { return driver.document().selection().focus().valid(); }, kLongPatienceMs));
    QTest::qWait(300);
    QVERIFY(settled(driver));
    const NodeTarget found = driver.document().selection().focusIn(driver.document().shownVersion());
    QCOMPARE(driver.document().node(found)->opType, operation);
    const Scene& scene = *driver.view().scene();
    const std::vector<int> items = scene.itemsOf(found.graph, found.node);
    QVERIFY(!items.empty());
    QVERIFY(scene.items[static_cast<size_t>(items.front())].kind != ItemKind::kFolded);
    const QRectF shown = driver.view().transform().toScene(QRectF(driver.view().rect()));
    QVERIFY(shown.intersects(scene.items[static_cast<size_t>(items.front())].rect));
    driver.keepPicture("found");
    driver.keys(Qt::Key_Escape);
  }

  // As the program does while a person looks at the graph.
  void makesPanelsAhead(WindowDriver& driver, StallWatch& watch) {
    watch.restart();
    const PanelsAhead ahead(&driver.window);
    QVERIFY(QTest::qWaitFor([&] { return ahead.complete(); }, kLongPatienceMs));
    qInfo("panels made ahead: %s", qPrintable(stallOf(watch)));
  }

  void goesThroughStages(WindowDriver& driver, StallWatch& watch) {
    for (int stage = 0; stage < kStageCount; ++stage) {
      watch.restart();
      driver.go(static_cast<Stage>(stage));
      QTRY_COMPARE(driver.document().stage(), static_cast<Stage>(stage));
      QVERIFY(settled(driver));
      QTest::qWait(50);
      const QString stall = stallOf(watch);
      const StageButton* button = driver.window.ribbon()->button(static_cast<Stage>(stage));
      QVERIFY2(button->shortestWidth() <= button->width(), qPrintable(button->text()));
      QVERIFY(test::colorCount(test::picture(&driver.view())) > 4);
      QVERIFY2(test::colorCount(test::picture(driver.window.stageDock())) > 4, qPrintable(QString::number(stage)));
      driver.keepPicture(qPrintable(QStringLiteral("stage-%1").arg(stage + 1)));
      qInfo("stage %d: %s", stage + 1, qPrintable(stall));
    }
  }

  void changesTheTheme(WindowDriver& driver, StallWatch& watch) {
    const QImage before = test::picture(&driver.window);
    watch.restart();
    driver.themes.setMode(driver.themes.current().dark ? ThemeMode::kLight : ThemeMode::kDark);
    QTest::qWait(400);
    QVERIFY(settled(driver));
    // Parts of the window keep the old picture until all that is seen has the new colours.
    const auto painted = [&] {
      return std::ranges::all_of(driver.window.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly),
                                 &QWidget::updatesEnabled);
    };
    QVERIFY(QTest::qWaitFor(painted, kLongPatienceMs));
    const QString stall = stallOf(watch);
    QVERIFY(test::differenceOf(before, test::picture(&driver.window)) > 0.5);
    driver.keepPicture("other-theme");
    qInfo("other theme: %s", qPrintable(stall));
  }

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  void fromDropToTheme() {
    const QString model = qEnvironmentVariable("CUTAWAY_MODEL", sample("digits_early_exit"));
    WindowDriver driver;
    driver.window.resize(wantedSize());
    driver.window.arrangeDocks();
    QVERIFY(QTest::qWaitForWindowActive(&driver.window));
    StallWatch watch;
    QElapsedTimer timer;
    timer.start();
    QVERIFY(test::dropFiles(&driver.window, {model}));
    driver.page = driver.window.currentPage();
    QVERIFY(driver.page);
    QVERIFY(QTest::qWaitFor(
        [&] { return driver.document().error() || (driver.canvas().loaded().scene && driver.view().complete()); },
        kLongPatienceMs));
    QVERIFY2(!driver.document().error(), qPrintable(driver.page->banner()->plainText()));
    qInfo("%s: structure after %lld ms, %s", qPrintable(QFileInfo(model).fileName()), timer.elapsed(),
          qPrintable(stallOf(watch)));
    QVERIFY(settled(driver));
    QVERIFY(!driver.document().error() || driver.document().planOnly());
    qInfo("all stages after %lld ms, %.0f MB", timer.elapsed(), megabytes());
    QVERIFY(test::colorCount(test::picture(&driver.view())) > 4);
    driver.keepPicture("open");
    seesAll(driver);
    if (QTest::currentTestFailed()) return;
    findsTheMiddle(driver);
    if (QTest::currentTestFailed()) return;
    if (!qEnvironmentVariableIsSet("CUTAWAY_AT_ONCE")) makesPanelsAhead(driver, watch);
    if (QTest::currentTestFailed()) return;
    goesThroughStages(driver, watch);
    if (QTest::currentTestFailed()) return;
    changesTheTheme(driver, watch);
  }
};

QTEST_MAIN(TestJourneyModels)
#include "tst_journey_models.moc"
