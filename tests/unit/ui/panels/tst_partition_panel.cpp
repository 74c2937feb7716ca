// The partition panel: order of priority, refusal inspector, causes, draft and figures of a comparison.
#include <QElapsedTimer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "engine/report/within_noise.h"
#include "tests/unit/ui/walk_fixture.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/panel_table.h"
#include "ui/panels/partition/comparison_model.h"
#include "ui/panels/partition/node_answers.h"
#include "ui/panels/partition/partition_tables.h"
#include "ui/panels/partition/provider_priorities.h"

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

  std::unique_ptr<QWidget> show(std::shared_ptr<const WalkReport> walk) {
    std::unique_ptr<QWidget> panel;
    for (const PanelDescriptor* each : panelTable())
      if (QLatin1String(each->id) == QLatin1String("partition")) panel.reset(each->create(context, nullptr));
    panel->resize(620, 700);
    panel->show();
    document.setWalk(std::move(walk));
    return panel;
  }
};

// Nodes 0 to 4 of the main graph are skeleton's, the others are refused; one refusal says everything there is to say.
std::shared_ptr<const WalkReport> explainedWalk() {
  auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
  auto report = std::make_shared<PartitionReport>(*walk->partition);
  report->providers[0].simulated = true;
  for (size_t n = 0; n < report->nodes.size(); ++n)
    report->nodes[n].flops = 1'000'000;
  report->nodes[0].flops = 7'500'000;
  report->nodes[0].movedBytes = 24'576;
  ProviderAnswer& refusal = report->nodes[6].answers[0];
  refusal = {"skeleton",
             Verdict::kRefused,
             RefusalCause::kAttribute,
             "The mode <cubic> is not in its profile.",
             "operators.Resize.attributes.mode",
             "mode = cubic",
             "mode nearest or linear"};
  walk->partition = report;
  return walk;
}

PartitionComparison comparisonOf(int64_t copiesBefore, int64_t copiesAfter) {
  PartitionComparison comparison;
  comparison.a.providers = {{"skeleton", false, 5, 1}, {"cpu", false, 7, 1}};
  comparison.b.providers = {{"cpu", false, 12, 1}};
  comparison.a.copies = copiesBefore;
  comparison.b.copies = copiesAfter;
  comparison.a.estimatedNs = 2e6;
  comparison.b.estimatedNs = 1e6;
  comparison.moved.resize(5);
  return comparison;
}

QTabWidget* tabsOf(QWidget* panel) {
  return panel->findChild<QTabWidget*>();
}

}  // namespace

class TestPartitionPanel : public QObject {
  Q_OBJECT

 private slots:
  void providersAreInOrderOfPriority() {
    Bench bench;
    const auto panel = bench.show(explainedWalk());
    auto* order = panel->findChild<ProviderPriorities*>();
    QVERIFY(order && order->isVisible());
    const auto cell = [&](int row, int column) { return order->model()->index(row, column).data().toString(); };
    QCOMPARE(order->model()->rowCount(), 2);
    QCOMPARE(cell(0, 0), QStringLiteral("1"));
    QVERIFY(cell(0, 1).startsWith("skeleton\n"));
    QCOMPARE(cell(0, 2), QStringLiteral("5"));
    QCOMPARE(cell(1, 5), QStringLiteral("0"));
    QVERIFY(order->model()->index(0, 1).data(Qt::ToolTipRole).toString().contains("not here"));
    // Choosing one selects its nodes, and the node table shows no others.
    QTest::mouseClick(order->viewport(), Qt::LeftButton, {}, order->visualRect(order->model()->index(0, 1)).center());
    QCOMPARE(bench.document.selection().nodesIn(GraphVersion::kOptimized, 0), (std::vector<int>{0, 1, 2, 3, 4}));
    QCOMPARE(panel->findChild<LinkedTable*>("partition/table1")->proxy()->rowCount(), 5);
  }

