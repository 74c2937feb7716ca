// A sweep in a tab of the window, beside models: opened, closed, and a cell's model opened in its configuration.
#include <QTest>

#include "tests/gui/window_driver.h"
#include "tests/unit/ui/sweep/sweep_fixture.h"
#include "ui/shell/command_menus.h"
#include "ui/shell/page_tabs.h"
#include "ui/sweep/sweep_grid.h"
#include "ui/sweep/sweep_tab.h"

using namespace cutaway;
using namespace cutaway::ui;
using namespace cutaway::ui::test;

namespace {

class WatchedTabs : public PageTabs {
 public:
  QStringList dragged;

 protected:
  void dragFile(const QString& path) override { dragged << path; }
};

void moveHeld(QWidget* widget, const QPoint& to) {
  QMouseEvent move(QEvent::MouseMove, QPointF(to), QPointF(widget->mapToGlobal(to)), Qt::NoButton, Qt::LeftButton, {});
  QApplication::sendEvent(widget, &move);
}

}  // namespace

class TestSweepWindow : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  void aCellOpensItsModelInItsConfiguration() {
    WindowDriver driver;
    const QString file = driver.target("results.sqlite");
    QVERIFY(writeSweep(file.toStdString(), {.firstModelFile = sample("digits_mlp").toStdString()}));
    QVERIFY(!driver.window.openFile(file));
    SweepTab* page = driver.window.currentSweep();
    QVERIFY(page);
    QTRY_VERIFY_WITH_TIMEOUT(page->sweep(), kPatienceMs);
    driver.keepPicture("sweep");
    QVERIFY(!driver.window.currentPage());
    QVERIFY(!driver.window.ribbon()->isVisible());
    QVERIFY(driver.window.windowTitle().contains("results"));
    page->grid()->choose(0, 2);
    QTest::keyClick(page->grid(), Qt::Key_Return);
    driver.page = driver.window.currentPage();
    QVERIFY(driver.page);
    QVERIFY(driver.idle());
    QCOMPARE(driver.document().path(), sample("digits_mlp"));
    QCOMPARE(driver.document().options().optimizationLevel, 2);
    QVERIFY(driver.window.ribbon()->isVisible());
    QCOMPARE(driver.window.pageCount(), 2);
  }

  void aSweepIsOpenOnceAndClosesLikeAModel() {
    WindowDriver driver;
    const QString file = driver.target("results.sqlite");
    QVERIFY(writeSweep(file.toStdString(), {}));
    QVERIFY(driver.open(sample("digits_mlp")));
    SweepTab* page = driver.window.openSweep(file);
    QCOMPARE(driver.window.openSweep(file), page);
    QCOMPARE(driver.window.pageCount(), 2);
    QCOMPARE(driver.window.pages().size(), size_t{1});
    QVERIFY(driver.window.commands()->run("go.nextTab"));
    QVERIFY(driver.window.currentPage());
    QVERIFY(driver.window.commands()->run("go.nextTab"));
    QCOMPARE(driver.window.currentSweep(), page);
    QVERIFY(!driver.window.commands()->run("edit.find"));  // there is no model in front
    QVERIFY(driver.window.commands()->run("file.close"));
    QCOMPARE(driver.window.pageCount(), 1);
    QVERIFY(driver.window.currentPage());
    emit driver.window.tabs()->closeOthersRequested(0);
    QCOMPARE(driver.window.pageCount(), 1);
  }

  void aTabIsDraggedOutAsAFile() {
    WatchedTabs tabs;
    QWidget one, two;
    tabs.addPage(&one, "one", "/models/one.onnx");
    tabs.addPage(&two, "two", "/models/two.onnx");
    tabs.resize(tabs.sizeHint());
    tabs.show();
    const QPoint middle = tabs.tabRect(1).center();
    QTest::mousePress(&tabs, Qt::LeftButton, {}, middle);
    moveHeld(&tabs, middle + QPoint(3, 10));
    QVERIFY(tabs.dragged.isEmpty());  // still within the bar
    moveHeld(&tabs, middle + QPoint(3, 200));
    QCOMPARE(tabs.dragged, QStringList{"/models/two.onnx"});
    moveHeld(&tabs, middle + QPoint(3, 260));
    QCOMPARE(tabs.dragged.size(), 1);
  }

  void aPlanStandsForItsResults() {
    WindowDriver driver;
    QDir(driver.folder.path()).mkdir("nightly.sweep");
    QVERIFY(writeSweep(driver.target("nightly.sweep/results.sqlite").toStdString(), {}));
    driver.window.openFile(driver.target("nightly.toml"));
    QVERIFY(driver.window.currentSweep());
    QCOMPARE(driver.window.currentSweep()->title(), QStringLiteral("nightly"));
    QTRY_VERIFY_WITH_TIMEOUT(driver.window.currentSweep()->sweep(), kPatienceMs);
  }
};

QTEST_MAIN(TestSweepWindow)
#include "tst_sweep_window.moc"
