// Running in the window, as a person does it: run, look at the timeline, mark a range, keep a baseline, run otherwise,
// compare.
#include <algorithm>

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include "engine/profile/profiles.h"
#include "tests/gui/window_driver.h"
#include "tests/unit/ui/run_fixture.h"
#include "tests/unit/ui/walk_fixture.h"
#include "ui/canvas/overlay.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/run/creation_page.h"
#include "ui/panels/run/node_times.h"
#include "ui/panels/run/profile_page.h"
#include "ui/panels/run/run_controls.h"
#include "ui/panels/run/timeline/timeline.h"
#include "ui/panels/run/timeline_page.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

// CUTAWAY_MODEL: another model to look at.
QString model() {
  const QString other = qEnvironmentVariable("CUTAWAY_MODEL");
  return other.isEmpty() ? test::sample("digits_cnn") : other;
}

struct WindowDriver : test::WindowDriver {
  explicit WindowDriver(const session::SessionOptions& options = {})
      : test::WindowDriver(test::engineHost(), options) {}
  bool open() { return test::WindowDriver::open(model(), Stage::kRun) && controls(); }
  RunControls* controls() { return window.findChild<RunControls*>(); }
  bool runOnce() {
    const auto before = document().walk()->run;
    QTest::mouseClick(controls()->runButton(), Qt::LeftButton);
    return QTest::qWaitFor(
        [&] { return document().walk()->run && document().walk()->run != before && !document().service().busy(); },
        test::kPatienceMs);
  }
};

session::SessionOptions bound() {
  session::SessionOptions options;
  options.dims = {{"batch", 1}, {"batch_size", 1}, {"sequence", 64}, {"N", 1}};
  return options;
}

}  // namespace

