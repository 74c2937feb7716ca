// ONNX Runtime beside this engine, in the window: asking, the ribbon's second line, the tables, errors, cancelling.
#include <atomic>
#include <thread>

#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include "tests/gui/window_driver.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/linked_table.h"
#include "ui/shell/tool_docks.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::kPatienceMs;
using test::WindowDriver;

namespace {

// The name that the open model's first node of this operator gives its first output.
std::string outputOf(const Document& document, const char* opType) {
  const GraphReport& graph = document.walk()->loadedGraphs->graphs.front();
  for (const NodeReport& node : graph.nodes)
    if (node.opType == opType) return graph.values[static_cast<size_t>(node.outputs.front())].name;
  return {};
}

SecondOpinion invented(const std::string& output) {
  SecondOpinion opinion{.engine = "onnxruntime", .version = "1.31.1", .library = "/lib/libonnxruntime.so"};
  opinion.threads = "1 thread";
  opinion.stages = {{.stage = OpinionStage::kModel, .ours = "1 inputs, 1 outputs", .theirs = "1 inputs, 1 outputs"},
                    {.stage = OpinionStage::kOptimize,
                     .ours = "19 -> 15 nodes",
                     .theirs = "19 -> 14 nodes",
                     .rows = {{.what = "nodes", .ours = "15", .theirs = "14"}},
                     .differences = {{.what = "FusedConv",
                                      .ours = "1",
                                      .theirs = "2",
                                      .rule = "other fusion",
                                      .explanation = "one engine joins these nodes"}}},
                    {.stage = OpinionStage::kMemory,
                     .ours = "block 8 KB",
                     .theirs = "block 9 KB",
                     .differences = {{.what = "block", .ours = "8 KB", .theirs = "9 KB"}}},
                    {.stage = OpinionStage::kRun, .ours = "1.0 ms", .theirs = "2.0 ms"},
                    {.stage = OpinionStage::kOutputs, .problem = "it did not run"}};
  opinion.nodes = {{.node = "n0", .opType = "Conv", .output = output, .stepOurs = 0, .stepTheirs = 0}};
  return opinion;
}

// A window whose ONNX Runtime answers what a test says.
std::shared_ptr<EngineHost> hostThat(EngineHost::AskOnnxruntime answer) {
  auto host = test::engineHost();
  host->askOnnxruntime = std::move(answer);
  return host;
}

QWidget* panelOf(WindowDriver& driver) {
  return driver.window.tools()->dock(QStringLiteral("opinion"));
}

// Every text of the panel that is on screen.
QString wordsOn(QWidget* panel) {
  QStringList words;
  for (const QLabel* label : panel->findChildren<QLabel*>())
    if (label->isVisible()) words << label->text();
  return words.join(QLatin1Char('\n'));
}

QTableView* tableAt(WindowDriver& driver, int tab) {
  auto* tabs = panelOf(driver)->findChild<QTabWidget*>();
  tabs->setCurrentIndex(tab);
  QCoreApplication::processEvents();
  return static_cast<LinkedTable*>(tabs->currentWidget())->view();
}

bool anyCell(const QTableView& view, const QString& words) {
  for (int row = 0; row < view.model()->rowCount(); ++row)
    for (int column = 0; column < view.model()->columnCount(); ++column)
      if (view.model()->index(row, column).data().toString().contains(words)) return true;
  return false;
}

}  // namespace

class TestOpinionWindow : public QObject {
  Q_OBJECT

 private slots:
  void everyStageStandsBesideTheOthers() {
    std::string output;
    WindowDriver driver(
        hostThat([&](const auto&, const auto&, auto, Progress&) -> Result<SecondOpinion> { return invented(output); }));
    QVERIFY(driver.open(test::sample("digits_cnn")));
    output = outputOf(driver.document(), "Conv");
    StageButton* optimize = driver.window.ribbon()->button(Stage::kOptimize);
    const int before = driver.window.ribbon()->height();
    QVERIFY(!optimize->other());

    driver.keys(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().opinion().opinion(), kPatienceMs);
    QVERIFY(panelOf(driver)->isVisible());
    QCOMPARE(optimize->other()->words, QStringLiteral("19 \u2192 14 nodes"));
    QCOMPARE(optimize->other()->mark, OpinionMark::kExplained);
    QVERIFY(optimize->toolTip().contains(QStringLiteral("ONNX Runtime 19 \u2192 14 nodes")));
    QCOMPARE(driver.window.ribbon()->button(Stage::kLoad)->other()->mark, OpinionMark::kSame);
    QCOMPARE(driver.window.ribbon()->button(Stage::kPattern)->other()->mark, OpinionMark::kUnexplained);
    QCOMPARE(driver.window.ribbon()->button(Stage::kRun)->other()->mark, OpinionMark::kNotCompared);
    QCOMPARE(driver.window.ribbon()->button(Stage::kResolve)->other()->mark, OpinionMark::kNone);
    QTRY_VERIFY(driver.window.ribbon()->height() > before);
    const QString said = wordsOn(panelOf(driver));
    QVERIFY2(said.contains(QStringLiteral("differences: 2, \u2260 1 of them unexplained")), qPrintable(said));
    QCOMPARE(tableAt(driver, 0)->model()->rowCount(), 5);
    QVERIFY(anyCell(*tableAt(driver, 1), QStringLiteral("other fusion")));
    QVERIFY(tableAt(driver, 1)->model()->index(0, 4).data().toString().contains(QStringLiteral("unexplained")));
    QVERIFY(anyCell(*tableAt(driver, 2), QStringLiteral("exact")));
    driver.keepPicture("opinion-invented");

    QTableView* nodes = tableAt(driver, 3);
    QTest::mouseClick(nodes->viewport(), Qt::LeftButton, {}, nodes->visualRect(nodes->model()->index(0, 2)).center());
    const NodeTarget chosen = driver.document().selection().focusIn(GraphVersion::kLoaded);
    QVERIFY(chosen.valid());
    QCOMPARE(driver.document().node(chosen)->opType, std::string("Conv"));

    driver.keys(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);  // off again
    QVERIFY(!driver.document().opinion().on());
    QVERIFY(!optimize->other());
    QTRY_COMPARE(driver.window.ribbon()->height(), before);
  }

