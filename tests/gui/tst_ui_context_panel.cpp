// Context models in the window, as a person works with them: preview, options, export, verify, Cancel in the middle, a
// foreign file, nodes inside of a context node.
#include <atomic>

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>

#include "tests/gui/context_window.h"
#include "tests/unit/ui/context_fixture.h"
#include "ui/canvas/overlay.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/find_bar.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/document/document.h"
#include "ui/panels/context/context_tables.h"
#include "ui/panels/context/export_form.h"
#include "ui/panels/context/export_page.h"
#include "ui/panels/context/nodes_page.h"
#include "ui/panels/linked_table.h"
#include "ui/shell/activity_bar.h"
#include "ui/shell/error_banner.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::ContextWindow;
using test::sample;

namespace {

// A session that only has a report, for windows that show and do not run.
class ReportSession : public session::Session {
 public:
  explicit ReportSession(std::shared_ptr<const WalkReport> walk) : m_walk(std::move(walk)) {}
  std::shared_ptr<const WalkReport> report() const override { return m_walk; }
  const Model& model() const override { return m_model; }
  std::vector<execute::NamedType> inputs() const override { return {}; }
  std::vector<execute::NamedType> outputs() const override { return {}; }
  Result<execute::RunResult> run(const std::vector<execute::Feed>&, const execute::RunOptions&) override {
    return fail(ErrorCode::kFail, "nothing runs here");
  }
  Result<execute::RunResult> run(session::IoBinding&, const execute::RunOptions&) override {
    return fail(ErrorCode::kFail, "nothing runs here");
  }
  int64_t measuredPeakBytes() const override { return 0; }

 private:
  std::shared_ptr<const WalkReport> m_walk;
  Model m_model;
};

std::shared_ptr<EngineHost> showing(std::shared_ptr<const WalkReport> walk) {
  auto host = std::make_shared<EngineHost>();
  host->createSession = [walk](const load::ModelSource&, const session::SessionOptions&, const ProviderTable&,
                               Progress&,
                               const session::WalkListener& listener) -> Result<std::unique_ptr<session::Session>> {
    if (listener) listener(walk);
    return std::make_unique<ReportSession>(walk);
  };
  return host;
}

std::shared_ptr<EngineHost> exporting(std::shared_ptr<std::vector<compile::CompileRequest>> asked) {
  auto host = showing(test::previewWalk());
  host->compileModel = [asked](const compile::CompileRequest& request, const ProviderTable&,
                               Progress& progress) -> Result<compile::Compiled> {
    progress.begin("Context", "compiling skeleton_0");
    asked->push_back(request);
    std::error_code ignored;
    if (request.failWhenOutputExists && std::filesystem::exists(request.outputFile, ignored))
      return fail(ErrorCode::kFail, "'{}' exists; tell the export to replace it", request.outputFile.string());
    QFile file(QString::fromStdString(request.outputFile.string()));
    if (!file.open(QIODevice::WriteOnly) || file.write("new") != 3) return fail(ErrorCode::kFail, "cannot write");
    auto walk = std::make_shared<WalkReport>(*test::previewWalk());
    auto context = std::make_shared<ContextReport>(*walk->context);
    context->written = {test::writtenReport(request.outputFile.parent_path().string())};
    walk->context = context;
    return compile::Compiled{walk, {}};
  };
  host->verifyContext = [](const compile::VerifyRequest&, const ProviderTable&,
                           Progress&) -> Result<ContextVerification> { return test::verificationReport(); };
  return host;
}

}  // namespace

