// ONNX Runtime beside this engine, in the window: asking, the ribbon's second line, the tables, errors, cancelling.
#include <atomic>
#include <thread>

#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QScopeGuard>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include "tests/gui/window_driver.h"
#include "ui/base/comfort.h"
#include "ui/base/table_model.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/linked_table.h"
#include "ui/shell/text_size.h"
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

// output: of the open model's first Conv.
SecondOpinion invented(const std::string& output) {
  SecondOpinion opinion{.engine = "onnxruntime", .version = "1.31.1", .library = "/lib/libonnxruntime.so"};
  opinion.threads = "1 thread";
  opinion.stages = {{.stage = OpinionStage::kModel, .ours = "1 input, 1 output", .theirs = "1 input, 1 output"},
                    {.stage = OpinionStage::kOptimize,
                     .ours = "19 -> 15 nodes",
                     .theirs = "19 -> 14 nodes",
                     .rows = {{.what = "nodes", .ours = "15", .theirs = "14"}},
                     .differences = {{.what = "FusedConv",
                                      .ours = "1",
                                      .theirs = "2",
                                      .rule = "their pass",
                                      .explanation = "one engine joins these nodes",
                                      .values = {output}}}},
                    {.stage = OpinionStage::kPartition,
                     .ours = "15 cpu",
                     .theirs = "14 CPUExecutionProvider, 1 CUDAExecutionProvider"},
                    {.stage = OpinionStage::kMemory,
                     .ours = "block 8 KB",
                     .theirs = "block 9 KB",
                     .differences = {{.what = "block", .ours = "8 KB", .theirs = "9 KB"}}},
                    {.stage = OpinionStage::kSession,
                     .ours = "3 ms",
                     .theirs = "3 ms",
                     .rows = {{.what = "making it", .ours = "3 ms", .theirs = "3 ms", .figure = "measured once"}}},
                    {.stage = OpinionStage::kRun, .ours = "1 ms (1 ms to 2 ms)", .theirs = "2 ms (1 ms to 3 ms)"},
                    {.stage = OpinionStage::kOutputs, .problem = "it did not run"}};
  opinion.nodes = {{.node = "n0",
                    .opType = "Conv",
                    .output = output,
                    .stepOurs = 0,
                    .stepTheirs = 0,
                    .timeOurs = {2000, 1000, 3000},
                    .timeTheirs = {8000, 7000, 9000}},
                   {.node = "n1", .opType = "Relu", .stepOurs = 1, .timeOurs = {4000, 4000, 4000}}};
  opinion.nodeRunsOurs = 20;
  opinion.nodeRunsTheirs = 19;
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

enum Tab { kStages, kDifferences, kFigures, kNodes };
QTabWidget* tabsOf(WindowDriver& driver) {
  return panelOf(driver)->findChild<QTabWidget*>();
}

QTableView* tableAt(WindowDriver& driver, Tab tab) {
  QTabWidget* tabs = tabsOf(driver);
  QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(tab).center());
  QCoreApplication::processEvents();
  QWidget* page = tabs->currentWidget();
  auto* table = qobject_cast<QTableView*>(page);
  return table ? table : static_cast<LinkedTable*>(page)->view();
}

void clickRow(QTableView* table, int row) {
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(row, 2)).center());
}

QString cell(const QTableView* table, int row, int column) {
  return table->model()->index(row, column).data().toString();
}