  void missingLibrarySaysHowToGetIt() {
    std::atomic<int> asked = 0;
    WindowDriver driver(hostThat([&](const auto&, const auto&, auto, Progress&) -> Result<SecondOpinion> {
      ++asked;
      return fail(ErrorCode::kNotFound, "ONNX Runtime's library is not found; pip install onnxruntime");
    }));
    QVERIFY(driver.open(test::sample("digits_cnn")));
    driver.window.tools()->raise(QStringLiteral("opinion"));
    auto* empty = panelOf(driver)->findChild<EmptyState*>();
    QTRY_VERIFY(empty->button()->isVisible());
    QTest::mouseClick(empty->button(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().opinion().error(), kPatienceMs);
    const QString said = wordsOn(panelOf(driver));
    QVERIFY2(said.contains(QStringLiteral("ONNX Runtime was not found")), qPrintable(said));
    QVERIFY2(said.contains(QStringLiteral("pip install onnxruntime")), qPrintable(said));
    driver.keepPicture("opinion-missing");
    QTest::mouseClick(empty->button(), Qt::LeftButton);  // try again
    QTRY_COMPARE(asked.load(), 2);
    QTRY_VERIFY(driver.idle());
  }

  void refusalIsAVerdict() {
    WindowDriver driver(hostThat([](const auto&, const auto&, auto, Progress&) -> Result<SecondOpinion> {
      SecondOpinion opinion = invented({});
      opinion.verdict = "No Op registered for Foo";
      opinion.stages.clear();
      opinion.nodes.clear();
      return opinion;
    }));
    QVERIFY(driver.open(test::sample("digits_cnn")));
    driver.keys(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().opinion().opinion(), kPatienceMs);
    const QString said = wordsOn(panelOf(driver));
    QVERIFY2(said.contains(QStringLiteral("refuses this model: No Op registered for Foo")), qPrintable(said));
    QCOMPARE(driver.window.ribbon()->button(Stage::kLoad)->other()->mark, OpinionMark::kUnexplained);
    QVERIFY(!driver.document().error());
  }

  void cancelLeavesTheWindowAsItWas() {
    std::atomic<bool> stopped = false;
    WindowDriver driver(hostThat([&](const auto&, const auto&, auto, Progress& progress) -> Result<SecondOpinion> {
      while (!progress.cancelled())
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      stopped = true;
      return fail(cancelledError());
    }));
    QVERIFY(driver.open(test::sample("digits_cnn")));
    driver.keys(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(driver.document().opinion().busy());
    QTRY_VERIFY(wordsOn(panelOf(driver)).contains(QStringLiteral("is being asked")));
    driver.keys(Qt::Key_Period, Qt::ControlModifier);
    QVERIFY(!driver.document().opinion().on());
    QVERIFY(!driver.document().error());
    QTRY_VERIFY(stopped);
    QVERIFY(!driver.window.ribbon()->button(Stage::kLoad)->other());
  }

  // The library of this machine, or how to get it.
  void realOneAnswersOrSaysHowToGetIt() {
    WindowDriver driver;
    QVERIFY(driver.open(qEnvironmentVariable("CUTAWAY_MODEL", test::sample("digits_cnn"))));
    driver.window.resize(1024, 700);
    driver.keys(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!driver.document().opinion().busy(), kPatienceMs);
    const OpinionController& opinion = driver.document().opinion();
    if (opinion.error()) {
      QCOMPARE(opinion.error()->code, ErrorCode::kNotFound);
      QVERIFY(wordsOn(panelOf(driver)).contains(QStringLiteral("onnxruntime")));
      return;
    }
    QVERIFY(opinion.opinion()->verdict.empty());
    QCOMPARE(opinion.opinion()->stages.size(), size_t{kOpinionStageCount});
    QVERIFY(driver.window.ribbon()->button(Stage::kOptimize)->other()->words.contains(QStringLiteral("nodes")));
    driver.keepPicture("opinion-stages");
    QVERIFY(tableAt(driver, 3)->model()->rowCount() > 0);
    driver.keepPicture("opinion-nodes");
    QVERIFY(tableAt(driver, 2)->model()->rowCount() > 0);
    driver.keepPicture("opinion-figures");
    tableAt(driver, 1);
    driver.keepPicture("opinion-differences");
  }
};

QTEST_MAIN(TestOpinionWindow)
#include "tst_opinion_window.moc"
