// The run panel over profiles made by hand: look-ups, totals, roll-ups, memory, creation, comparison; widgets without a
// window of the program.
#include <algorithm>
#include <cmath>

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPointer>
#include <QPushButton>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>
#include <QTreeView>

#include "tests/unit/ui/run_fixture.h"
#include "tests/unit/ui/walk_fixture.h"
#include "ui/base/theme_store.h"
#include "ui/base/truth_words.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/panel_table.h"
#include "ui/panels/run/creation_page.h"
#include "ui/panels/run/node_times.h"
#include "ui/panels/run/parts_bar.h"
#include "ui/panels/run/profile_page.h"
#include "ui/panels/run/profile_words.h"
#include "ui/panels/run/run_controls.h"
#include "ui/panels/run/statistics_strip.h"
#include "ui/panels/run/timeline/memory_chart.h"
#include "ui/panels/run/timeline/timeline.h"
#include "ui/panels/run/timeline_page.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

std::shared_ptr<EngineHost> handHost() {
  auto host = std::make_shared<EngineHost>();
  host->compareRuns = test::compareByHand;
  host->readTrace = [](std::string_view json, const std::string&, const WalkReport& walk) -> Result<RunReport> {
    if (json != "{}") return fail(ErrorCode::kInvalidArgument, "line 1: no trace");
    RunReport report = *test::slowerRun(*walk.run, 2);
    report.executorReason = "2 events fit no node";
    return report;
  };
  return host;
}

struct Bench {
  QTemporaryDir folder;
  ViewState viewState{folder.filePath("settings.ini")};
  ThemeStore themes;
  PanelActions actions;
  Document document;
  PanelContext context{&document, &viewState, &themes, &actions};

  explicit Bench(std::shared_ptr<const EngineHost> host = handHost()) : document(std::move(host), {}) {}

  std::unique_ptr<QWidget> runPanel() {
    for (const PanelDescriptor* panel : panelTable())
      if (QLatin1String(panel->id) == QLatin1String("run"))
        return std::unique_ptr<QWidget>(panel->create(context, nullptr));
    return nullptr;
  }
  QString file(const char* name, const QByteArray& bytes) {
    QFile made(folder.filePath(QLatin1String(name)));
    if (!made.open(QIODevice::WriteOnly) || made.write(bytes) < 0) return {};
    return made.fileName();
  }
};

}  // namespace

class TestRunPanel : public QObject {
  Q_OBJECT

 private slots:
  void viewFindsTimings() {
    const auto walk = test::profiledWalk();
    const auto view = runView(*walk);
    QCOMPARE(view->lanes->lanes.size(), size_t{2});
    QCOMPARE(view->lanes->lanes[1].title, QStringLiteral("Worker 1"));
    QCOMPARE(view->lanes->lanes[0].rowCount, 3);  // the engine, nodes, a body
    QVERIFY(!view->spansFromTimes);
    QVERIFY(view->timing(0, 0) == &walk->run->nodes[0]);
    QVERIFY(!view->timing(7, 0) && !view->timing(0, 99) && !view->timing(-1, -1));
    const HoverFacts facts = view->spanFacts(walk->run->spans[1]);
    QCOMPARE(facts.title, QStringLiteral("skeleton_0"));
    QVERIFY(std::any_of(facts.rows.begin(), facts.rows.end(),
                        [](const auto& row) { return row.second.contains(QLatin1String("12.0 GFLOP/s")); }));
    // A group counts what its provider was asked about; its node knows those of the file.
    QCOMPARE(walk->partition->groups.front().nodes.size(), size_t{5});
    QVERIFY(view->node(0, 0)->origins.size() != 5);
    QCOMPARE(view->operatorOf(0, 0), QStringLiteral("Group of 5 nodes"));
    QVERIFY(!runView(WalkReport{}));
  }