  // What is not known before running is no zero.
  void workIsNoWholeWhereShapesAreOpen() {
    const auto work = [](const std::function<void(PartitionReport&)>& open) {
      auto walk = std::make_shared<WalkReport>(*explainedWalk());
      auto report = std::make_shared<PartitionReport>(*walk->partition);
      open(*report);
      walk->partition = report;
      Bench bench;
      const auto panel = bench.show(walk);
      return panel->findChild<ProviderPriorities*>()->model()->index(0, 3).data().toString();
    };
    QVERIFY(work([](PartitionReport&) {}).startsWith(QStringLiteral("11.5")));
    QVERIFY(
        work([](PartitionReport& report) { report.nodes[1].flops = -1; }).startsWith(QStringLiteral("\u2265 10.5")));
    QVERIFY(work([](PartitionReport& report) {
              for (size_t n = 0; n < 5; ++n)
                report.nodes[n].flops = -1;
            }).startsWith(QStringLiteral("unknown")));
  }

  void aRefusalSaysRuleSeenAndRemedy() {
    Bench bench;
    const auto panel = bench.show(explainedWalk());
    auto* answers = panel->findChild<NodeAnswers*>();
    QVERIFY(answers->isVisible() && answers->html().isEmpty());
    bench.document.selection().selectNode({GraphVersion::kOptimized, 0, 6});
    const QString page = answers->html();
    for (const char* words : {"operators.Resize.attributes.mode", "mode = cubic", "mode nearest or linear",
                              "&lt;cubic&gt;", "\u2715 refused", "\u2713 claimed", "simulated"})
      QVERIFY2(page.contains(QString::fromUtf8(words)), words);
    QVERIFY(page.indexOf("skeleton") < page.indexOf("<b>cpu</b></td>"));
    bench.document.selection().selectNode({GraphVersion::kOptimized, 0, 0});
    QVERIFY(answers->html().contains("group:0"));
    QVERIFY(answers->html().contains(QString::fromUtf8("7.50\u00a0MFLOP")));
    bench.document.selection().selectNodes(GraphVersion::kOptimized, 0, {0, 5, 6});
    QVERIFY(answers->html().contains("3 nodes"));
  }

  void showGroupSelectsItsNodes() {
    Bench bench;
    const auto panel = bench.show(explainedWalk());
    bench.document.selection().selectNode({GraphVersion::kOptimized, 0, 2});
    for (QPushButton* button : panel->findChildren<QPushButton*>())
      if (button->text() == QLatin1String("Show group")) QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(bench.document.selection().nodesIn(GraphVersion::kOptimized, 0).size(), size_t{5});
    QVERIFY(tabsOf(panel.get())->tabText(tabsOf(panel.get())->currentIndex()).startsWith("Groups"));
  }

  void causesAreSummedAndShowTheirNodes() {
    Bench bench;
    const auto panel = bench.show(explainedWalk());
    auto* refusals = panel->findChild<LinkedTable*>("partition/table2");
    QCOMPARE(refusals->proxy()->rowCount(), 2);  // most work first
    QCOMPARE(refusals->proxy()->index(0, 1).data().toInt() + refusals->proxy()->index(1, 1).data().toInt(),
             static_cast<int>(bench.document.walk()->partition->nodes.size()) - 5);
    QCOMPARE(refusals->proxy()->index(1, 6).data().toString(), QStringLiteral("mode nearest or linear"));
    tabsOf(panel.get())->setCurrentWidget(refusals);
    refusals->view()->setFocus();
    QTest::mouseClick(refusals->view()->viewport(), Qt::LeftButton, {},
                      refusals->view()->visualRect(refusals->proxy()->index(1, 1)).center());
    QCOMPARE(bench.document.selection().nodesIn(GraphVersion::kOptimized, 0), (std::vector<int>{6}));
    emit refusals->rowActivated(1);
    auto* nodes = panel->findChild<LinkedTable*>("partition/table1");
    QCOMPARE(tabsOf(panel.get())->currentWidget(), nodes);
    QCOMPARE(nodes->proxy()->rowCount(), 1);
    for (QPushButton* button : nodes->findChildren<QPushButton*>())
      QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(nodes->proxy()->rowCount(), static_cast<int>(bench.document.walk()->partition->nodes.size()));
  }

