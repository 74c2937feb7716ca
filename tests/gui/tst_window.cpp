// The window driven as a person would, by keyboard and mouse, over the real engine and the bundled samples.
#include <algorithm>

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QSemaphore>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTabBar>
#include <QTest>

#include "tests/gui/window_driver.h"
#include "tests/unit/ui/walk_fixture.h"
#include "ui/base/comfort.h"
#include "ui/canvas/overlay.h"
#include "ui/canvas/view/canvas_bar.h"
#include "ui/canvas/view/find_bar.h"
#include "ui/document/problem_list.h"
#include "ui/panels/run/run_controls.h"
#include "ui/shell/activity_bar.h"
#include "ui/shell/error_banner.h"
#include "ui/shell/panels_ahead.h"
#include "ui/shell/text_size.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::engineHost;
using test::sample;
using test::WindowDriver;

namespace {

// How often widgets are told to dress anew.
class StyleChanges : public QObject {
 public:
  StyleChanges() { qApp->installEventFilter(this); }
  int count() const { return m_count; }

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::StyleChange) ++m_count;
    return false;
  }

 private:
  int m_count = 0;
};

}  // namespace

class TestWindow : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  // Under a sheet a widget is dressed again, with all below it, each time that it is put into another one, and that was
  // most of what a start took. So nothing is dressed before the window is seen.
  void openingDressesWidgetsOnce() {
    qApp->setStyleSheet({});
    const QTemporaryDir folder;
    ViewState viewState(folder.filePath(QStringLiteral("settings.ini")));
    ThemeStore themes;
    StyleChanges changes;
    MainWindow window(engineHost(), {}, &viewState, &themes);
    DocumentPage* page = window.openFile(sample("digits_cnn"));
    QVERIFY(page);
    QVERIFY(qApp->styleSheet().isEmpty());
    const int unseen = changes.count();
    window.show();
    QVERIFY(!qApp->styleSheet().isEmpty());
    QTRY_VERIFY(page->canvas()->loaded().scene);
    const auto widgets = static_cast<int>(window.findChildren<QWidget*>().size());
    // A few widgets have sheets of their own; dressed first and filled then, they were told 1,763 times.
    QVERIFY2(unseen < widgets / 4, qPrintable(QString::number(unseen)));
    QVERIFY2(changes.count() < widgets * 5 / 2, qPrintable(QString::number(changes.count())));
  }

  void emptyWindowInvites() {
    WindowDriver driver;
    QCOMPARE(driver.window.pageCount(), 0);
    QVERIFY(!driver.window.ribbon()->isVisible());
    QVERIFY(!driver.window.findChildren<QPushButton*>("card").isEmpty());
  }

  // Panels that nobody looked at yet are made while the user rests, in turns; the first look finds them dressed.
  void panelsAreMadeWhileTheUserRests() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    auto* stack = qobject_cast<QStackedWidget*>(driver.window.stageDock()->widget());
    QVERIFY(stack);
    QCOMPARE(stack->count(), 1);
    const QWidget* shown = stack->currentWidget();
    const PanelsAhead ahead(&driver.window);
    for (int press = 0; press < 20; ++press) {  // whoever works is left alone
      driver.keys(Qt::Key_Down);
      QTest::qWait(20);
    }
    QCOMPARE(stack->count(), 1);
    QTRY_COMPARE(stack->count(), kStageCount);
    QTRY_VERIFY(ahead.complete());
    QCOMPARE(stack->currentWidget(), shown);
    for (int place = 0; place < stack->count(); ++place) {
      QVERIFY(stack->widget(place)->isVisible() == (stack->widget(place) == shown));
      for (const QWidget* child : stack->widget(place)->findChildren<QWidget*>())
        QVERIFY2(child->testAttribute(Qt::WA_WState_Polished), child->metaObject()->className());
    }
    for (int stage = 0; stage < kStageCount; ++stage)
      driver.go(static_cast<Stage>(stage));
    QCOMPARE(stack->count(), kStageCount);
  }

  void everyStageIsReachedByKey() {
    WindowDriver driver;
    DocumentPage* page = driver.open(sample("digits_cnn"));
    QVERIFY(page && !page->document()->error());
    for (int stage = 0; stage < kStageCount; ++stage) {
      QTest::keyClick(&driver.window, static_cast<Qt::Key>(Qt::Key_1 + stage), Qt::AltModifier);
      QTRY_COMPARE(page->document()->stage(), static_cast<Stage>(stage));
      if (stage <= static_cast<int>(Stage::kPattern)) {
        QCOMPARE(driver.window.ribbon()->button(static_cast<Stage>(stage))->state(), StageState::kDone);
        QVERIFY(!driver.window.ribbon()->button(static_cast<Stage>(stage))->headline().isEmpty());
      }
    }
  }

  void selectionSurvivesTheStages() {
    WindowDriver driver;
    DocumentPage* page = driver.open(sample("digits_cnn"));
    QVERIFY(page);
    CanvasPane* canvas = page->canvas();
    const int item = canvas->loaded().scene->itemOfNode[1];
    QTest::mouseClick(canvas->view(), Qt::LeftButton, {}, driver.pointOf(item));
    QCOMPARE(page->document()->selection().focus(), (NodeTarget{GraphVersion::kLoaded, 0, 1}));
    driver.window.ribbon()->button(Stage::kPartition)->click();
    QTRY_VERIFY(!canvas->loading());
    QVERIFY(!page->document()->selection().nodesIn(GraphVersion::kPartitioned, 0).empty());
    QTRY_VERIFY(!canvas->view()->look().selected.empty());
    QTest::keyClick(canvas->view(), Qt::Key_Escape);
    QVERIFY(page->document()->selection().empty());
  }

  void findStepsThroughHits() {
    WindowDriver driver;
    DocumentPage* page = driver.open(sample("digits_cnn"));
    QVERIFY(page);
    QTest::keyClick(&driver.window, Qt::Key_F, Qt::ControlModifier);
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
    WindowDriver driver;
    DocumentPage* page = driver.open(sample("digits_early_exit"));
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
    WindowDriver driver;
    DocumentPage* page = driver.open(sample("digits_cnn"));
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
                       driver.pointOf(static_cast<int>(item - folded->items.begin())));
    QTRY_VERIFY(canvas->loaded().scene->items.size() > folded->items.size());
  }

  void keysZoomAndFit() {
    WindowDriver driver;
    DocumentPage* page = driver.open(sample("digits_mlp"));
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
    session::SessionOptions options;
    options.threads = 1;
    WindowDriver driver(engineHost(), options);
    DocumentPage* page = driver.open(sample("digits_cnn"));
    QVERIFY(page);
    driver.window.ribbon()->button(Stage::kRun)->click();
    auto* controls = driver.window.findChild<RunControls*>();
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
    WindowDriver driver;
    DocumentPage* page = driver.open(sample("digits_mlp"));
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
    // The stage and its panel say that it failed, why, and what helps.
    StageButton* stage = driver.window.ribbon()->button(Stage::kRun);
    QCOMPARE(stage->state(), StageState::kFailed);
    QCOMPARE(stage->headline(), QStringLiteral("failed"));
    stage->click();
    const auto failure = [&] {
      const QList<QLabel*> labels = driver.window.findChildren<QLabel*>();
      const auto found = std::ranges::find(labels, QStringLiteral("Why the run failed"), &QLabel::accessibleName);
      return found != labels.end() && (*found)->isVisible() ? (*found)->text() : QString();
    };
    QTRY_VERIFY(failure().contains("/nonexistent/input.npy"));
    QVERIFY2(failure().contains(nextStep(page->document()->error()->code)), qPrintable(failure()));
    page->document()->service().run({});  // the window stays usable
    QTRY_VERIFY_WITH_TIMEOUT(page->document()->walk()->run, 60'000);
    QTRY_COMPARE(stage->state(), StageState::kDone);
    QVERIFY(failure().isEmpty());
  }

  // Made-up inputs have 1 for a size without a name, and the window sets no sizes with options.
  void madeUpSizesAreNamed() {
    WindowDriver driver;
    const QString path = driver.target("window_of_8.textproto");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"(ir_version: 8
opset_import { version: 17 }
graph {
  name: "g"
  node { name: "pool" op_type: "MaxPool" input: "x" output: "y" attribute { name: "kernel_shape" type: INTS ints: 8 } }
  input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 1 } dim { dim_value: 1 } dim { } } } } }
  output { name: "y" type { tensor_type { elem_type: 1 } } }
})");
    file.close();
    DocumentPage* page = driver.open(path);
    QVERIFY(page);
    page->document()->service().run({});
    QTRY_VERIFY(page->document()->error());
    const QString words = page->banner()->plainText();
    QVERIFY2(words.contains("random inputs have 1") && words.contains("under Inputs"), qPrintable(words));
  }

  void badFilesGiveAMessage_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("text") << QByteArray("this is no model");
    QTest::newRow("lfs pointer") << QByteArray("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n");
  }
  void badFilesGiveAMessage() {
    QFETCH(QByteArray, bytes);
    WindowDriver driver;
    const QString path = driver.folder.filePath("bad.onnx");
    QVERIFY(test::writeFile(path, bytes));
    DocumentPage* page = driver.open(path);
    QVERIFY(page);
    QVERIFY(page->document()->error());
    QTRY_VERIFY(page->banner()->isVisible());
    QVERIFY(page->banner()->plainText().contains("bad.onnx"));
    QCOMPARE(driver.window.ribbon()->button(Stage::kLoad)->state(), StageState::kFailed);
    DocumentPage* good = driver.open(sample("digits_mlp"));
    QVERIFY(good && !good->document()->error());
  }

  void missingFileGivesAMessage() {
    WindowDriver driver;
    DocumentPage* page = driver.open(QStringLiteral("/nonexistent/model.onnx"));
    QVERIFY(page && page->document()->error());
    QVERIFY(page->banner()->plainText().contains("/nonexistent/model.onnx"));
  }

  // Cancel frees the window although the engine is still busy, and what comes late is not shown.
  void cancelAnswersAtOnce() {
    auto host = engineHost();
    auto finished = std::make_shared<std::atomic<bool>>(false);
    auto goOn = std::make_shared<QSemaphore>();
    host->createSession = [finished, goOn](
                              const load::ModelSource&, const session::SessionOptions&, const ProviderTable&,
                              Progress& progress,
                              const session::WalkListener& listener) -> Result<std::unique_ptr<session::Session>> {
      progress.begin("Load", "a very large file");
      listener(test::failedWalk());
      while (!progress.cancelled())
        QThread::msleep(5);
      goOn->acquire();
      listener(test::sampleWalk());
      *finished = true;
      return fail(cancelledError());
    };
    WindowDriver driver(host);
    DocumentPage* page = driver.window.openFile("slow.onnx");
    QTRY_VERIFY(driver.window.activityBar()->words().contains("a very large file"));
    QVERIFY(driver.window.activityBar()->cancelButton()->isVisible());
    QTest::mouseClick(driver.window.activityBar()->cancelButton(), Qt::LeftButton);
    QVERIFY(!page->document()->service().busy());
    QVERIFY(!finished->load());  // the click did not wait for it
    goOn->release();
    QTRY_VERIFY(finished->load());
    QTest::qWait(50);
    QVERIFY(!page->document()->walk()->pattern);
  }

  void tabsHoldSeveralModels() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_mlp")));
    QVERIFY(driver.open(sample("digits_cnn")));
    QCOMPARE(driver.window.pageCount(), 2);
    driver.window.openFile(sample("digits_mlp"));
    QCOMPARE(driver.window.pageCount(), 2);
    QVERIFY(driver.window.currentPage()->document()->path().contains("digits_mlp"));
    QTest::keySequence(&driver.window, QKeySequence::Close);
    QTRY_COMPARE(driver.window.pageCount(), 1);
    QCOMPARE(driver.viewState.recentFiles().size(), 2);
  }

  void droppedFilesOpen() {
    WindowDriver driver;
    QVERIFY(test::dropFiles(&driver.window, {sample("digits_mlp")}));
    QCOMPARE(driver.window.pageCount(), 1);
  }

  // What does not fit gives way whole: figures in a shorter form, the bar's words and buttons.
  void narrowWindowCutsNothing_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("percent");
    QTest::newRow("1024x700") << QSize(1024, 700) << 100;
    QTest::newRow("1440x900, 200 %") << QSize(1440, 900) << 200;
  }
  void narrowWindowCutsNothing() {
    QFETCH(QSize, size);
    QFETCH(int, percent);
    WindowDriver driver;
    driver.viewState.put(QLatin1String(kTextScaleKey), percent);
    showTextSize(percent);
    const auto back = qScopeGuard([] { showTextSize(100); });
    driver.window.resize(1440, 900);
    QVERIFY(driver.open(sample("digits_cnn")));
    driver.window.resize(size);
    QTest::qWait(50);
    QCOMPARE(driver.window.size(), size);
    const auto* bar = driver.window.currentPage()->findChild<CanvasBar*>();
    QVERIFY(bar);
    int right = 0;
    for (int i = 0; i < bar->layout()->count(); ++i) {
      const QWidget* widget = bar->layout()->itemAt(i)->widget();
      if (!widget || !widget->isVisible()) continue;
      QVERIFY2(widget->x() >= right, qPrintable(widget->accessibleName()));
      // The list of overlays shortens the names in it, down to a width of its own.
      const int least = widget->minimumWidth() > 0 ? widget->minimumWidth() : widget->minimumSizeHint().width();
      QVERIFY2(widget->width() >= least, qPrintable(widget->accessibleName()));
      right = widget->geometry().right();
    }
    QVERIFY(right > 0 && right < bar->width());
    if (percent == 100)
      for (int stage = 0; stage < kStageCount; ++stage) {
        const StageButton* button = driver.window.ribbon()->button(static_cast<Stage>(stage));
        QVERIFY2(button->shortestWidth() <= button->width(), qPrintable(button->text()));
      }
    driver.keepPicture(qPrintable(QStringLiteral("narrow-") + QLatin1String(QTest::currentDataTag())));
  }

  void themesSwitch() {
    WindowDriver driver;
    DocumentPage* page = driver.open(sample("digits_mlp"));
    QVERIFY(page);
    driver.themes.setMode(ThemeMode::kLight);
    QTest::qWait(20);
    const QRgb light = driver.window.grab().toImage().pixel(400, 500);
    driver.themes.setMode(ThemeMode::kDark);
    QTest::qWait(20);
    QVERIFY(qGray(driver.window.grab().toImage().pixel(400, 500)) < qGray(light) - 60);
    driver.themes.setMode(ThemeMode::kLight);
  }
};

QTEST_MAIN(TestWindow)
#include "tst_window.moc"