  // Without spans, bars stand where nodes started; without measured memory, the plan is shown.
  void whatWasNotRecordedIsMadeFromTimes() {
    auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
    auto run = std::make_shared<RunReport>(*walk->run);
    run->spans.clear();
    run->memory.clear();
    walk->run = run;
    const auto view = runView(*walk);
    QVERIFY(view->spansFromTimes && view->memoryFromPlan);
    QCOMPARE(view->lanes->rows.size(), size_t{1});
    QCOMPARE(view->lanes->rows[0].bars.size(), size_t{7});
    QVERIFY(!view->memory.empty());
  }

  void rangeTotalsCountInside() {
    const auto view = runView(*test::profiledWalk());
    const RangeTotals all = rangeTotals(*view, {0, 2e6});
    QCOMPARE(all.nodes, 8);
    QCOMPARE(all.operators.front().timeNs, int64_t{820'000});
    // The If counts without its body: 21 us, of which 10.5 are the body's node.
    const auto share = std::find_if(all.operators.begin(), all.operators.end(),
                                    [](const OperatorShare& it) { return it.name == QLatin1String("If"); });
    QVERIFY(share != all.operators.end());
    QCOMPARE(share->timeNs, int64_t{10'500});
    const RangeTotals some = rangeTotals(*view, {100'000, 200'000});
    QCOMPARE(some.nodes, 1);
    QCOMPARE(some.operators.front().timeNs, int64_t{100'000});
    QVERIFY(some.timings[0] && !some.timings[1]);
  }

  void treeRollsUp_data() {
    QTest::addColumn<int>("rollUp");
    QTest::addColumn<int>("roots");
    QTest::newRow("nodes") << int(RollUp::kNone) << 8;
    QTest::newRow("operators") << int(RollUp::kOperator) << 8;
    QTest::newRow("providers") << int(RollUp::kProvider) << 2;
    QTest::newRow("scopes") << int(RollUp::kScope) << -1;
  }
  void treeRollsUp() {
    QFETCH(int, rollUp);
    QFETCH(int, roots);
    Bench bench;
    NodeTimesModel model(&bench.themes);
    new QAbstractItemModelTester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest, &model);
    model.present(nullptr, static_cast<RollUp>(rollUp));
    QCOMPARE(model.rowCount(), 0);
    const auto walk = test::profiledWalk();
    model.present(runView(*walk), static_cast<RollUp>(rollUp));
    if (roots >= 0) QCOMPARE(model.rowCount(), roots);
    // Every timing has its place, the first one has its sub-steps below it.
    for (int timing = 0; timing < static_cast<int>(walk->run->nodes.size()); ++timing)
      QCOMPARE(model.timingOf(model.itemOfTiming(timing)), timing);
    const QModelIndex conv = model.indexOf(model.itemOfTiming(0));
    QCOMPARE(model.rowCount(conv), 2);
    QCOMPARE(model.index(1, NodeTimesModel::kName, conv).data().toString(), QStringLiteral("multiply"));
    QCOMPARE(conv.siblingAtColumn(NodeTimesModel::kGigaflops).data().toString(), QStringLiteral("12.0"));
    // Times of the groups add up to all.
    double sum = 0;
    for (int row = 0; row < model.rowCount(); ++row)
      sum += model.index(row, NodeTimesModel::kShare).data(kShareRole).toDouble();
    QVERIFY(std::abs(sum - 1) < 1e-9);
    for (int row = 0; row < model.rowCount(); ++row)
      for (int column = 0; column < model.columnCount(); ++column)
        for (const int role : {int(Qt::DisplayRole), int(Qt::ToolTipRole), int(Qt::DecorationRole), int(kSortRole)})
          model.index(row, column).data(role);
  }

  void scopesComeFromNames() {
    QCOMPARE(scopesOf("/layer1/conv1/Conv"), (std::vector<std::string_view>{"layer1", "conv1"}));
    QCOMPARE(scopesOf("encoder.0.attention"), (std::vector<std::string_view>{"encoder", "0"}));
    QVERIFY(scopesOf("Conv_3").empty());
    QVERIFY(scopesOf("////").empty());
  }

  void clickSelectsAndSelectionMarks() {
    Bench bench;
    const auto panel = bench.runPanel();
    panel->resize(640, 900);
    panel->show();
    bench.document.setWalk(test::profiledWalk());
    auto* timeline = panel->findChild<TimelinePage*>()->timeline();
    const int row = timeline->look().content.lanes->lanes[0].firstRow + 1;
    const QPointF middle = timeline->rectOf({row, 0}).center();
    QCOMPARE(timeline->placeAt(middle), (TraceBarPlace{row, 0}));
    QTest::mouseClick(timeline, Qt::LeftButton, {}, middle.toPoint());
    QCOMPARE(bench.document.selection().focus(), (NodeTarget{GraphVersion::kPartitioned, 0, 0}));
    QCOMPARE(timeline->look().marked.size(), size_t{1});
    bench.document.selection().selectNode({GraphVersion::kPartitioned, 0, 3});
    QCOMPARE(timeline->look().span(timeline->look().marked.front()).node, 3);
    QTest::keyClick(timeline, Qt::Key_Escape);
    QVERIFY(bench.document.selection().empty() && timeline->look().marked.empty());
  }

  void keysZoomAndStep() {
    Bench bench;
    const auto panel = bench.runPanel();
    panel->resize(640, 900);
    panel->show();
    bench.document.setWalk(test::profiledWalk());
    auto* page = panel->findChild<TimelinePage*>();
    QTest::keyClick(page->timeline(), Qt::Key_W);
    QVERIFY(!page->window().showsAll());
    const TimeRange closer = page->window().view();
    QTest::keyClick(page->timeline(), Qt::Key_D);
    QVERIFY(page->window().view().beginNs > closer.beginNs);
    QTest::keyClick(page->timeline(), Qt::Key_0);
    QVERIFY(page->window().showsAll());
    QTest::keyClick(page->timeline(), Qt::Key_Period);
    QTest::keyClick(page->timeline(), Qt::Key_F);
    QVERIFY(page->timeline()->look().current.valid());
    QTest::keyClick(page->timeline(), Qt::Key_R);
    QVERIFY(page->window().range());
  }

  // A range marked in the timeline filters the table, and gives the totals; Show all takes it off everywhere.
  void rangeFiltersTheTable() {
    Bench bench;
    const auto panel = bench.runPanel();
    panel->resize(640, 900);
    panel->show();
    bench.document.setWalk(test::profiledWalk());
    auto* page = panel->findChild<TimelinePage*>();
    auto* nodes = panel->findChild<NodeTimes*>();
    QCOMPARE(nodes->proxy()->rowCount(), 8);
    const TimeAxis& axis = page->timeline()->look().axis;
    const int y = static_cast<int>(axis.plot.center().y());
    QTest::mousePress(page->timeline(), Qt::LeftButton, Qt::NoModifier, QPoint(static_cast<int>(axis.x(830'000)), y));
    QTest::mouseMove(page->timeline(), QPoint(static_cast<int>(axis.x(900'000)), y));
    QMouseEvent move(QEvent::MouseMove, QPointF(axis.x(900'000), y),
                     page->timeline()->mapToGlobal(QPointF(axis.x(900'000), y)), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(page->timeline(), &move);
    QTest::mouseRelease(page->timeline(), Qt::LeftButton, Qt::NoModifier, QPoint(static_cast<int>(axis.x(900'000)), y));
    QVERIFY(page->window().range());
    QVERIFY(nodes->proxy()->rowCount() < 8 && nodes->proxy()->rowCount() > 0);
    QVERIFY(page->totals()->text().contains(QLatin1String("busy")));
    QVERIFY(bench.document.playhead().range());  // the same range in steps, for graph, lanes and tables
    nodes->setRollUp(RollUp::kOperator);
    QVERIFY(nodes->proxy()->rowCount() < 8);
    QPushButton* showAll = nullptr;
    for (QPushButton* button : nodes->findChildren<QPushButton*>())
      if (button->text() == QLatin1String("Show all")) showAll = button;
    showAll->click();
    QVERIFY(!page->window().range());
    QVERIFY(!bench.document.playhead().range());
    bench.document.playhead().setRange(Playhead::Range{1, 2});  // chosen elsewhere
    QVERIFY(page->window().range());
    QVERIFY(nodes->proxy()->rowCount() < 8);
    bench.document.playhead().setRange({});
    QCOMPARE(nodes->proxy()->rowCount(), 8);
  }

  void tableAndSelectionKeepStep() {
    Bench bench;
    const auto panel = bench.runPanel();
    panel->resize(640, 900);
    panel->show();
    bench.document.setWalk(test::profiledWalk());
    auto* nodes = panel->findChild<NodeTimes*>();
    for (QTabWidget* tabs : panel->findChildren<QTabWidget*>())
      tabs->setCurrentWidget(nodes);
    QTreeView* tree = nodes->view();
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(tree->model()->index(1, 0)).center());
    const NodeTarget chosen = bench.document.selection().focus();
    QVERIFY(chosen.valid());
    bench.document.selection().selectNode({GraphVersion::kPartitioned, 0, 4});
    QCOMPARE(tree->selectionModel()->selectedRows().size(), 1);
    // A group selects all that is in it.
    nodes->setRollUp(RollUp::kProvider);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(tree->model()->index(1, 0)).center());
    QVERIFY(bench.document.selection().nodesIn(GraphVersion::kPartitioned, 0).size() > 1);
    nodes->filterLine()->setText("relu nothing");
    QCOMPARE(nodes->proxy()->rowCount(), 0);
  }

  void memoryAndPartsAreShown() {
    Bench bench;
    const auto panel = bench.runPanel();
    panel->resize(640, 900);
    panel->show();
    const auto walk = test::profiledWalk();
    bench.document.setWalk(walk);
    auto* page = panel->findChild<TimelinePage*>();
    page->window().setHover(430'000);
    QVERIFY(page->memory()->readout().startsWith(QLatin1String("step 2: ")));
    const std::vector<BarPart> parts = breakdownParts(*walk->run);
    QCOMPARE(parts.size(), size_t{5});
    QCOMPARE(parts[2].amount, int64_t{131'648});
    QVERIFY(breakdownParts(RunReport{}).empty());
    RunReport open = *walk->run;
    open.patternCache = {.hits = 7, .misses = 3, .evictions = 1, .entries = 2};
    QVERIFY(breakdownParts(open)[2].toolTip.contains(QLatin1String("7 hits, 3 misses, 1 eviction")));
    const std::vector<BarPart> colours = colouringParts(*runView(*walk), Colouring::kProvider);
    QCOMPARE(colours.front().name, QStringLiteral("skeleton"));
    QVERIFY(!panel->grab().isNull());
  }

  // Beside the lanes the chart is narrow: the names of its curves stand below each other, and none is cut.
  void memoryNamesAreWhole() {
    Bench bench;
    const auto panel = bench.runPanel();
    bench.document.setWalk(test::profiledWalk());
    MemoryChart* chart = panel->findChild<TimelinePage*>()->memory();
    const QFontMetricsF metrics(interfaceFont(-2));
    double rows = 0;
    for (const int width : {900, 420, 330}) {
      chart->resize(width, 200);
      const std::vector<MemoryChart::LegendEntry> entries = chart->legend();
      QCOMPARE(entries.size(), size_t{3});
      for (size_t i = 0; i < entries.size(); ++i) {
        QVERIFY(entries[i].place.left() >= 0 && entries[i].place.right() <= width);
        QVERIFY(entries[i].place.width() >= metrics.horizontalAdvance(entries[i].words));
        QVERIFY(i == 0 || !entries[i].place.intersects(entries[i - 1].place));
      }
      QVERIFY(entries.back().place.bottom() >= rows);
      rows = entries.back().place.bottom();
    }
    QVERIFY(rows >= 2 * chart->legend().front().place.height());
  }

  void statisticsSayHowSure() {
    const auto walk = test::profiledWalk();
    const auto figures = statisticsFigures(*walk->run);
    QCOMPARE(figures[0].detail, spreadWords(measuredTime(*walk->run)));
    QVERIFY(figures[0].detail.contains("between"));
    QVERIFY(runSentence(*walk->run).contains(QLatin1String("dataflow with 2 workers")));
    QVERIFY(runSentence(*walk->run, {"qnn"}).startsWith(QLatin1String("Times of a simulator (qnn). ")));
    RunReport foreign = *walk->run;
    foreign.source = "there/trace.json";
    QVERIFY(runSentence(foreign).startsWith(QLatin1String("Read from trace.json")));
  }

  void creationSaysWhereTimeGoes() {
    Bench bench;
    const auto panel = bench.runPanel();
    panel->resize(640, 900);
    panel->show();
    const auto walk = test::profiledWalk();
    bench.document.setWalk(walk);
    const CreationView view = creationView(walk->creation);
    QCOMPARE(view.stages.size(), size_t{5});
    QCOMPARE((*view.spans)[static_cast<size_t>(view.longest[0].span)].name, std::string("partition"));
    QCOMPARE(view.longest[0].selfNs, int64_t{2'000'000});
    auto* page = panel->findChild<CreationPage*>();
    QVERIFY(page->sentence()->text().contains(QLatin1String("compile skeleton")));
    for (QTabWidget* tabs : panel->findChildren<QTabWidget*>())
      tabs->setCurrentWidget(page);
    QTableView* table = page->table()->view();
    table->setFocus();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(1, 0)).center());
    QCOMPARE(page->timeline()->look().marked.size(), size_t{1});
    bench.document.setWalk(std::make_shared<WalkReport>());
    QVERIFY(!page->sentence()->isVisible());
  }

  void baselineIsCompared() {
    Bench bench;
    const auto panel = bench.runPanel();
    panel->resize(640, 900);
    panel->show();
    auto* page = panel->findChild<ProfilePage*>();
    QVERIFY(!page->keepButton()->isEnabled());
    const auto walk = test::profiledWalk();
    bench.document.setWalk(walk);
    page->keepButton()->click();
    QVERIFY(bench.document.profiles().baseline());
    QVERIFY(!bench.document.profiles().comparison());
    auto next = std::make_shared<WalkReport>(*walk);
    next->run = test::slowerRun(*walk->run, 1.5);
    bench.document.setWalk(next);
    QTRY_VERIFY(bench.document.profiles().comparison());
    QCOMPARE(page->sentence()->text(), QStringLiteral("50 % slower than the baseline, significant"));
    QCOMPARE(page->table()->proxy()->rowCount(), 8);
    QCOMPARE(page->table()->proxy()->index(0, 6).data().toString(), QStringLiteral("slower"));
    for (QTabWidget* tabs : panel->findChildren<QTabWidget*>())
      tabs->setCurrentWidget(page);
    QVERIFY(!page->grab().isNull());
    bench.document.profiles().swap();
    QTRY_VERIFY(bench.document.profiles().comparison() && bench.document.profiles().comparison()->medianBMs < 1.3);
    QCOMPARE(page->sentence()->text(), QStringLiteral("33 % faster than the baseline, significant"));
    bench.document.profiles().dropBaseline();
    QVERIFY(!bench.document.profiles().comparison());
  }

  void noiseIsCalledNoise() {
    RunComparison comparison;
    comparison.medianAMs = 1, comparison.medianBMs = 1.01, comparison.pValue = 0.41;
    QCOMPARE(comparisonSentence(comparison), QStringLiteral("No difference beyond noise"));
    QVERIFY(comparisonDetail(comparison).contains(QLatin1String("p = 0.41")));
    QCOMPARE(probabilityText(0.00001), QStringLiteral("p < 0.001"));
    QCOMPARE(int(changeOf(NodeTimeDifference{.nodeA = 1, .nodeB = kNone})), int(Change::kOnlyBefore));
    QCOMPARE(int(changeOf(NodeTimeDifference{.nodeA = kNone, .nodeB = 1})), int(Change::kOnlyNow));
  }

  void tracesAreRead() {
    Bench bench;
    const auto panel = bench.runPanel();
    panel->show();
    ProfileController& controller = bench.document.profiles();
    controller.showTrace(bench.file("trace.json", "{}"));
    QVERIFY(controller.error());  // nothing to lay it on yet
    const auto walk = test::profiledWalk();
    bench.document.setWalk(walk);
    controller.showTrace(bench.file("trace.json", "{}"));
    QTRY_VERIFY(!controller.busy());
    QVERIFY2(!controller.error(), controller.error() ? controller.error()->message.c_str() : "");
    QVERIFY(bench.document.walk()->run->source.ends_with("trace.json"));
    controller.loadBaseline(bench.file("broken.json", "nothing"));
    QTRY_VERIFY(controller.error());
    QVERIFY(controller.error()->message.find("no trace") != std::string::npos);
    QVERIFY(!controller.baseline());
    controller.loadBaseline(bench.folder.filePath("missing.json"));
    QTRY_VERIFY(controller.error() && controller.error()->message.find("missing.json") != std::string::npos);
  }

  void controlsSayWhatIsAsked() {
    RunControls controls;
    session::SessionOptions options;
    options.executor = "dataflow";
    options.threads = 3;
    controls.setSession(options);
    QCOMPARE(controls.session({}).executor, std::string("dataflow"));
    QCOMPARE(controls.session({}).threads, 3);
    controls.measure()->setCurrentIndex(1);
    QCOMPARE(controls.request().seconds, 2.0);
    controls.measure()->setCurrentIndex(0);
    QCOMPARE(controls.request().seconds, 0.0);
    QSignalSpy cancels(&controls, &RunControls::cancelRequested);
    controls.setBusy(true);
    QCOMPARE(controls.runButton()->text(), QStringLiteral("Cancel"));
    controls.runButton()->click();
    QCOMPARE(cancels.size(), 1);
  }

  // Panels that come and go while workers still read.
  // A trace is being read while the panel goes, alone or with its document: the controller that is left has the answer
  // and compares with it; without a controller the answer reaches nobody.
  void panelMayGoAtAnyTime_data() {
    QTest::addColumn<bool>("documentToo");
    QTest::newRow("panel alone") << false;
    QTest::newRow("panel and document") << true;
  }
  void panelMayGoAtAnyTime() {
    QFETCH(bool, documentToo);
    const auto reading = std::make_shared<QSemaphore>(), mayEnd = std::make_shared<QSemaphore>();
    auto host = handHost();
    host->readTrace = [reading, mayEnd, inner = host->readTrace](std::string_view json, const std::string& file,
                                                                 const WalkReport& walk) {
      reading->release();
      mayEnd->acquire();
      return inner(json, file, walk);
    };
    auto bench = std::make_unique<Bench>(host);
    auto panel = bench->runPanel();
    panel->show();
    bench->document.setWalk(test::profiledWalk());
    bench->document.profiles().loadBaseline(bench->file("trace.json", "{}"));
    const bool began = reading->tryAcquire(1, 10'000);
    const QPointer<QWidget> gone(panel.get());
    const QPointer<Document> document(&bench->document);
    panel.reset();
    if (documentToo) bench.reset();
    mayEnd->release();
    QVERIFY(began);
    QVERIFY(gone.isNull());
    QVERIFY(QThreadPool::globalInstance()->waitForDone(10'000));
    QCoreApplication::processEvents();
    QCOMPARE(document.isNull(), documentToo);
    if (documentToo) return;
    const ProfileController& controller = document->profiles();
    QTRY_VERIFY(!controller.busy() && controller.comparison());
    QVERIFY(!controller.error());
    QCOMPARE(controller.baseline()->title, QStringLiteral("trace.json"));
    QVERIFY(document->walk()->run);  // what was on screen stays
  }
};

QTEST_MAIN(TestRunPanel)
#include "tst_run_panel.moc"
