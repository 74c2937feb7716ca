// The window driven as a person would, by keyboard and mouse, over the real engine and the bundled samples.
#include <QComboBox>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>

#include "tests/gui/desk.h"
#include "tests/unit/ui/walk_fixture.h"
#include "ui/canvas/overlay.h"
#include "ui/canvas/view/find_bar.h"
#include "ui/panels/run/run_controls.h"
#include "ui/shell/activity_bar.h"
#include "ui/shell/error_banner.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::Desk;
using test::engineHost;
using test::sample;

class TestWindow : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  void emptyWindowInvites() {
    Desk desk;
    QCOMPARE(desk.window.pageCount(), 0);
    QVERIFY(!desk.window.ribbon()->isVisible());
    QVERIFY(!desk.window.findChildren<QPushButton*>("card").isEmpty());
  }

  void everyStageIsReachedByKey() {
    Desk desk;
    DocumentPage* page = desk.open(sample("digits_cnn"));
    QVERIFY(page && !page->document()->error());
    for (int stage = 0; stage < kStageCount; ++stage) {
      QTest::keyClick(&desk.window, static_cast<Qt::Key>(Qt::Key_1 + stage), Qt::AltModifier);
      QTRY_COMPARE(page->document()->stage(), static_cast<Stage>(stage));
      if (stage <= static_cast<int>(Stage::kPattern)) {
        QCOMPARE(desk.window.ribbon()->button(static_cast<Stage>(stage))->state(), StageState::kDone);
        QVERIFY(!desk.window.ribbon()->button(static_cast<Stage>(stage))->headline().isEmpty());
      }
    }
  }

  void selectionSurvivesTheStages() {
    Desk desk;
    DocumentPage* page = desk.open(sample("digits_cnn"));
    QVERIFY(page);
    CanvasPane* canvas = page->canvas();
    const int item = canvas->loaded().scene->itemOfNode[1];
    QTest::mouseClick(canvas->view(), Qt::LeftButton, {}, desk.pointOf(item));
    QCOMPARE(page->document()->selection().focus(), (NodeTarget{GraphVersion::kLoaded, 0, 1}));
    desk.window.ribbon()->button(Stage::kPartition)->click();
    QTRY_VERIFY(!canvas->loading());
    QVERIFY(!page->document()->selection().nodesIn(GraphVersion::kPartitioned, 0).empty());
    QTRY_VERIFY(!canvas->view()->look().selected.empty());
    QTest::keyClick(canvas->view(), Qt::Key_Escape);
    QVERIFY(page->document()->selection().empty());
  }

  void findStepsThroughHits() {
    Desk desk;
    DocumentPage* page = desk.open(sample("digits_cnn"));
    QVERIFY(page);
    QTest::keyClick(&desk.window, Qt::Key_F, Qt::ControlModifier);
    FindBar* bar = page->canvas()->findBar();
    QTRY_VERIFY(bar->isVisible());
    QTest::keyClicks(bar->line(), "relu");
    QTRY_VERIFY(page->canvas()->view()->look().hits.size() > 1);
    QTest::keyClick(bar->line(), Qt::Key_Return);
    const NodeTarget first = page->document()->selection().focus();
    QCOMPARE(QString::fromStdString(page->document()->node(first)->opType), QStringLiteral("Relu"));
    QTest::keyClick(bar->line(), Qt::Key_Return);
    QVERIFY(!(page->document()->selection().focus() == first));
    QTest::keyClick(bar->line(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(page->document()->selection().focus(), first);
    QTest::keyClick(bar->line(), Qt::Key_Escape);
    QVERIFY(!bar->isVisible());
    QVERIFY(page->canvas()->view()->look().hits.empty());
  }

  void bodiesAreEnteredAndLeft() {
    Desk desk;
    DocumentPage* page = desk.open(sample("digits_early_exit"));
    QVERIFY(page);
    CanvasPane* canvas = page->canvas();
    const auto& nodes = canvas->loaded().scene->report().nodes;
    const auto node = std::find_if(nodes.begin(), nodes.end(), [](const NodeReport& n) { return !n.bodies.empty(); });
    QVERIFY(node != nodes.end());
    const int index = static_cast<int>(node - nodes.begin());
    page->document()->selection().selectNode({GraphVersion::kLoaded, 0, index});
    canvas->view()->setFocus();
    QTest::keyClick(canvas->view(), Qt::Key_Return);
    QTRY_VERIFY(canvas->graph() != 0 && canvas->loaded().scene);
    QTest::keyClick(canvas->view(), Qt::Key_Backspace);
    QTRY_VERIFY(canvas->graph() == 0 && canvas->loaded().scene);
    QCOMPARE(page->document()->selection().focus().node, index);
  }

  void scopesFoldAndUnfold() {
    Desk desk;
    DocumentPage* page = desk.open(sample("digits_cnn"));
    QVERIFY(page);
    CanvasPane* canvas = page->canvas();
    const size_t all = canvas->loaded().scene->items.size();
    QSignalSpy shown(canvas, &CanvasPane::sceneShown);
    canvas->foldAll();
    QTRY_VERIFY(!shown.isEmpty());
    const auto folded = canvas->loaded().scene;
    QVERIFY(folded->items.size() < all);
    const auto item = std::find_if(folded->items.begin(), folded->items.end(),
                                   [](const SceneItem& i) { return i.kind == ItemKind::kFolded; });
    QVERIFY(item != folded->items.end());
    QTest::mouseDClick(canvas->view(), Qt::LeftButton, {},
                       desk.pointOf(static_cast<int>(item - folded->items.begin())));
    QTRY_VERIFY(canvas->loaded().scene->items.size() > folded->items.size());
  }

  void keysZoomAndFit() {
    Desk desk;
    DocumentPage* page = desk.open(sample("digits_mlp"));
    QVERIFY(page);
    GraphView* view = page->canvas()->view();
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Backspace, Qt::ShiftModifier);
    QCOMPARE(view->transform().scale, 1.0);
    QTest::keyClick(view, Qt::Key_Up, Qt::ShiftModifier);
    QVERIFY(view->transform().scale > 1.1);
    QTest::keyClick(view, Qt::Key_Space);
    QVERIFY(view->transform().toScreen(view->scene()->bounds).height() <= view->height() + 1);
  }

  void runPaintsTimes() {
    SessionOptions options;
    options.threads = 1;
    Desk desk(engineHost(), options);
    DocumentPage* page = desk.open(sample("digits_cnn"));
    QVERIFY(page);
    desk.window.ribbon()->button(Stage::kRun)->click();
    auto* controls = desk.window.findChild<RunControls*>();
    QVERIFY(controls && controls->runButton()->isEnabled());
    controls->setFile("image",
                      QStringLiteral(CUTAWAY_SOURCE_DIR "/resources/samples/digits_cnn/test_data_set_0/input_0.pb"));
    QTest::mouseClick(controls->runButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(page->document()->walk()->run, 60'000);
    QVERIFY(!page->document()->error());
    QCOMPARE(page->document()->walk()->run->runs, int64_t{10});
    QCOMPARE(page->canvas()->overlayId(), QString("time"));
    QTRY_VERIFY(page->canvas()->view()->look().overlay->largest > 0);
  }

  void wrongInputFileIsNamed() {
    Desk desk;
    DocumentPage* page = desk.open(sample("digits_mlp"));
    QVERIFY(page);
    RunRequest request;
    request.files = {{QString::fromStdString(page->document()
                                                 ->walk()
                                                 ->loadedGraphs->graphs[0]
                                                 .values[page->document()->walk()->loadedGraphs->graphs[0].inputs[0]]
                                                 .name),
                      "/nonexistent/input.npy"}};
    page->document()->service().run(request);
    QTRY_VERIFY(page->document()->error());
    QVERIFY(page->banner()->isVisible());
    QVERIFY(page->banner()->plainText().contains("/nonexistent/input.npy"));
    page->document()->service().run({});  // the window stays usable
    QTRY_VERIFY_WITH_TIMEOUT(page->document()->walk()->run, 60'000);
  }

  void badFilesGiveAMessage_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("text") << QByteArray("this is no model");
    QTest::newRow("lfs pointer") << QByteArray("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n");
  }
  void badFilesGiveAMessage() {
    QFETCH(QByteArray, bytes);
    Desk desk;
    const QString path = desk.folder.filePath("bad.onnx");
    QVERIFY(test::writeFile(path, bytes));
    DocumentPage* page = desk.open(path);
    QVERIFY(page);
    QVERIFY(page->document()->error());
    QTRY_VERIFY(page->banner()->isVisible());
    QVERIFY(page->banner()->plainText().contains("bad.onnx"));
    QCOMPARE(desk.window.ribbon()->button(Stage::kLoad)->state(), StageState::kFailed);
    DocumentPage* good = desk.open(sample("digits_mlp"));
    QVERIFY(good && !good->document()->error());
  }

  void missingFileGivesAMessage() {
    Desk desk;
    DocumentPage* page = desk.open(QStringLiteral("/nonexistent/model.onnx"));
    QVERIFY(page && page->document()->error());
    QVERIFY(page->banner()->plainText().contains("/nonexistent/model.onnx"));
  }

  // Cancel frees the window although the engine is still busy, and what comes late is not shown.
  void cancelAnswersAtOnce() {
    auto host = engineHost();
    auto finished = std::make_shared<std::atomic<bool>>(false);
    host->createSession = [finished](const ModelSource&, const SessionOptions&, const ProviderTable&,
                                     Progress& progress,
                                     const WalkListener& listener) -> Result<std::unique_ptr<Session>> {
      progress.begin("Load", "a very large file");
      listener(test::failedWalk());
      while (!progress.cancelled())
        QThread::msleep(5);
      QThread::msleep(200);
      listener(test::sampleWalk());
      *finished = true;
      return fail(cancelledError());
    };
    Desk desk(host);
    DocumentPage* page = desk.window.openFile("slow.onnx");
    QTRY_VERIFY(desk.window.activityBar()->words().contains("a very large file"));
    QVERIFY(desk.window.activityBar()->cancelButton()->isVisible());
    QElapsedTimer timer;
    timer.start();
    QTest::mouseClick(desk.window.activityBar()->cancelButton(), Qt::LeftButton);
    QVERIFY(!page->document()->service().busy());
    QVERIFY2(timer.elapsed() < 100, qPrintable(QString::number(timer.elapsed())));
    QTRY_VERIFY(finished->load());
    QTest::qWait(50);
    QVERIFY(!page->document()->walk()->pattern);
  }

  void tabsHoldSeveralModels() {
    Desk desk;
    QVERIFY(desk.open(sample("digits_mlp")));
    QVERIFY(desk.open(sample("digits_cnn")));
    QCOMPARE(desk.window.pageCount(), 2);
    desk.window.openFile(sample("digits_mlp"));
    QCOMPARE(desk.window.pageCount(), 2);
    QVERIFY(desk.window.currentPage()->document()->path().contains("digits_mlp"));
    QTest::keySequence(&desk.window, QKeySequence::Close);
    QTRY_COMPARE(desk.window.pageCount(), 1);
    QCOMPARE(desk.viewState.recentFiles().size(), 2);
  }

  void droppedFilesOpen() {
    Desk desk;
    QVERIFY(test::dropFiles(&desk.window, {sample("digits_mlp")}));
    QCOMPARE(desk.window.pageCount(), 1);
  }

  void themesSwitch() {
    Desk desk;
    DocumentPage* page = desk.open(sample("digits_mlp"));
    QVERIFY(page);
    desk.themes.setMode(ThemeMode::kLight);
    QTest::qWait(20);
    const QRgb light = desk.window.grab().toImage().pixel(400, 500);
    desk.themes.setMode(ThemeMode::kDark);
    QTest::qWait(20);
    QVERIFY(qGray(desk.window.grab().toImage().pixel(400, 500)) < qGray(light) - 60);
    desk.themes.setMode(ThemeMode::kLight);
  }
};

QTEST_MAIN(TestWindow)
#include "tst_window.moc"
