// Order, allocation and pattern: what their pictures and tables are made of, from reports made by hand.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

#include "tests/unit/ui/walk_fixture.h"
#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"
#include "ui/panels/allocate/allocation_tables.h"
#include "ui/panels/allocate/buffer_lanes.h"
#include "ui/panels/allocate/explanation.h"
#include "ui/panels/allocate/step_rows.h"
#include "ui/panels/allocate/value_page.h"
#include "ui/panels/life_chart.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/panel_table.h"
#include "ui/panels/pattern/pattern_chart.h"
#include "ui/panels/pattern/pattern_tables.h"
#include "ui/panels/plans/plan_figures.h"
#include "ui/panels/plans/plan_tables.h"
#include "ui/panels/plans/sweep_page.h"
#include "ui/panels/schedule/schedule_tables.h"
#include "ui/panels/schedule/step_lanes.h"
#include "ui/panels/sparkline.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

struct Bench {
  QTemporaryDir folder;
  ViewState viewState{folder.filePath("settings.ini")};
  ThemeStore themes;
  PanelActions actions;
  Document document{std::make_shared<EngineHost>(), {}};
  PanelContext context{&document, &viewState, &themes, &actions};
};

// a and b are written into their places inside c = Concat(a, b); d = Relu(c) in place; e a new buffer, for which b came
// closest.
std::shared_ptr<const WalkReport> joined() {
  test::GraphBuilder g("joined");
  g.input("x", "float[4]");
  for (const char* name : {"a", "b"})
    g.value(name, "float[64]", 256);
  g.value("c", "float[128]", 512);
  g.value("d", "float[128]", 512);
  g.value("e", "float[256]", 1024);
  g.node("Relu", "left", {"x"}, {"a"}, {0});
  g.node("Tanh", "right", {"x"}, {"b"}, {1});
  g.node("Concat", "join", {"a", "b"}, {"c"}, {2});
  g.node("Relu", "over", {"c"}, {"d"}, {3});
  g.node("Erf", "last", {"d"}, {"e"}, {4});
  auto graphs = std::make_shared<ModelGraphs>();
  graphs->graphs = {g.graph()};
  auto walk = std::make_shared<WalkReport>();
  walk->loadedGraphs = walk->optimizedGraphs = walk->partitionedGraphs = graphs;
  auto schedule = std::make_shared<ScheduleReport>();
  GraphSchedule order{.graph = 0,
                      .streams = {"cpu"},
                      .criticalPath = {0, 2, 3, 4},
                      .costUnit = "ns",
                      .criticalPathCost = 1'000,
                      .totalCost = 1'200};
  for (int32_t n = 0; n < 5; ++n)
    order.steps.push_back({.node = n,
                           .cost = 200 + n * 10,
                           .slack = n == 1 ? 90 : 0,
                           .worker = n == 1 ? 1 : 0,
                           .endStep = n == 0 ? 1 : n});
  order.streamPlans = {
      {"cpu", "cpu", {{StreamCommandKind::kLaunchKernel, 0, kNone}, {StreamCommandKind::kBarrier, 2, 7}}}};
  schedule->graphs = {order};
  walk->schedule = schedule;
  auto allocate = std::make_shared<AllocateReport>();
  GraphAllocation plan{0, {}};
  const auto value = [&](const char* name, AllocKind kind, AllocRule rule, int root, int first, int last,
                         int64_t bytes) -> ValueAllocation& {
    ValueAllocation made;
    made.value = g.value(name);
    made.kind = kind;
    made.rule = rule;
    made.device = "cpu";
    made.rootValue = root;
    made.starts = {first};
    made.ends = {last};
    made.sizeBytes = bytes;
    made.reason = std::string("made for <") + name + ">";
    plan.values.push_back(made);
    return plan.values.back();
  };
  value("x", AllocKind::kPreExisting, AllocRule::kFeed, 0, 0, 1, 16);
  ValueAllocation& a = value("a", AllocKind::kReuse, AllocRule::kPart, 3, 0, 2, 256);
  a.reusedValue = 3, a.partOffset = 0;
  ValueAllocation& b = value("b", AllocKind::kReuse, AllocRule::kPart, 3, 1, 2, 256);
  b.reusedValue = 3, b.partOffset = 256;
  value("c", AllocKind::kAllocate, AllocRule::kNewBuffer, 3, 2, 3, 512);
  ValueAllocation& d = value("d", AllocKind::kReuse, AllocRule::kInPlace, 3, 3, 4, 512);
  d.reusedValue = 3, d.inPlace = true;
  value("e", AllocKind::kAllocate, AllocRule::kNewBuffer, 5, 4, 4, 1024).closestValue = 3;
  allocate->graphs = {plan};
  walk->allocate = allocate;
  return walk;
}

const LifeBlock* blockOf(const LifeChartData& data, const char* name) {
  for (const LifeBlock& block : data.blocks)
    if (data.target(block.item).value.name == QLatin1String(name)) return &block;
  return nullptr;
}

void checkRows(ReportRows rows) {
  ReportModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.present(std::move(rows));
  for (int row = 0; row < model.rowCount(); ++row)
    for (int column = 0; column < model.columnCount(); ++column)
      for (const int role : {int(Qt::DisplayRole), int(Qt::ToolTipRole), int(kSortRole), int(kShareRole)})
        model.index(row, column).data(role);
}

PlanComparison comparison() {
  PlanComparison made;
  made.a = {.title = "now",
            .order = "default",
            .rules = "cutaway",
            .peakBytes = 4'000,
            .lowerBoundBytes = 3'000,
            .naiveBytes = 9'000,
            .allocated = 5,
            .reused = 2,
            .costUnit = "work",
            .liveBytes = {1'000, 4'000, 2'000}};
  made.b = {.title = "what if",
            .order = "memory",
            .rules = "cutaway",
            .peakBytes = 3'000,
            .lowerBoundBytes = 3'000,
            .naiveBytes = 9'000,
            .allocated = 4,
            .reused = 3,
            .costUnit = "work",
            .liveBytes = {1'000, 3'000}};
  made.values = {{.value = 3,
                  .name = "c",
                  .kindA = AllocKind::kAllocate,
                  .kindB = AllocKind::kReuse,
                  .ruleA = AllocRule::kNewBuffer,
                  .ruleB = AllocRule::kFreeBuffer,
                  .bufferA = "c",
                  .bufferB = "a",
                  .sizeA = 512,
                  .sizeB = 512,
                  .firstA = 2,
                  .lastA = 3,
                  .firstB = 2,
                  .lastB = 3,
                  .reasonA = "none free",
                  .reasonB = "a is free"}};
  made.movedSteps = 3;
  return made;
}

}  // namespace

class TestPlanPanels : public QObject {
  Q_OBJECT

 private slots:
  // Allocation.
  void partsLieInsideTheirRoot() {
    const auto view = allocationView(joined());
    QVERIFY(view);
    QCOMPARE(view->tenants(0, 3).size(), size_t{4});
    const LifeChartData data = chainLanes(view, 0, 1);
    const LifeBlock *a = blockOf(data, "a"), *b = blockOf(data, "b"), *c = blockOf(data, "c"), *d = blockOf(data, "d");
    QVERIFY(a && b && c && d);
    QVERIFY(c->namedAtTop && !a->namedAtTop && !b->namedAtTop);
    QVERIFY(std::abs(c->to - a->to - 0.96) < 1e-6);  // a row, less its gap, is left for the root's own name
    QVERIFY(std::abs(b->from - c->from) < 1e-6);     // below it parts fill the root
    QVERIFY(std::abs(a->from - b->to) < 1e-9);       // offset 0 above offset 256, each half of it
    QVERIFY(std::abs((a->to - a->from) - (b->to - b->from)) < 1e-6);
    QVERIFY(a->emphasised && !b->emphasised);
    QCOMPARE(c->end, 3.5);  // d takes over in the middle of its step
    QCOMPARE(d->begin, 3.5);
    QCOMPARE(d->shape, BlockShape::kNotched);
    QVERIFY(!data.arrows.empty());
    QVERIFY(blockOf(data, "e") == nullptr);
  }

  void closestCandidateStandsBelow() {
    const auto view = allocationView(joined());
    const LifeChartData data = chainLanes(view, 0, 5);
    QVERIFY(blockOf(data, "e")->from > blockOf(data, "c")->to);
    QVERIFY(blockOf(data, "e")->emphasised && blockOf(data, "c")->emphasised && !blockOf(data, "d")->emphasised);
    const QString page = explanationPage(*view, 0, 5, Theme::light());
    QVERIFY(page.contains("Closest candidate") && page.contains("value:3"));
    QVERIFY(page.contains("made for &lt;e&gt;") && !page.contains("<e>"));  // reasons are shown, not obeyed
    QVERIFY(page.contains("node:4"));
    QVERIFY(!explanationPage(*view, 0, 1, Theme::light()).contains("Closest candidate"));
    QVERIFY(explanationPage(*view, 0, 99, Theme::light()).isEmpty());
  }

  void linksLeadToValuesAndNodes() {
    Bench bench;
    ValuePage page(bench.context);
    page.resize(500, 500);
    page.show();
    bench.document.setWalk(joined());
    page.present(allocationView(bench.document.walk()));
    bench.document.selection().selectNode({GraphVersion::kPartitioned, 0, 4});
    QVERIFY(page.page()->toPlainText().startsWith("e"));
    emit page.page()->anchorClicked(QUrl("value:3"));
    QCOMPARE(bench.document.selection().value().name, QStringLiteral("c"));
    QVERIFY(page.page()->toPlainText().startsWith("c"));
    QCOMPARE(page.lanes()->selectedItems(), std::vector<int>{3});
    emit page.page()->anchorClicked(QUrl("node:2"));
    QCOMPARE(bench.document.selection().focus(), (NodeTarget{GraphVersion::kPartitioned, 0, 2}));
  }

  void sumsByRule() {
    const auto view = allocationView(joined());
    QCOMPARE(view->sums[size_t(AllocRule::kPart)].values, int64_t{2});
    QCOMPARE(view->sums[size_t(AllocRule::kPart)].bytes, int64_t{512});
    QCOMPARE(rulesInUse(*view).front(), AllocRule::kNewBuffer);  // most bytes first
    checkRows(valueRows(view, {}));
    checkRows(ruleRows(view, {}));
    QVERIFY(!allocationView(std::make_shared<WalkReport>()));
  }

  void stepsTellUsesAndFreeBuffers() {
    const auto view = allocationView(test::sampleWalk());
    const ReportRows rows = allocationStepRows(view);
    checkRows(rows);
    QCOMPARE(rows.rows, 9);
    checkRows(allocationStepRows(allocationView(joined())));
  }

  void valuesAreFilteredByRuleAndKind() {
    Bench bench;
    std::unique_ptr<QWidget> panel;
    for (const PanelDescriptor* each : panelTable())
      if (QLatin1String(each->id) == QLatin1String("allocate")) panel.reset(each->create(bench.context, nullptr));
    panel->show();
    bench.document.setWalk(joined());
    auto* table = panel->findChild<LinkedTable*>("allocate/values");
    auto* rule = panel->findChild<QComboBox*>("allocate/rule");
    auto* kind = panel->findChild<QComboBox*>("allocate/kind");
    QCOMPARE(table->proxy()->rowCount(), 6);
    rule->setCurrentIndex(rule->findData(int(AllocRule::kPart)));
    QCOMPARE(table->proxy()->rowCount(), 2);
    kind->setCurrentIndex(kind->findData(int(AllocKind::kAllocate)));
    QCOMPARE(table->proxy()->rowCount(), 0);
    rule->setCurrentIndex(0);
    QCOMPARE(table->proxy()->rowCount(), 2);
    emit table->released();
    QCOMPARE(kind->currentIndex(), 0);
    QCOMPARE(table->proxy()->rowCount(), 6);
  }

  // Pattern.
  void gapsAndWorkspacesAreDrawn() {
    const LifeChartData data = patternChart(test::sampleWalk(), 0);
    QCOMPARE(data.blocks.size(), size_t{7});
    const auto hatched = std::find_if(data.blocks.begin(), data.blocks.end(),
                                      [](const LifeBlock& block) { return block.shape == BlockShape::kHatched; });
    QVERIFY(hatched != data.blocks.end());
    QCOMPARE(data.label(hatched->item), QStringLiteral("workspace of gate/if"));
    QCOMPARE(data.target(hatched->item).node, (NodeTarget{GraphVersion::kPartitioned, 0, 6}));
    std::vector<double> begins;
    for (const LifeBlock& block : data.blocks)
      if (data.target(block.item).value.name == QLatin1String("logits")) begins.push_back(block.begin);
    QCOMPARE(begins, (std::vector<double>{4, 6}));
    QCOMPARE(data.itemOfValue[6], data.itemOfValue[5]);  // features lives in the block of pooled
    QCOMPARE(data.curves.size(), size_t{2});
    QCOMPARE(data.curves[1].amounts.size(), size_t{7});
    QVERIFY(data.stepText(1).contains("measured"));
    QVERIFY(!patternChart(std::make_shared<WalkReport>(), 0).empty.isEmpty());
    QVERIFY(patternChart(test::sampleWalk(), 5).blocks.empty());
    for (ReportRows (*rows)(const std::shared_ptr<const WalkReport>&, int) :
         {peakRows, strategyRows, blockRows, unplannedRows})
      checkRows(rows(test::sampleWalk(), 0));
  }

  void whatARunAskedForIsATable() {
    auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
    QVERIFY(study::allocationTrace(*walk).allocations.empty());  // its nodes tell no shapes
    auto run = std::make_shared<RunReport>(*walk->run);
    for (NodeTiming& timing : run->nodes)
      timing.outputShapes.assign(
          walk->partitionedGraphs->graphs[0].nodes[static_cast<size_t>(timing.node)].outputs.size(), "float[16]");
    walk->run = run;
    const study::AllocationTrace trace = study::allocationTrace(*walk);
    QVERIFY(!trace.allocations.empty());
    const ReportRows rows = tracedRows(walk, trace);
    checkRows(rows);
    QCOMPARE(rows.rows, static_cast<int>(trace.allocations.size()));
    QCOMPARE(rows.cell(0, 3), sizeText(64));
    QCOMPARE(rows.target(0).value.name, rows.cell(0, 0));
  }

  void measuredSamplesKeepTheirHighest() {
    auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
    auto run = std::make_shared<RunReport>(*walk->run);
    run->memory = {{0, 1, 0, 50, 0}, {1, 1, 0, 70, 0}, {2, 1, 0, 60, 0}, {3, 99, 0, 10, 0}};
    walk->run = run;
    QCOMPARE(measuredCurve(*walk, 3), (std::vector<double>{-1, 70, -1}));
    QVERIFY(measuredCurve(*std::make_shared<WalkReport>(), 3).empty());
  }

  // Order.
  void costsStandBehindWhatTheyWaitFor() {
    const auto walk = joined();
    const GraphSchedule& schedule = walk->schedule->graphs[0];
    QVERIFY(usesWorkers(schedule));
    const std::vector<double> starts = stepStarts(schedule, walk->partitionedGraphs->graphs[0], true);
    QCOMPARE(starts, (std::vector<double>{0, 0, 210, 430, 660}));  // left and right at once, join after both
    const std::vector<double> alone = stepStarts(schedule, walk->partitionedGraphs->graphs[0], false);
    QCOMPARE(alone, (std::vector<double>{0, 200, 410, 630, 860}));
  }

  void criticalPathIsBroughtOut() {
    const LifeChartData data = stepLanes(joined(), 0, TimelineAxis::kSteps);
    QCOMPARE(data.laneNames.size(), size_t{2});
    QVERIFY(data.blocks[0].emphasised && !data.blocks[1].emphasised);
    QCOMPARE(data.blocks[0].end, 2.0);  // still running while step 1 starts
    QVERIFY(data.blocks[1].to < data.blocks[0].from);
    QVERIFY(data.toolTip(1).contains("slack 90 ns") && data.toolTip(0).contains("critical"));
    QCOMPARE(stepLanes(joined(), 0, TimelineAxis::kCost).width, 900.0);
    QVERIFY(stepLanes(std::make_shared<WalkReport>(), 0, TimelineAxis::kSteps).blocks.empty());
    checkRows(stepRows(joined()));
    checkRows(criticalPathRows(joined()));
    const ReportRows commands = commandRows(joined());
    QCOMPARE(commands.rows, 2);
    QCOMPARE(commands.cell(1, 2), QStringLiteral("Barrier"));
    QCOMPARE(commands.cell(1, 3), QStringLiteral("join"));
    checkRows(commands);
  }

  void sparklineKeepsItsPeaks() {
    std::vector<int64_t> amounts(10'000, 10);
    amounts[5'000] = 100;
    const QPolygonF points = sparklinePoints(amounts, 100, QRectF(0, 0, 50, 20));
    QVERIFY(points.size() <= 100);
    QCOMPARE(std::min_element(
                 points.begin(), points.end(),
                 [](const QPointF& a, const QPointF& b) {
                   return a.y() < b.y();
                 })->y() +
                 1,
             1.0);
    QVERIFY(sparklinePoints({}, 100, QRectF(0, 0, 50, 20)).isEmpty());
  }

  // Every page of every panel of plans, empty, filled and in both themes.
  void everyPageIsShown_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<bool>("dark");
    for (const char* id : {"schedule", "allocate", "pattern"})
      for (const bool dark : {false, true})
        QTest::addRow("%s %s", id, dark ? "dark" : "light") << QString::fromLatin1(id) << dark;
  }
  void everyPageIsShown() {
    QFETCH(QString, id);
    QFETCH(bool, dark);
    Bench bench;
    bench.themes.setMode(dark ? ThemeMode::kDark : ThemeMode::kLight);
    qApp->setPalette(bench.themes.current().palette());
    qApp->setStyleSheet(bench.themes.current().styleSheet());
    std::unique_ptr<QWidget> panel;
    for (const PanelDescriptor* each : panelTable())
      if (id == QLatin1String(each->id)) panel.reset(each->create(bench.context, nullptr));
    panel->resize(576, 560);
    panel->show();
    auto* tabs = panel->findChild<QTabWidget*>();
    QVERIFY(tabs && tabs->count() >= 4);
    for (const auto& [name, walk] : {std::pair("empty", std::make_shared<const WalkReport>()),
                                     std::pair("joined", joined()), std::pair("sample", test::sampleWalk())}) {
      bench.document.setWalk(walk);
      bench.document.selection().selectValue(
          {0, QLatin1String(name) == QLatin1String("joined") ? QStringLiteral("e") : QStringLiteral("logits")});
      for (int tab = 0; tab < tabs->count(); ++tab) {
        tabs->setCurrentIndex(tab);
        const QPixmap picture = panel->grab();
        QCOMPARE(picture.deviceIndependentSize().toSize(), panel->size());
        // For people who want to see what a test sees.
        if (const QString folder = qEnvironmentVariable("CUTAWAY_PICTURES"); !folder.isEmpty())
          picture.save(QStringLiteral("%1/%2-%3-%4-%5.png")
                           .arg(folder, id, QLatin1String(name))
                           .arg(tab)
                           .arg(dark ? "dark" : "light"));
      }
    }
    qApp->setStyleSheet({});
  }

  // What if.
  void figuresSayWhatIsBetter() {
    const PlanComparison compared = comparison();
    const std::vector<FigureRow> rows = planFigureRows(compared);
    const auto row = [&](const char* label) {
      return *std::find_if(rows.begin(), rows.end(),
                           [&](const FigureRow& each) { return each.label == QLatin1String(label); });
    };
    QCOMPARE(row("peak").kind, FigureRow::kBetter);
    QVERIFY(row("peak").change.contains("better"));
    QCOMPARE(row("reused buffers").kind, FigureRow::kBetter);  // more is better
    QCOMPARE(row("lower bound").kind, FigureRow::kEqual);
    QCOMPARE(row("order").change, QStringLiteral("changed"));
    // Sums that leave out what has no size yet are least amounts: neither side is better, and 0 B is no peak.
    PlanComparison open = compared;
    open.a.unplannedValues = 3;
    open.b.unplannedValues = 5, open.b.peakBytes = 0;
    const std::vector<FigureRow> least = planFigureRows(open);
    const auto peak = std::ranges::find(least, QStringLiteral("peak"), &FigureRow::label);
    QCOMPARE(peak->kind, FigureRow::kNeutral);
    QCOMPARE(peak->now, QStringLiteral("\u2265 ") + sizeText(compared.a.peakBytes));
    QCOMPARE(peak->then, QStringLiteral("unknown (dynamic shapes)"));
    QVERIFY(!planSentence(open).contains("peak 0") && !planSentence(open).contains("smaller"));
    for (const Curve& curve : liveCurves(open).curves)
      QVERIFY2(curve.label.contains("sized values only"), qPrintable(curve.label));
    QVERIFY(planSentence(compared).contains("smaller") && planSentence(compared).contains("1 value differs") &&
            planSentence(compared).contains("3 nodes"));
    QCOMPARE(differenceWords(compared.values[0]), QStringLiteral("kind, rule, buffer"));
    checkRows(differenceRows(std::make_shared<PlanComparison>(compared)));
    QCOMPARE(liveCurves(compared).curves.size(), size_t{2});
    QVERIFY(liveCurves({}).curves.empty());
  }

  void sizesAreRead_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QList<int>>("sizes");
    QTest::newRow("plain") << "1, 2,4" << QList<int>{1, 2, 4};
    QTest::newRow("sorted once") << "8,2,8" << QList<int>{2, 8};
    QTest::newRow("zero") << "0,1" << QList<int>{};
    QTest::newRow("word") << "1,two" << QList<int>{};
    QTest::newRow("nothing") << "" << QList<int>{};
  }
  void sizesAreRead() {
    QFETCH(QString, line);
    QFETCH(QList<int>, sizes);
    const std::vector<int64_t> read = sizesOf(line);
    QCOMPARE(QList<int>(read.begin(), read.end()), sizes);
  }

  void sweepKeepsItsHoles() {
    PlanTable table{"batch",
                    {"1", "2"},
                    {PlanFigures{.peakBytes = 10, .lowerBoundBytes = 9},
                     PlanFigures{.peakBytes = -1, .lowerBoundBytes = -1, .problem = "sizes are open"}}};
    const CurveChartData data = sweepCurves(table);
    QCOMPARE(data.ticks.size(), size_t{2});
    QCOMPARE(data.curves[0].amounts[1], -1.0);
    checkRows(sweepRows(std::make_shared<PlanTable>(table)));
  }

  void draftSaysOnlyWhatDiffers() {
    WhatIfDraft draft;
    session::SessionOptions options;
    options.config["session.enable_mem_reuse"] = "0";
    options.dims["batch"] = 4;
    draft.start(options, QStringLiteral("cpu"));
    QVERIFY(!draft.plan().reuse && draft.plan().pattern);
    QVERIFY(!draft.isChanged() && draft.configuration().keys.empty() && draft.configuration().dims.empty());
    DraftPlan plan = draft.plan();
    plan.order = "memory";
    plan.reuse = true;
    plan.dims["batch"] = 8;
    plan.executor = "dataflow";
    plan.workers = 2;
    draft.setPlan(plan);
    const session::Configuration configuration = draft.configuration();
    QCOMPARE(*configuration.order, std::string("memory"));
    QCOMPARE(configuration.keys.at("session.enable_mem_reuse"), std::string("1"));
    QCOMPARE(configuration.dims.at("batch"), int64_t{8});
    QVERIFY(!configuration.planRules && !configuration.inPlace);
    session::SessionOptions changed = options;
    QVERIFY(configuration.applyTo(changed, {}));
    QVERIFY(changed.order == "memory" && changed.interThreads == 2 &&
            changed.config.at("session.enable_mem_reuse") == "1");
    QVERIFY(draft.changes().join(' ').contains("2 workers"));
    draft.revert();
    draft.load(configuration);
    QVERIFY(draft.plan() == plan);
    QVERIFY(!draft.configuration().threads);
  }
};

QTEST_MAIN(TestPlanPanels)
#include "tst_plan_panels.moc"
