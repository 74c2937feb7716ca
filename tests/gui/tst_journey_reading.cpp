// A person reads a model: drops it on the window, looks, searches, zooms, folds, goes through every stage, closes it
// and opens it again. Only mouse, wheel, keys and drops; pixels tell.
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QLineEdit>
#include <QSignalSpy>

#include "tests/gui/window_driver.h"
#include "ui/canvas/overlay.h"
#include "ui/canvas/view/find_bar.h"
#include "ui/shell/error_banner.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::sample;
using test::WindowDriver;

class TestJourneyReading : public QObject {
  Q_OBJECT

 private:
  void movesAbout(WindowDriver& driver) {
    // Wheel scrolls, Ctrl+wheel zooms at the pointer, the middle button pans, Space shows all.
    const QPoint middle = driver.view().rect().center();
    driver.keys(Qt::Key_Backspace, Qt::ShiftModifier);
    const double scale = driver.view().transform().scale;
    test::turnWheel(&driver.view(), middle, 3, Qt::ControlModifier);
    QVERIFY(driver.view().transform().scale > scale * 1.3);
    const QPointF scene = driver.view().transform().toScene(QPointF(middle));
    test::turnWheel(&driver.view(), middle, -1, Qt::ControlModifier);
    QVERIFY((driver.view().transform().toScene(QPointF(middle)) - scene).manhattanLength() < 4);
    const QPointF offset = driver.view().transform().offset;
    test::drag(&driver.view(), middle, middle + QPoint(60, 40), Qt::MiddleButton);
    QVERIFY((driver.view().transform().offset - offset - QPointF(60, 40)).manhattanLength() < 4);
    driver.keys(Qt::Key_Space);
    QVERIFY(driver.view().transform().toScreen(driver.view().scene()->bounds).height() <= driver.view().height() + 1);
  }

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  void fromDropToReopen_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("operation");  // one that the main graph has
    QTest::newRow("digits_cnn") << sample("digits_cnn") << "Relu";
    QTest::newRow("digits_early_exit") << sample("digits_early_exit") << "Add";  // its Relus lie in a branch
    if (const QString other = qEnvironmentVariable("CUTAWAY_MODEL"); !other.isEmpty())
      QTest::newRow("other") << other << qEnvironmentVariable("CUTAWAY_MODEL_OPERATION", "Add");
  }
  void fromDropToReopen() {
    QFETCH(QString, model);
    QFETCH(QString, operation);
    WindowDriver driver;
    QVERIFY(QTest::qWaitForWindowActive(&driver.window));
    driver.keepPicture("reading-start");
    const QImage empty = test::picture(&driver.window);

    // Dropped, and there.
    QVERIFY(test::dropFiles(&driver.window, {model}));
    driver.page = driver.window.currentPage();
    QVERIFY(driver.page && driver.idle());
    QTRY_VERIFY(driver.canvas().loaded().scene);
    QVERIFY2(!driver.document().error(), qPrintable(driver.page->banner()->plainText()));
    QTRY_VERIFY(test::differenceOf(empty, test::picture(&driver.window)) > 0.05);
    QVERIFY(test::colorCount(test::picture(&driver.view())) > 12);
    driver.keepPicture("reading-look");

    // Searched: hits are lit, Enter goes from one to the next, Escape ends it.
    driver.view().setFocus();
    const QImage before = test::picture(&driver.view());
    driver.keys(Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(driver.canvas().findBar()->isVisible());
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(driver.canvas().findBar()->line()));
    driver.type(QStringLiteral("op:") + operation);
    QTRY_VERIFY(!driver.view().look().hits.empty());
    QTRY_VERIFY(test::differenceOf(before, test::picture(&driver.view())) > 0.0005);
    driver.keys(Qt::Key_Return);
    const NodeTarget first = driver.document().selection().focus();
    QCOMPARE(QString::fromStdString(driver.document().node(first)->opType), operation);
    driver.keepPicture("reading-found");
    driver.keys(Qt::Key_Escape);
    QVERIFY(driver.view().look().hits.empty() && !driver.canvas().findBar()->isVisible());
    QTRY_COMPARE(driver.focus(), static_cast<QWidget*>(&driver.view()));

    movesAbout(driver);
    if (QTest::currentTestFailed()) return;

    // A node is clicked; the inspector tells about it in pixels of its own.
    const QImage inspector = test::picture(driver.window.inspectorDock());
    int node = -1;
    for (size_t i = 0; i < driver.view().scene()->items.size() && node < 0; ++i)
      if (driver.view().scene()->items[i].kind == ItemKind::kNode) node = static_cast<int>(i);
    QVERIFY(node >= 0);
    QTest::keyClick(&driver.view(), Qt::Key_Escape);
    driver.clickItem(node);
    QVERIFY(!driver.document().selection().empty());
    QTRY_VERIFY(test::differenceOf(inspector, test::picture(driver.window.inspectorDock())) > 0.005);

    // Through all stages: the selection stays where the stage still has the node, every panel shows something.
    for (int stage = 0; stage < kStageCount; ++stage) {
      driver.go(static_cast<Stage>(stage));
      QTRY_COMPARE(driver.document().stage(), static_cast<Stage>(stage));
      QVERIFY(driver.idle());
      QTRY_VERIFY(driver.canvas().loaded().scene);
      QTRY_VERIFY(test::colorCount(test::picture(&driver.view())) > 6);
      QVERIFY2(test::colorCount(test::picture(driver.window.stageDock())) > 4, qPrintable(QString::number(stage)));
      driver.keepPicture(qPrintable(QStringLiteral("reading-stage-%1").arg(stage)));
    }
    driver.go(Stage::kLoad);
    QVERIFY(driver.idle());

    // Read again, closed, opened again.
    driver.keys(Qt::Key_F5);
    QVERIFY(driver.idle());
    QTRY_VERIFY(driver.document().walk()->pattern);
    QTest::keySequence(&driver.window, QKeySequence::Close);
    QTRY_COMPARE(driver.window.pageCount(), 0);
    driver.keys(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    if (driver.window.pageCount() == 0) driver.window.reopenClosed();
    QTRY_COMPARE(driver.window.pageCount(), 1);
    driver.page = driver.window.currentPage();
    QVERIFY(driver.idle());
    QCOMPARE(driver.document().path(), model);
    QCOMPARE(driver.viewState.recentFiles().first(), model);
  }

  // Folded and unfolded with the keyboard alone; the picture comes back.
  void foldedByKey() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    QSignalSpy shown(&driver.canvas(), &CanvasPane::sceneShown);
    const size_t all = driver.view().scene()->items.size();
    driver.canvas().foldAll();
    QTRY_VERIFY(!shown.isEmpty() && driver.view().scene()->items.size() < all);
    driver.keepPicture("reading-folded");
    const auto& items = driver.view().scene()->items;
    const auto folded =
        std::find_if(items.begin(), items.end(), [](const SceneItem& item) { return item.kind == ItemKind::kFolded; });
    QVERIFY(folded != items.end());
    const size_t few = items.size();
    driver.doubleClickItem(static_cast<int>(folded - items.begin()));
    QTRY_VERIFY(driver.view().scene()->items.size() > few);
  }
};

QTEST_MAIN(TestJourneyReading)
#include "tst_journey_reading.moc"