  void largeModelsAreChosenWhole() {
    constexpr int kNodes = 50'000;
    auto walk = std::make_shared<WalkReport>(*test::flatWalk(kNodes));
    walk->optimizedGraphs = walk->partitionedGraphs = walk->loadedGraphs;
    auto report = std::make_shared<PartitionReport>();
    report->providers = {{"skeleton", "cpu", true, "", 0, kNodes}, {"cpu", "cpu", true, "", kNodes, 0}};
    report->refusals = {
        {"skeleton", Verdict::kRefused, RefusalCause::kOperator, "kernel table", "takes nothing", "", {}, 0}};
    for (int n = 0; n < kNodes; ++n) {
      report->nodes.push_back({0,
                               n,
                               "cpu",
                               0,
                               {{"skeleton", Verdict::kRefused, RefusalCause::kOperator, "takes nothing"},
                                {"cpu", Verdict::kClaimed, RefusalCause::kOther, ""}}});
      report->refusals[0].nodes.push_back(n);
    }
    walk->partition = report;
    Bench bench;
    QElapsedTimer timer;
    timer.start();
    const auto panel = bench.show(walk);
    qInfo("shown in %lld ms", timer.restart());
    bench.document.selection().selectNode({GraphVersion::kOptimized, 0, kNodes / 2});
    qInfo("one node chosen in %lld ms", timer.restart());
    auto* nodes = panel->findChild<LinkedTable*>("partition/table1");
    tabsOf(panel.get())->setCurrentWidget(nodes);
    timer.restart();
    emit panel->findChild<ProviderPriorities*>()->providerChosen(1);
    qInfo("all of them chosen in %lld ms", timer.elapsed());
    QCOMPARE(bench.document.selection().nodesIn(GraphVersion::kOptimized, 0).size(), size_t{kNodes});
    QCOMPARE(nodes->view()->selectionModel()->selectedRows().size(), kNodes);
  }