// The switch of the menu; it waits for the answer.
void compare(WindowDriver& driver) {
  driver.keys(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(QTest::qWaitFor([&] { return !driver.document().opinion().busy(); }, kPatienceMs));
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

 private:
  // A window on a sample whose ONNX Runtime gives the invented answer about its first Conv.
  struct Asked {
    std::string output;
    WindowDriver driver{hostThat(
        [this](const auto&, const auto&, auto, Progress&) -> Result<SecondOpinion> { return invented(output); })};
    bool open() {
      if (!driver.open(test::sample("digits_cnn"))) return false;
      output = outputOf(driver.document(), "Conv");
      return !output.empty();
    }
    OtherLine line(Stage stage) { return *driver.window.ribbon()->button(stage)->other(); }
  };

 private slots:
  void everyStageStandsBesideTheOthers() {
    Asked asked;
    QVERIFY(asked.open());
    WindowDriver& driver = asked.driver;
    StageButton* optimize = driver.window.ribbon()->button(Stage::kOptimize);
    const int before = driver.window.ribbon()->height();
    QVERIFY(!optimize->other());

    compare(driver);
    QVERIFY(panelOf(driver)->isVisible());
    QCOMPARE(asked.line(Stage::kOptimize).words, QStringLiteral("19 \u2192 14 nodes"));
    QCOMPARE(asked.line(Stage::kOptimize).mark, OpinionMark::kExplained);
    QVERIFY(optimize->toolTip().contains(QStringLiteral("ONNX Runtime 19 \u2192 14 nodes")));
    QCOMPARE(asked.line(Stage::kResolve).mark, OpinionMark::kSame);
    QCOMPARE(asked.line(Stage::kPattern).mark, OpinionMark::kUnexplained);
    QCOMPARE(asked.line(Stage::kRun).mark, OpinionMark::kNotCompared);  // its outputs
    QCOMPARE(asked.line(Stage::kLoad).mark, OpinionMark::kNone);
    QCOMPARE(asked.line(Stage::kPartition).words, QStringLiteral("14 CPU, 1 CUDA"));
    QCOMPARE(asked.line(Stage::kRun).words, QStringLiteral("2 ms"));  // the spread is in the tool tip
    QVERIFY(asked.line(Stage::kRun).toolTip.contains(QStringLiteral("2 ms (1 ms to 3 ms)")));
    QTRY_VERIFY(driver.window.ribbon()->height() > before);
    const QString said = wordsOn(panelOf(driver));
    QVERIFY2(said.contains(QStringLiteral("differences: 2, \u2260 1 of them unexplained")), qPrintable(said));
    QVERIFY2(said.contains(QStringLiteral("Not compared: 1 of 7")), qPrintable(said));
    driver.keepPicture("opinion-invented");
    QTableView* stages = tableAt(driver, kStages);
    QCOMPARE(stages->model()->rowCount(), 7);
    QCOMPARE(cell(stages, 1, 1), QStringLiteral("19 \u2192 15 nodes"));
    QCOMPARE(cell(stages, 1, 2), QStringLiteral("19 \u2192 14 nodes"));
    QCOMPARE(cell(stages, 1, 3), QStringLiteral("\u2248 1 explained"));
    QCOMPARE(cell(stages, 3, 3), QStringLiteral("\u2260 1 of 1 unexplained"));
    QTableView* differences = tableAt(driver, kDifferences);
    QVERIFY(anyCell(*differences, QStringLiteral("their pass")));
    QCOMPARE(cell(differences, 0, 4), QStringLiteral("\u2260 unexplained"));  // first of all
    QVERIFY(anyCell(*tableAt(driver, kFigures), QStringLiteral("exact")));

    driver.keys(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);  // off again
    QVERIFY(!driver.document().opinion().on());
    QVERIFY(!optimize->other());
    QTRY_COMPARE(driver.window.ribbon()->height(), before);
  }

  // Equal times are no agreement, and unequal ones no difference.
  void timesAreMeasuredNeverTheSame() {
    Asked asked;
    QVERIFY(asked.open());
    compare(asked.driver);
    QTableView* stages = tableAt(asked.driver, kStages);
    QCOMPARE(cell(stages, 4, 0), QStringLiteral("Session"));
    QCOMPARE(cell(stages, 4, 3), QStringLiteral("\u00b1 measured"));
    QCOMPARE(cell(stages, 5, 3), QStringLiteral("\u00b1 measured"));
    QTableView* nodes = tableAt(asked.driver, kNodes);
    const auto head = [&](int column) { return nodes->model()->headerData(column, Qt::Horizontal).toString(); };
    QCOMPARE(head(5), QStringLiteral("Cutaway, median of 20"));
    QCOMPARE(head(6), QStringLiteral("ONNX Runtime, median of 19"));
    QCOMPARE(cell(nodes, 0, 6), QStringLiteral("8 µs (7 µs to 9 µs)"));
    QCOMPARE(nodes->model()->index(0, 5).data(kShareRole).toDouble(), 0.25);  // one scale for both
    QCOMPARE(nodes->model()->index(0, 6).data(kShareRole).toDouble(), 1.0);
    QCOMPARE(cell(nodes, 1, 6), QString());
    QCOMPARE(cell(nodes, 0, 0), QStringLiteral("="));
    QCOMPARE(cell(nodes, 1, 0), QStringLiteral("\u2260 only here"));
  }

  void aClickOnAStageLeadsToWhatDiffersAndToItsNode() {
    Asked asked;
    QVERIFY(asked.open());
    WindowDriver& driver = asked.driver;
    compare(driver);
    clickRow(tableAt(driver, kStages), 1);
    QCOMPARE(tabsOf(driver)->currentIndex(), int{kDifferences});
    QCOMPARE(tabsOf(driver)->tabText(kDifferences), QStringLiteral("Differences (1 of 2)"));
    QCOMPARE(driver.document().stage(), Stage::kOptimize);
    const NodeTarget chosen = driver.document().selection().focusIn(GraphVersion::kLoaded);
    QVERIFY(chosen.valid());
    QCOMPARE(driver.document().node(chosen)->opType, std::string("Conv"));
    driver.keepPicture("opinion-stage-chosen");

    QPushButton* all = nullptr;
    for (auto* button : panelOf(driver)->findChildren<QPushButton*>())
      if (button->isVisible() && button->text() == QStringLiteral("Show all")) all = button;
    QVERIFY(all);
    QTest::mouseClick(all, Qt::LeftButton);
    QCOMPARE(tabsOf(driver)->tabText(kDifferences), QStringLiteral("Differences (2)"));

    // One difference alone: from the table to the graph.
    driver.document().selection().clear();
    clickRow(tableAt(driver, kDifferences), 1);
    QCOMPARE(driver.document().selection().focusIn(GraphVersion::kLoaded), chosen);
    // And one node.
    driver.document().selection().clear();
    clickRow(tableAt(driver, kNodes), 0);
    QCOMPARE(driver.document().selection().focusIn(GraphVersion::kLoaded), chosen);
    // Where nothing differs there are figures.
    clickRow(tableAt(driver, kStages), 4);
    QCOMPARE(tabsOf(driver)->currentIndex(), int{kFigures});
    QCOMPARE(tableAt(driver, kFigures)->model()->rowCount(), 1);
  }

  void theRibbonChoosesWhatIsListed() {
    Asked asked;
    QVERIFY(asked.open());
    WindowDriver& driver = asked.driver;
    compare(driver);
    QTableView* differences = tableAt(driver, kDifferences);
    QCOMPARE(differences->model()->rowCount(), 2);
    QTest::mouseClick(driver.window.ribbon()->button(Stage::kPattern), Qt::LeftButton);
    QCOMPARE(differences->model()->rowCount(), 1);
    QCOMPARE(cell(differences, 0, 1), QStringLiteral("block"));
    QTest::mouseClick(driver.window.ribbon()->button(Stage::kOptimize), Qt::LeftButton);
    QCOMPARE(cell(differences, 0, 1), QStringLiteral("FusedConv"));
  }

  void nothingIsCut_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("percent");
    QTest::addColumn<int>("rows");
    QTest::newRow("1440x900") << QSize(1440, 900) << 100 << 7;
    QTest::newRow("1024x700") << QSize(1024, 700) << 100 << 5;
    QTest::newRow("1440x900, 200 %") << QSize(1440, 900) << 200 << 2;  // the graph keeps its strip
  }
  void nothingIsCut() {
    QFETCH(QSize, size);
    QFETCH(int, percent);
    QFETCH(int, rows);
    Asked asked;
    QVERIFY(asked.open());
    WindowDriver& driver = asked.driver;
    driver.viewState.put(QLatin1String(kTextScaleKey), percent);
    showTextSize(percent);
    const auto back = qScopeGuard([] { showTextSize(100); });
    driver.window.resize(size);
    compare(driver);
    QTableView* stages = tableAt(driver, kStages);
    QTest::qWait(50);
    QCOMPARE(driver.window.size(), size);
    if (percent == 100)
      for (int stage = 0; stage < kStageCount; ++stage) {
        const StageButton* button = driver.window.ribbon()->button(static_cast<Stage>(stage));
        QVERIFY2(button->shortestWidth() <= button->width(), qPrintable(button->text()));
      }
    driver.keepPicture(QTest::currentDataTag());
    const int shown = stages->viewport()->height() / stages->rowHeight(0);
    QVERIFY2(shown >= rows, qPrintable(QString::number(shown)));
  }

  void whatWentWrongIsSaidWhole_data() {
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("title");
    QTest::newRow("missing") << int(ErrorCode::kNotFound)
                             << "ONNX Runtime's library is not found; looked in /a, /b and /c; pip install onnxruntime"
                             << "ONNX Runtime was not found";
    QTest::newRow("too old") << int(ErrorCode::kEpFail)
                             << "/lib/libonnxruntime.so.1.20.0 is ONNX Runtime 1.20.0, and at least 1.24 is needed"
                             << "There is no comparison";
    QTest::newRow("killed") << int(ErrorCode::kEpFail)
                            << "the host process of ONNX Runtime was killed by signal 9; its last words: out of memory"
                            << "There is no comparison";
  }
  void whatWentWrongIsSaidWhole() {
    QFETCH(int, code);
    QFETCH(QString, message);
    std::atomic<int> asked = 0;
    WindowDriver driver(hostThat([&](const auto&, const auto&, auto, Progress&) -> Result<SecondOpinion> {
      if (++asked == 2) return invented({});
      return fail(static_cast<ErrorCode>(code), "{}", message.toStdString());
    }));
    QVERIFY(driver.open(test::sample("digits_cnn")));
    driver.window.tools()->raise(QStringLiteral("opinion"));
    auto* empty = panelOf(driver)->findChild<EmptyState*>();
    QTRY_VERIFY(empty->button()->isVisible());
    QTest::mouseClick(empty->button(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().opinion().error(), kPatienceMs);
    QTEST(empty->title(), "title");
    const QString said = wordsOn(panelOf(driver));
    QVERIFY2(said.contains(message), qPrintable(said));
    for (const QLabel* label : empty->findChildren<QLabel*>())
      QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
    driver.keepPicture(qPrintable(QStringLiteral("opinion-error-") + QLatin1String(QTest::currentDataTag())));
    QVERIFY(!driver.document().error());
    QTest::mouseClick(empty->button(), Qt::LeftButton);  // try again
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().opinion().opinion(), kPatienceMs);
    QVERIFY(tabsOf(driver)->isVisible());
    // Asked once more, it fails: the answer before does not stand beside the error.
    QTest::mouseClick(driver.button(QStringLiteral("Compare again"), panelOf(driver)), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().opinion().error(), kPatienceMs);
    QVERIFY(!tabsOf(driver)->isVisible());
    QVERIFY(!driver.window.ribbon()->button(Stage::kOptimize)->other());
    QVERIFY(driver.idle());
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
    compare(driver);
    const QString said = wordsOn(panelOf(driver));
    QVERIFY2(said.contains(QStringLiteral("ONNX Runtime 1.31.1 refuses this model")), qPrintable(said));
    QVERIFY2(said.contains(QStringLiteral("No Op registered for Foo")), qPrintable(said));
    QCOMPARE(driver.window.ribbon()->button(Stage::kLoad)->other()->mark, OpinionMark::kUnexplained);
    QVERIFY(!driver.document().error());
    driver.keepPicture("opinion-refused");
  }

  void cancelLeavesTheWindowAsItWas() {
    std::atomic<bool> wait = true, started = false, stopped = false;
    WindowDriver driver(hostThat([&](const auto&, const auto&, auto, Progress& progress) -> Result<SecondOpinion> {
      if (!wait) return invented({});
      started = true;
      while (!progress.cancelled())
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      stopped = true;
      return fail(cancelledError());
    }));
    QVERIFY(driver.open(test::sample("digits_cnn")));
    driver.keys(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(driver.document().opinion().busy());
    QTRY_VERIFY(wordsOn(panelOf(driver)).contains(QStringLiteral("is being asked")));
    driver.keepPicture("opinion-asking");
    QTRY_VERIFY(started);  // cancelled before that, it would not be asked at all
    driver.keys(Qt::Key_Period, Qt::ControlModifier);
    QVERIFY(!driver.document().opinion().on());
    QVERIFY(!driver.document().error());
    QTRY_VERIFY(stopped);
    QVERIFY(!driver.window.ribbon()->button(Stage::kLoad)->other());
    // Asked again and cancelled by the panel's own button, the answer before stays.
    wait = false;
    compare(driver);
    wait = true;
    QTest::mouseClick(driver.button(QStringLiteral("Compare again"), panelOf(driver)), Qt::LeftButton);
    QTRY_VERIFY(driver.button(QStringLiteral("Cancel"), panelOf(driver)));
    driver.keepPicture("opinion-asking-again");
    QTest::mouseClick(driver.button(QStringLiteral("Cancel"), panelOf(driver)), Qt::LeftButton);
    QVERIFY(!driver.document().opinion().busy());
    QVERIFY(driver.document().opinion().opinion());
    QVERIFY(tabsOf(driver)->isVisible());
  }

  // The library of this machine, or how to get it.
  void realOneAnswersOrSaysHowToGetIt() {
    WindowDriver driver;
    const QStringList size = qEnvironmentVariable("CUTAWAY_SIZE", QStringLiteral("1024x700")).split(QLatin1Char('x'));
    driver.window.resize(size[0].toInt(), size[1].toInt());
    QVERIFY(driver.open(qEnvironmentVariable("CUTAWAY_MODEL", test::sample("digits_cnn"))));
    compare(driver);
    const OpinionController& opinion = driver.document().opinion();
    if (opinion.error()) {
      QCOMPARE(opinion.error()->code, ErrorCode::kNotFound);
      QVERIFY(wordsOn(panelOf(driver)).contains(QStringLiteral("onnxruntime")));
      return;
    }
    QVERIFY(opinion.opinion()->verdict.empty());
    QCOMPARE(opinion.opinion()->stages.size(), size_t{kOpinionStageCount});
    QVERIFY(driver.window.ribbon()->button(Stage::kOptimize)->other()->words.contains(QStringLiteral("nodes")));
    QTableView* stages = tableAt(driver, kStages);
    driver.keepPicture("opinion-stages");
    QVERIFY(tableAt(driver, kNodes)->model()->rowCount() > 0);
    driver.keepPicture("opinion-nodes");
    QVERIFY(tableAt(driver, kFigures)->model()->rowCount() > 0);
    driver.keepPicture("opinion-figures");
    tableAt(driver, kDifferences);
    driver.keepPicture("opinion-differences");
    // Every difference of the optimised graphs is found in the graph.
    const int optimize = static_cast<int>(OpinionStage::kOptimize);
    for (const OpinionDifference& one : opinion.opinion()->stages[size_t{1}].differences)
      QVERIFY2(!one.values.empty(), one.what.c_str());
    tableAt(driver, kStages);
    clickRow(stages, optimize);
    QTRY_VERIFY(driver.idle());
    if (!opinion.opinion()->stages[size_t{1}].differences.empty()) QVERIFY(!driver.document().selection().empty());
    driver.keepPicture("opinion-optimize");
  }
};

QTEST_MAIN(TestOpinionWindow)
#include "tst_opinion_window.moc"
