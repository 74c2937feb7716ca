// A person reads a model: drops it on the window, looks, searches, zooms, folds, goes through every stage, closes it
// and opens it again. Only mouse, wheel, keys and drops; pixels tell.
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QLineEdit>
#include <QSignalSpy>

#include "tests/gui/desk.h"
#include "ui/canvas/overlay.h"
#include "ui/canvas/view/find_bar.h"
#include "ui/shell/error_banner.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::Desk;
using test::sample;

class TestJourneyReading : public QObject {
  Q_OBJECT

 private:
  void movesAbout(Desk& desk) {
    // Wheel scrolls, Ctrl+wheel zooms at the pointer, the middle button pans, Space shows all.
    const QPoint middle = desk.view().rect().center();
    desk.keys(Qt::Key_Backspace, Qt::ShiftModifier);
    const double scale = desk.view().transform().scale;
    test::turnWheel(&desk.view(), middle, 3, Qt::ControlModifier);
    QVERIFY(desk.view().transform().scale > scale * 1.3);
    const QPointF scene = desk.view().transform().toScene(QPointF(middle));
    test::turnWheel(&desk.view(), middle, -1, Qt::ControlModifier);
    QVERIFY((desk.view().transform().toScene(QPointF(middle)) - scene).manhattanLength() < 4);
    const QPointF offset = desk.view().transform().offset;
    test::drag(&desk.view(), middle, middle + QPoint(60, 40), Qt::MiddleButton);
    QVERIFY((desk.view().transform().offset - offset - QPointF(60, 40)).manhattanLength() < 4);
    desk.keys(Qt::Key_Space);
    QVERIFY(desk.view().transform().toScreen(desk.view().scene()->bounds).height() <= desk.view().height() + 1);
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
    Desk desk;
    QVERIFY(QTest::qWaitForWindowActive(&desk.window));
    desk.keepPicture("reading-start");
    const QImage empty = test::picture(&desk.window);

    // Dropped, and there.
    QVERIFY(test::dropFiles(&desk.window, {model}));
    desk.page = desk.window.currentPage();
    QVERIFY(desk.page && desk.idle());
    QTRY_VERIFY(desk.canvas().loaded().scene);
    QVERIFY2(!desk.document().error(), qPrintable(desk.page->banner()->plainText()));
    QTRY_VERIFY(test::differenceOf(empty, test::picture(&desk.window)) > 0.05);
    QVERIFY(test::colorCount(test::picture(&desk.view())) > 12);
    desk.keepPicture("reading-look");

    // Searched: hits are lit, Enter goes from one to the next, Escape ends it.
    desk.view().setFocus();
    const QImage before = test::picture(&desk.view());
    desk.keys(Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(desk.canvas().findBar()->isVisible());
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(desk.canvas().findBar()->line()));
    desk.type(QStringLiteral("op:") + operation);
    QTRY_VERIFY(!desk.view().look().hits.empty());
    QTRY_VERIFY(test::differenceOf(before, test::picture(&desk.view())) > 0.0005);
    desk.keys(Qt::Key_Return);
    const NodeTarget first = desk.document().selection().focus();
    QCOMPARE(QString::fromStdString(desk.document().node(first)->opType), operation);
    desk.keepPicture("reading-found");
    desk.keys(Qt::Key_Escape);
    QVERIFY(desk.view().look().hits.empty() && !desk.canvas().findBar()->isVisible());
    QTRY_COMPARE(desk.focus(), static_cast<QWidget*>(&desk.view()));

    movesAbout(desk);
    if (QTest::currentTestFailed()) return;

    // A node is clicked; the inspector tells about it in pixels of its own.
    const QImage inspector = test::picture(desk.window.inspectorDock());
    int node = -1;
    for (size_t i = 0; i < desk.view().scene()->items.size() && node < 0; ++i)
      if (desk.view().scene()->items[i].kind == ItemKind::kNode) node = static_cast<int>(i);
    QVERIFY(node >= 0);
    QTest::keyClick(&desk.view(), Qt::Key_Escape);
    desk.clickItem(node);
    QVERIFY(!desk.document().selection().empty());
    QTRY_VERIFY(test::differenceOf(inspector, test::picture(desk.window.inspectorDock())) > 0.005);

    // Through all stages: the selection stays where the stage still has the node, every panel shows something.
    for (int stage = 0; stage < kStageCount; ++stage) {
      desk.go(static_cast<Stage>(stage));
      QTRY_COMPARE(desk.document().stage(), static_cast<Stage>(stage));
      QVERIFY(desk.idle());
      QTRY_VERIFY(desk.canvas().loaded().scene);
      QTRY_VERIFY(test::colorCount(test::picture(&desk.view())) > 6);
      QVERIFY2(test::colorCount(test::picture(desk.window.stageDock())) > 4, qPrintable(QString::number(stage)));
      desk.keepPicture(qPrintable(QStringLiteral("reading-stage-%1").arg(stage)));
    }
    desk.go(Stage::kLoad);
    QVERIFY(desk.idle());

    // Read again, closed, opened again.
    desk.keys(Qt::Key_F5);
    QVERIFY(desk.idle());
    QTRY_VERIFY(desk.document().walk()->pattern);
    QTest::keySequence(&desk.window, QKeySequence::Close);
    QTRY_COMPARE(desk.window.pageCount(), 0);
    desk.keys(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    if (desk.window.pageCount() == 0) desk.window.reopenClosed();
    QTRY_COMPARE(desk.window.pageCount(), 1);
    desk.page = desk.window.currentPage();
    QVERIFY(desk.idle());
    QCOMPARE(desk.document().path(), model);
    QCOMPARE(desk.viewState.recentFiles().first(), model);
  }

  // Folded and unfolded with the keyboard alone; the picture comes back.
  void foldedByKey() {
    Desk desk;
    QVERIFY(desk.open(sample("digits_cnn")));
    QSignalSpy shown(&desk.canvas(), &CanvasPane::sceneShown);
    const size_t all = desk.view().scene()->items.size();
    desk.canvas().foldAll();
    QTRY_VERIFY(!shown.isEmpty() && desk.view().scene()->items.size() < all);
    desk.keepPicture("reading-folded");
    const auto& items = desk.view().scene()->items;
    const auto folded =
        std::find_if(items.begin(), items.end(), [](const SceneItem& item) { return item.kind == ItemKind::kFolded; });
    QVERIFY(folded != items.end());
    const size_t few = items.size();
    desk.doubleClickItem(static_cast<int>(folded - items.begin()));
    QTRY_VERIFY(desk.view().scene()->items.size() > few);
  }
};

QTEST_MAIN(TestJourneyReading)
#include "tst_journey_reading.moc"