  void copiesHaveAHeadline() {
    QCOMPARE(copyHeadline({}), QStringLiteral("none"));
    const std::vector<CopyReport> copies = {{0, "a", "gpu", "cpu", 2'048, "copy", ""},
                                            {0, "b", "gpu", "cpu", -1, "copy", ""},
                                            {0, "c", "cpu", "cpu", 1'024, "cast", ""}};
    const QString words = copyHeadline(copies);
    QVERIFY2(words.contains("2 copies") && words.contains("1 cast") && words.contains("1 of unknown size"),
             qPrintable(words));
  }

  void theDraftIsEdited() {
    session::SessionOptions options;
    options.providers = {"skeleton", "onednn{a=b}"};
    WhatIfDraft draft;
    draft.start(options, QStringLiteral("cpu"));
    QCOMPARE(draft.providers().size(), size_t{3});  // cpu is always asked last
    QVERIFY(!draft.isChanged());
    draft.move(1, 0);
    draft.add("declared(TensorRT)");
    draft.addPin({NodePin::Kind::kOperator, "Resize", "cpu"});
    draft.addPin({NodePin::Kind::kOperator, "Resize", "skeleton"});  // replaces
    QVERIFY(draft.isChanged());
    const session::Configuration configuration = draft.configuration();
    QCOMPARE(*configuration.providers,
             (std::vector<std::string>{"onednn{a=b}", "skeleton", "declared(TensorRT)", "cpu"}));
    QCOMPARE(configuration.pins->size(), size_t{1});
    QCOMPARE(configuration.pins->front().provider, std::string("skeleton"));
    draft.remove(3);  // cpu stays
    QCOMPARE(draft.providers().size(), size_t{4});
    draft.revert();
    QVERIFY(!draft.isChanged());
    draft.load(configuration);
    QCOMPARE(*draft.configuration().providers, *configuration.providers);
  }

  void figuresSayWhatIsBetter_data() {
    QTest::addColumn<int>("before");
    QTest::addColumn<int>("after");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("says");
    QTest::newRow("fewer") << 4 << 1 << int(FigureRow::kBetter) << QString::fromUtf8("\u25bc 3 (\u221275 %), better");
    QTest::newRow("more") << 1 << 2 << int(FigureRow::kWorse) << QString::fromUtf8("\u25b2 1 (+100 %), worse");
    QTest::newRow("from none") << 0 << 2 << int(FigureRow::kWorse) << QString::fromUtf8("\u25b2 2, worse");
    QTest::newRow("same") << 3 << 3 << int(FigureRow::kEqual) << QStringLiteral("=");
  }
  void figuresSayWhatIsBetter() {
    QFETCH(int, before);
    QFETCH(int, after);
    QFETCH(int, kind);
    QFETCH(QString, says);
    const auto rows = figureRows(comparisonOf(before, after));
    const auto copies = std::find_if(rows.begin(), rows.end(),
                                     [](const FigureRow& row) { return row.label == QLatin1String("copies"); });
    QVERIFY(copies != rows.end());
    QCOMPARE(int(copies->kind), kind);
    QCOMPARE(copies->change, says);
  }

  void unknownFiguresAreNoChange() {
    const auto rows = figureRows(comparisonOf(0, 0));
    const auto measured = std::find_if(
        rows.begin(), rows.end(), [](const FigureRow& row) { return row.label == QLatin1String("measured time"); });
    QCOMPARE(int(measured->kind), int(FigureRow::kNeutral));
    QCOMPARE(measured->now, QString::fromUtf8("\u2013"));
    const auto gone = std::find_if(rows.begin(), rows.end(),
                                   [](const FigureRow& row) { return row.provider == QLatin1String("skeleton"); });
    QCOMPARE(gone->then, QStringLiteral("not asked"));
    QVERIFY(comparisonSentence(comparisonOf(2, 1)).contains("2.00 times as fast"));
  }

  // Faster is said of what was measured here and differs by more than chance.
  void noiseIsNoSpeed_data() {
    QTest::addColumn<bool>("isNoise");
    QTest::addColumn<bool>("simulated");
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<QString>("change");
    QTest::newRow("measured") << false << false << "measured 3.00 times as fast" << "better";
    QTest::newRow("noise") << true << false << "measured times are within noise" << "within noise";
    QTest::newRow("simulated") << false << true << "estimated 2.00 times as fast" << "not compared: simulated hardware";
  }
  void noiseIsNoSpeed() {
    QFETCH(bool, isNoise);
    QFETCH(bool, simulated);
    QFETCH(QString, sentence);
    QFETCH(QString, change);
    PartitionComparison comparison = comparisonOf(2, 1);
    comparison.a.measuredNs = 3'000'000;
    comparison.b.measuredNs = 1'000'000;
    comparison.b.simulated = simulated;
    if (isNoise) comparison.b.warnings.emplace_back(kWithinNoise);
    const QString words = comparisonSentence(comparison);
    QVERIFY2(words.contains(sentence), qPrintable(words));
    const auto rows = figureRows(comparison);
    const auto measured = std::find_if(
        rows.begin(), rows.end(), [](const FigureRow& row) { return row.label == QLatin1String("measured time"); });
    QVERIFY2(measured->change.contains(change), qPrintable(measured->change));
    QCOMPARE(measured->kind == FigureRow::kBetter, !isNoise && !simulated);
  }
};

QTEST_MAIN(TestPartitionPanel)
#include "tst_partition_panel.moc"