class TestContextPanel : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  void previewIsLinkedToTheGraph() {
    ContextWindow driver(showing(test::previewWalk()));
    QVERIFY(driver.open(sample("digits_cnn")));
    QCOMPARE(driver.page->canvas()->overlayId(), QString("context"));
    auto* table = driver.bring<LinkedTable>("context/groups");
    QVERIFY(table && table->isVisible());
    driver.keepPicture("context-preview");
    QTest::mouseClick(table->view()->viewport(), Qt::LeftButton, {},
                      table->view()->visualRect(table->view()->model()->index(1, kGroupNodes)).center());
    QCOMPARE(driver.document().selection().nodesIn(GraphVersion::kOptimized, 0), (std::vector<int>{5, 6}));
    QTRY_COMPARE(driver.page->canvas()->view()->look().selected.size(), size_t{2});
    // The other way round: the group's first node on the graph chooses its row.
    driver.document().selection().selectNode({GraphVersion::kOptimized, 0, 0});
    QVERIFY(table->view()->selectionModel()->isRowSelected(0));
    QVERIFY(!table->view()->selectionModel()->isRowSelected(1));
  }

  void exportAsksVerifiesAndShowsItsFigures() {
    auto asked = std::make_shared<std::vector<compile::CompileRequest>>();
    session::SessionOptions options;
    options.providers = {"skeleton"};
    options.dims["batch"] = 2;
    options.pins = {{NodePin::Kind::kOperator, "Conv", "cpu"}};
    ContextWindow driver(exporting(asked), options);
    QVERIFY(driver.open(sample("digits_cnn")));
    ExportPage* page = driver.exportPage();
    QVERIFY(page && page->isVisible());
    QVERIFY(page->form()->fileLine()->text().endsWith("model_ctx.onnx"));
    page->form()->fileLine()->setText(driver.target("out_ctx.onnx"));
    page->form()->placeBox()->setCurrentIndex(1);
    page->form()->prefixLine()->setText("a_");
    page->form()->weightsBox()->setCurrentIndex(1);
    page->form()->weightsLine()->setText("rest.bin");
    page->form()->thresholdBox()->setValue(4);
    driver.keepPicture("context-export-form");
    QTest::mouseClick(page->exportButton(), Qt::LeftButton);
    QVERIFY(driver.idle());
    QTRY_VERIFY(driver.document().contexts().verification());
    QCOMPARE(asked->size(), size_t{1});
    const compile::CompileRequest& request = asked->front();
    QVERIFY(request.hasLevel && request.embed && request.failWhenOutputExists && request.failWhenNothingCompiled);
    QCOMPARE(request.session.optimizationLevel, 3);
    QCOMPARE(request.session.dims.at("batch"), int64_t{2});
    QCOMPARE(request.session.providers, std::vector<std::string>{"skeleton"});
    QCOMPARE(request.session.pins.size(), size_t{1});
    QCOMPARE(request.session.config.at("ep.context_node_name_prefix"), std::string("a_"));
    QCOMPARE(request.initializersFile, std::string("rest.bin"));
    QCOMPARE(request.initializersThresholdBytes, int64_t{4096});
    QVERIFY(page->result()->isVisible());
    QVERIFY2(page->words().contains("bit-identical"), qPrintable(page->words()));
    QVERIFY(page->result()->toPlainText().contains("34\u00d7 faster"));
    QCOMPARE(driver.window.ribbon()->button(Stage::kContext)->state(), StageState::kDone);
    driver.keepPicture("context-export-result");
    QTest::mouseClick(page->copyButton(), Qt::LeftButton);
    QVERIFY(QGuiApplication::clipboard()->text().startsWith("cutaway-cli context "));
    QTest::mouseClick(page->openButton(), Qt::LeftButton);
    QCOMPARE(driver.window.pageCount(), 2);
    QCOMPARE(driver.window.currentPage()->document()->path(), driver.target("out_ctx.onnx"));
  }

  void nothingIsReplacedUnasked() {
    auto asked = std::make_shared<std::vector<compile::CompileRequest>>();
    ContextWindow driver(exporting(asked));
    QVERIFY(driver.open(sample("digits_cnn")));
    ExportPage* page = driver.exportPage();
    const QString target = driver.target("there.onnx");
    QVERIFY(test::writeFile(target, "old"));
    page->form()->fileLine()->setText(target);
    QTest::mouseClick(page->exportButton(), Qt::LeftButton);
    QVERIFY(page->question().contains("there.onnx already exists"));
    QVERIFY(asked->empty());
    driver.keepPicture("context-export-question");
    QTest::mouseClick(page->keepButton(), Qt::LeftButton);
    QVERIFY(page->question().isEmpty() && asked->empty());
    QTest::mouseClick(page->exportButton(), Qt::LeftButton);
    QTest::mouseClick(page->replaceButton(), Qt::LeftButton);
    QVERIFY(driver.idle());
    QCOMPARE(asked->size(), size_t{1});
    QVERIFY(!asked->front().failWhenOutputExists);
    QFile file(target);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("new"));
  }

  void badTargetsAreNamedBeforehand_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("words");
    QTest::newRow("empty") << "" << "Name a file";
    QTest::newRow("no folder") << "/nonexistent/x.onnx" << "does not exist";
    QTest::newRow("folder") << QDir::currentPath() << "is a folder";
    QTest::newRow("no ending") << QDir::current().filePath("model") << "ending";
    QTest::newRow("itself") << sample("digits_cnn") << "the model itself";
  }
  void badTargetsAreNamedBeforehand() {
    QFETCH(QString, file);
    QFETCH(QString, words);
    ContextWindow driver(exporting(std::make_shared<std::vector<compile::CompileRequest>>()));
    QVERIFY(driver.open(sample("digits_cnn")));
    ExportPage* page = driver.exportPage();
    page->form()->fileLine()->setText(file);
    QVERIFY2(page->words().contains(words), qPrintable(page->words()));
    QVERIFY(!page->exportButton()->isEnabled());
  }

  void errorsOfAnExportAreShownInPlace() {
    auto host = showing(test::previewWalk());
    host->compileModel = [](const compile::CompileRequest&, const ProviderTable&,
                            Progress&) -> Result<compile::Compiled> {
      return fail(ErrorCode::kEpFail, "skeleton cannot keep 'skeleton_0': the disk is full; free some room");
    };
    ContextWindow driver(host);
    QVERIFY(driver.open(sample("digits_cnn")));
    ExportPage* page = driver.exportPage();
    page->form()->fileLine()->setText(driver.target("x.onnx"));
    QTest::mouseClick(page->exportButton(), Qt::LeftButton);
    QVERIFY(driver.idle());
    QVERIFY2(page->words().contains("EP_FAIL") && page->words().contains("free some room"), qPrintable(page->words()));
    QVERIFY(page->exportButton()->isVisible() && page->exportButton()->isEnabled());
    QCOMPARE(driver.window.ribbon()->button(Stage::kContext)->state(), StageState::kFailed);
    QCOMPARE(driver.window.ribbon()->button(Stage::kContext)->headline(), QStringLiteral("export failed"));
    QVERIFY(!driver.document().error());
    driver.keepPicture("context-export-error");
  }

  void cancelInTheMiddleLeavesNothing() {
    auto host = showing(test::previewWalk());
    auto started = std::make_shared<std::atomic<bool>>(false), ended = std::make_shared<std::atomic<bool>>(false);
    host->compileModel = [started, ended](const compile::CompileRequest&, const ProviderTable&,
                                          Progress& progress) -> Result<compile::Compiled> {
      progress.begin("Context", "compiling skeleton_0");
      *started = true;
      while (!progress.cancelled())
        QThread::msleep(2);
      *ended = true;
      return fail(cancelledError());
    };
    ContextWindow driver(host);
    QVERIFY(driver.open(sample("digits_cnn")));
    ExportPage* page = driver.exportPage();
    page->form()->fileLine()->setText(driver.target("x.onnx"));
    QTest::mouseClick(page->exportButton(), Qt::LeftButton);
    QTRY_VERIFY(started->load());
    QTRY_VERIFY(page->words().contains("compiling skeleton_0"));
    QVERIFY(driver.window.activityBar()->words().contains("Exporting"));
    QCOMPARE(driver.window.ribbon()->button(Stage::kContext)->state(), StageState::kRunning);
    driver.keepPicture("context-export-running");
    QCOMPARE(page->exportButton()->text(), QStringLiteral("Cancel"));
    QTest::mouseClick(page->exportButton(), Qt::LeftButton);
    QVERIFY(!driver.document().service().busy());
    QVERIFY(page->words().contains("Nothing was written"));
    QTRY_VERIFY(ended->load());
    QTest::qWait(50);
    QVERIFY(driver.filesThere().isEmpty());
    QCOMPARE(driver.window.ribbon()->button(Stage::kContext)->state(), StageState::kCancelled);
    QVERIFY(!driver.document().error());
  }

  // The file stood before the cancellation could be seen: that is said, not hidden.
  void exportThatWasThroughIsNotDenied() {
    auto asked = std::make_shared<std::vector<compile::CompileRequest>>();
    auto host = exporting(asked);
    auto started = std::make_shared<std::atomic<bool>>(false);
    host->compileModel = [inner = host->compileModel, started](const compile::CompileRequest& request,
                                                               const ProviderTable& table,
                                                               Progress& progress) -> Result<compile::Compiled> {
      auto done = inner(request, table, progress);
      *started = true;
      while (!progress.cancelled())
        QThread::msleep(2);
      return done;
    };
    ContextWindow driver(host);
    QVERIFY(driver.open(sample("digits_cnn")));
    ExportPage* page = driver.exportPage();
    page->form()->fileLine()->setText(driver.target("x.onnx"));
    QTest::mouseClick(page->exportButton(), Qt::LeftButton);
    QTRY_VERIFY(started->load());
    driver.document().service().cancel();
    QTRY_VERIFY2(page->words().contains("before it could be stopped"), qPrintable(page->words()));
  }

  void foreignModelIsShownAndExplained() {
    auto host = std::make_shared<EngineHost>();
    host->createSession = [](const load::ModelSource&, const session::SessionOptions& options, const ProviderTable&,
                             Progress&,
                             const session::WalkListener& listener) -> Result<std::unique_ptr<session::Session>> {
      auto walk = std::make_shared<WalkReport>(*test::compiledWalk(test::Maker::kForeign));
      if (!options.prepareRun) return std::make_unique<ReportSession>(walk);
      Error error{ErrorCode::kNotImplemented,
                  "'compiled' was compiled by 'QNNExecutionProvider', which is none of cpu",
                  {"", "compiled", ""}};
      walk->partitionedGraphs.reset();
      walk->context.reset();
      walk->error = error;
      listener(walk);
      return fail(error);
    };
    ContextWindow driver(host);
    QVERIFY(driver.open(sample("digits_cnn")));
    QTRY_VERIFY(driver.document().planOnly());
    QVERIFY(driver.page->banner()->isVisible());
    QVERIFY(driver.document().walk()->partitionedGraphs && driver.document().walk()->context);
    auto* nodes = driver.bring<NodesPage>("context/nodesPage");
    QVERIFY(nodes && nodes->isVisible());
    const QString words = nodes->page()->toPlainText();
    for (const char* wanted : {"Qualcomm QNN", "HTP v73", "None of the providers", "compiled_qnn.bin", "failed"})
      QVERIFY2(words.contains(QLatin1String(wanted)), wanted);
    QVERIFY(!driver.window.findChild<ExportPage*>()->isVisible());
    QVERIFY(driver.window.activityBar()->words().contains("cannot run here"));
    QCOMPARE(driver.window.ribbon()->button(Stage::kRun)->headline(), QStringLiteral("cannot run here"));
    driver.keepPicture("context-foreign");
    driver.document().run();  // said in words, not by a crash
    QTRY_VERIFY(driver.document().error() &&
                driver.document().error()->message.find("This model cannot run here") != std::string::npos);
  }

  void contextNodesAreEnteredFoundAndLeft() {
    ContextWindow driver(showing(test::compiledWalk()));
    QVERIFY(driver.open(sample("digits_cnn")));
    CanvasPane* canvas = driver.page->canvas();
    QTRY_VERIFY(canvas->loaded().scene);
    driver.document().selection().selectNode({GraphVersion::kPartitioned, 0, 1});
    driver.keepPicture("context-nodes");
    canvas->view()->setFocus();
    QTest::keyClick(canvas->view(), Qt::Key_Return);
    QTRY_VERIFY(canvas->graph() == 1 && canvas->loaded().scene);
    const QPoint at =
        canvas->view()
            ->transform()
            .toScreen(
                canvas->loaded().scene->items[static_cast<size_t>(canvas->loaded().scene->itemOfNode[2])].rect.center())
            .toPoint();
    QTest::mouseClick(canvas->view(), Qt::LeftButton, {}, at);
    QCOMPARE(driver.document().selection().focus(), (NodeTarget{GraphVersion::kPartitioned, 1, 2}));
    QCOMPARE(driver.document().selection().stepIn(GraphVersion::kPartitioned),
             (NodeTarget{GraphVersion::kPartitioned, 0, 1}));
    driver.keepPicture("context-inside");
    // Another stage keeps the place and the selection.
    driver.window.ribbon()->button(Stage::kLoad)->click();
    QTRY_VERIFY(!canvas->loading() && canvas->loaded().scene && canvas->graph() == 1);
    QTRY_COMPARE(canvas->view()->look().selected.size(), size_t{1});
    QTest::keyClick(canvas->view(), Qt::Key_Backspace);
    QTRY_VERIFY(canvas->graph() == 0 && canvas->loaded().scene);
    QCOMPARE(driver.document().selection().focus(), (NodeTarget{GraphVersion::kLoaded, 0, 0}));
    QTest::keyClick(&driver.window, Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(canvas->findBar()->isVisible());
    QTest::keyClicks(canvas->findBar()->line(), "inner/conv2");
    QTest::qWait(100);
    QTest::keyClick(canvas->findBar()->line(), Qt::Key_Return);
    QTRY_COMPARE(canvas->graph(), 1);
    bool named = false;
    for (const QLabel* label : canvas->findBar()->findChildren<QLabel*>())
      named = named || label->text().contains("inside of 'compiled'");
    QVERIFY(named);
    driver.keepPicture("context-found");
  }
};

QTEST_MAIN(TestContextPanel)
#include "tst_ui_context_panel.moc"