class TestRunWindow : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  void timelineAndCanvasKeepStep() {
    WindowDriver driver(bound());
    QVERIFY(driver.open());
    driver.keepPicture("run-empty");
    QVERIFY(driver.runOnce());
    auto* page = driver.window.findChild<TimelinePage*>();
    QVERIFY(page->isVisible());
    const TimelineLook& look = page->timeline()->look();
    QVERIFY(!look.content.lanes->empty());
    // The longest call of the outermost row with nodes.
    const int row = look.content.lanes->lanes[0].busyRow;
    const auto& bars = look.content.lanes->rows[static_cast<size_t>(row)].bars;
    const auto longest = std::max_element(bars.begin(), bars.end(), [](const TraceBar& a, const TraceBar& b) {
      return a.endNs - a.startNs < b.endNs - b.startNs;
    });
    const TraceBarPlace place{row, static_cast<int>(longest - bars.begin())};
    QTest::mouseClick(page->timeline(), Qt::LeftButton, {}, page->timeline()->rectOf(place).center().toPoint());
    QCOMPARE(driver.document().selection().focus().node, look.span(place).node);
    QTRY_VERIFY(!driver.page->canvas()->view()->look().selected.empty());
    driver.keepPicture("run-timeline");
    QTest::mouseMove(page->timeline(), page->timeline()->rectOf(place).center().toPoint());
    page->window().setHover(static_cast<double>(longest->startNs));
    if (const QString folder = qEnvironmentVariable("CUTAWAY_PICTURES");
        !folder.isEmpty() && page->timeline()->card()->isVisible())
      page->timeline()->card()->grab().save(folder + "/run-card.png");
    // A range over a third of the run.
    const TimeRange all = page->window().full();
    page->window().setRange(TimeRange{all.beginNs + all.lengthNs() / 3, all.beginNs + all.lengthNs() * 2 / 3});
    page->window().settleRange();
    driver.keepPicture("run-range");
    auto* nodes = driver.window.findChild<NodeTimes*>();
    const int shown = nodes->proxy()->rowCount();
    QVERIFY(shown > 0 && shown < static_cast<int>(driver.document().walk()->run->nodes.size()));
    page->window().setRange({});
    page->window().settleRange();
    page->window().zoomAt(static_cast<double>(longest->startNs), 8);
    driver.keepPicture("run-zoomed");
    driver.front(nodes);
    driver.keepPicture("run-nodes");
    nodes->setRollUp(RollUp::kScope);
    nodes->view()->expandToDepth(1);
    driver.keepPicture("run-scopes");
    driver.front(driver.window.findChild<CreationPage*>());
    driver.keepPicture("run-creation");
  }

  // Another executor makes the session anew and then runs; the baseline stands meanwhile.
  // In a low window the page of the timeline shows less, and what it shows is whole.
  void lowPagesCutNothing() {
    WindowDriver driver(bound());
    driver.window.resize(1440, 900);
    QVERIFY(driver.open() && driver.runOnce());
    driver.window.resize(1024, 700);
    QTest::qWait(50);
    QCOMPARE(driver.window.size(), QSize(1024, 700));
    auto* page = driver.window.findChild<TimelinePage*>();
    QVERIFY(page && page->isVisible());
    for (const QToolButton* button : page->findChildren<QToolButton*>())
      if (button->isVisible())
        QVERIFY2(button->height() >= button->minimumSizeHint().height(), qPrintable(button->text()));
    QVERIFY(page->timeline()->height() > 30);
    driver.keepPicture("run_low");
    driver.window.resize(1440, 1400);
    QTRY_VERIFY(page->memory()->isVisible());
  }

  void executorsAreCompared() {
    WindowDriver driver(bound());
    QVERIFY(driver.open());
    QVERIFY(driver.runOnce());
    auto* page = driver.window.findChild<ProfilePage*>();
    driver.front(page);
    driver.keepPicture("compare-empty");
    QTest::mouseClick(page->keepButton(), Qt::LeftButton);
    QVERIFY(driver.document().profiles().baseline());
    driver.controls()->moreButton()->click();
    driver.controls()->executor()->setCurrentIndex(1);
    driver.keepPicture("run-more");
    driver.controls()->moreButton()->click();
    QVERIFY(driver.runOnce());
    QCOMPARE(driver.document().options().executor, std::string("dataflow"));
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().profiles().comparison(), 30'000);
    QVERIFY(!page->sentence()->text().isEmpty() && page->sentence()->isVisible());
    QVERIFY(page->table()->proxy()->rowCount() > 0);
    driver.keepPicture("compare-executors");
  }

  // What was saved is read back: as the baseline, and painted on the graph with its origin told.
  void savedProfilesAndTracesAreRead() {
    WindowDriver driver(bound());
    QVERIFY(driver.open());
    QVERIFY(driver.runOnce());
    const auto write = [&](const char* name, const std::string& words) {
      QFile file(driver.folder.filePath(QLatin1String(name)));
      return file.open(QIODevice::WriteOnly) &&
                     file.write(words.data(), static_cast<qint64>(words.size())) == static_cast<qint64>(words.size())
                 ? file.fileName()
                 : QString();
    };
    const QString profile = write("before.json", profile::saveProfile(*driver.document().walk())),
                  trace = write("trace.json", profile::chromeTrace(*driver.document().walk()));
    ProfileController& profiles = driver.document().profiles();
    profiles.loadBaseline(profile);
    QTRY_VERIFY_WITH_TIMEOUT(!profiles.busy() && profiles.comparison(), 30'000);
    QVERIFY(!profiles.error());
    QCOMPARE(profiles.baseline()->title, QStringLiteral("before.json"));
    QVERIFY(!profiles.comparison()->significant);  // a run against itself
    profiles.showTrace(trace);
    QTRY_VERIFY_WITH_TIMEOUT(!profiles.busy(), 30'000);
    QVERIFY2(!profiles.error(), profiles.error() ? profiles.error()->message.c_str() : "");
    const auto run = driver.document().walk()->run;
    QVERIFY(run->source.ends_with("trace.json"));
    QVERIFY(!run->nodes.empty());
    QTRY_VERIFY(driver.page->canvas()->view()->look().overlay->largest > 0);
    driver.keepPicture("run-trace");
  }

  void cancelEndsARun() {
    WindowDriver driver(bound());
    QVERIFY(driver.open());
    driver.controls()->measure()->setCurrentIndex(1);
    QTest::mouseClick(driver.controls()->runButton(), Qt::LeftButton);
    QCOMPARE(driver.controls()->runButton()->text(), QStringLiteral("Cancel"));
    QTest::qWait(100);
    QTest::mouseClick(driver.controls()->runButton(), Qt::LeftButton);
    QCOMPARE(driver.controls()->runButton()->text(), QStringLiteral("Run"));
    QVERIFY(!driver.document().service().busy());
    driver.controls()->measure()->setCurrentIndex(0);
    QVERIFY(driver.runOnce());  // the session still works
  }
};

QTEST_MAIN(TestRunWindow)
#include "tst_run_window.moc"
