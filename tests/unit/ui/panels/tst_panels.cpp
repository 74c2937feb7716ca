// Every panel over every kind of snapshot: models keep Qt's rules from before they are filled, tables keep step with
// the selection.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>

#include "tests/unit/ui/walk_fixture.h"
#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"
#include "ui/panels/inspector/inspector_page.h"
#include "ui/panels/life_chart.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/panel_table.h"
#include "ui/panels/play_bar.h"
#include "ui/panels/report_model.h"
#include "ui/panels/truth_line.h"

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

  std::unique_ptr<QWidget> make(const QString& id) {
    for (const PanelDescriptor* panel : panelTable())
      if (id == QLatin1String(panel->id)) return std::unique_ptr<QWidget>(panel->create(context, nullptr));
    return nullptr;
  }
};

void watchModels(QWidget* panel) {
  for (ReportModel* model : panel->findChildren<ReportModel*>())
    new QAbstractItemModelTester(model, QAbstractItemModelTester::FailureReportingMode::QtTest, model);
}

}  // namespace

class TestPanels : public QObject {
  Q_OBJECT

 private slots:
  void everyStageHasAPanel() {
    std::vector<Stage> stages;
    int inspectors = 0;
    for (const PanelDescriptor* panel : panelTable()) {
      if (panel->area == PanelArea::kStage) stages.push_back(panel->stage);
      if (panel->area == PanelArea::kInspector) ++inspectors;
    }
    QCOMPARE(stages.size(), size_t{kStageCount});
    QCOMPARE(inspectors, 1);
  }

  void panelsShowEverySnapshot_data() {
    QTest::addColumn<QString>("id");
    for (const PanelDescriptor* panel : panelTable())
      QTest::newRow(panel->id) << QString::fromLatin1(panel->id);
  }
  void panelsShowEverySnapshot() {
    QFETCH(QString, id);
    Bench bench;
    const auto panel = bench.make(id);
    QVERIFY(panel);
    watchModels(panel.get());
    panel->resize(520, 600);
    panel->show();
    for (const auto& walk : {std::make_shared<const WalkReport>(), test::failedWalk(), test::sampleWalk(),
                             test::flatWalk(300), test::sampleWalk()}) {
      bench.document.setWalk(walk);
      bench.document.selection().selectNode({GraphVersion::kLoaded, 0, 2});
      QVERIFY(!panel->grab().isNull());
    }
    for (QTableView* view : panel->findChildren<QTableView*>()) {
      for (int column = 0; column < view->model()->columnCount(); ++column)
        view->sortByColumn(column, Qt::DescendingOrder);
      for (int row = 0; row < view->model()->rowCount(); ++row)
        for (int column = 0; column < view->model()->columnCount(); ++column)
          view->model()->index(row, column).data(Qt::ToolTipRole);
    }
  }

  void rowAndSelectionKeepStep() {
    Bench bench;
    const auto panel = bench.make("partition");
    panel->resize(520, 600);
    panel->show();
    bench.document.setWalk(test::sampleWalk());
    auto* table = panel->findChild<LinkedTable*>("partition/table1");
    panel->findChild<QTabWidget*>()->setCurrentWidget(table);
    auto* view = table->view();
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(view->model()->index(6, 0)).center());
    QCOMPARE(bench.document.selection().focus(), (NodeTarget{GraphVersion::kOptimized, 0, 6}));
    // A node of the model as loaded marks the row of what came of it.
    bench.document.selection().selectNode({GraphVersion::kLoaded, 0, 1});
    QCOMPARE(view->selectionModel()->selectedRows().size(), 1);
    QCOMPARE(view->selectionModel()->selectedRows().first().row(), 0);
  }

  void filterCountsItsRows() {
    Bench bench;
    const auto panel = bench.make("resolve");
    panel->show();
    bench.document.setWalk(test::sampleWalk());
    auto* table = panel->findChild<LinkedTable*>("resolve/table0");
    const int all = table->proxy()->rowCount();
    table->setFilterText("constant float");
    QVERIFY(table->proxy()->rowCount() > 0 && table->proxy()->rowCount() < all);
  }

  // Going through all rows of a large model for a tab that nobody looks at holds the window up.
  void manyRowsWaitUntilTheyAreSeen() {
    Bench bench;
    QTabWidget tabs;
    tabs.addTab(new QLabel(QStringLiteral("first")), QStringLiteral("first"));
    auto* table = new LinkedTable(bench.context, QStringLiteral("test/rows"));
    auto* model = new ReportModel(table);
    table->setModel(model);
    tabs.addTab(table, QStringLiteral("rows"));
    tabs.show();
    QTest::qWait(10);
    const auto present = [model](int count) {
      std::vector<int> rows(static_cast<size_t>(count));
      std::iota(rows.begin(), rows.end(), 0);
      model->present(rowsOf<int>(std::move(rows), {{.title = QStringLiteral("Row"),
                                                    .text = [](const int& row) { return QString::number(row); }}}));
    };
    present(40);
    QCOMPARE(table->proxy()->rowCount(), 40);  // few rows cost nothing
    present(5000);
    QCOMPARE(table->proxy()->rowCount(), 0);
    tabs.setCurrentWidget(table);
    QCOMPARE(table->proxy()->rowCount(), 5000);
    QCOMPARE(table->view()->model()->index(4999, 0).data().toString(), QStringLiteral("4999"));
    table->view()->setColumnWidth(0, 123);
    tabs.setCurrentIndex(0);
    present(6000);
    QCOMPARE(table->proxy()->rowCount(), 0);
    present(30);
    QCOMPARE(table->proxy()->rowCount(), 30);
    present(6000);
    table->setFilterText(QStringLiteral("5999"));
    tabs.setCurrentWidget(table);
    QCOMPARE(table->proxy()->rowCount(), 1);
    QCOMPARE(table->view()->model()->columnCount(), 1);
  }

  void scrubberWalksTheOrder() {
    Bench bench;
    const auto panel = bench.make("schedule");
    panel->show();
    bench.document.setWalk(test::sampleWalk());
    auto* slider = panel->findChild<QSlider*>();
    QCOMPARE(slider->maximum(), 6);
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(bench.document.selection().focus(), (NodeTarget{GraphVersion::kPartitioned, 0, 2}));
    bench.document.selection().selectNode({GraphVersion::kPartitioned, 0, 5});
    QCOMPARE(slider->value(), 5);
  }

  void orderPlaysToItsEnd() {
    Bench bench;
    const auto panel = bench.make("schedule");
    panel->show();
    bench.document.setWalk(test::sampleWalk());
    auto* slider = panel->findChild<QSlider*>();
    const auto buttons = panel->findChildren<QToolButton*>();
    const auto play = std::find_if(buttons.begin(), buttons.end(),
                                   [](const QToolButton* button) { return button->text() == QLatin1String("Play"); });
    QVERIFY(play != buttons.end());
    slider->setValue(4);
    (*play)->click();
    QCOMPARE((*play)->text(), QStringLiteral("Pause"));
    QTRY_COMPARE(slider->value(), 6);
    QTRY_VERIFY(!(*play)->isChecked());
    QCOMPARE(bench.document.selection().focus(), (NodeTarget{GraphVersion::kPartitioned, 0, 6}));
  }

  // A formula of open dimensions may have thousands of characters: a panel says its beginning, whole lines of it,
  // however little room there is, and all of it in the tip.
  void longNotesAreShownInWholeLines() {
    Bench bench;
    const auto panel = bench.make("schedule");
    panel->resize(560, 240);
    panel->show();
    auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
    auto schedule = std::make_shared<ScheduleReport>(*walk->schedule);
    for (int i = 0; i < 80; ++i)
      schedule->note += fmt::format("{} B x dimension ", i);
    walk->schedule = schedule;
    bench.document.setWalk(walk);
    const auto labels = panel->findChildren<QLabel*>();
    const auto note = std::ranges::find(labels, text(schedule->note), &QLabel::toolTip);
    QVERIFY(note != labels.end() && (*note)->isVisible());
    QVERIFY2((*note)->text().size() < 400 && (*note)->text().startsWith(QStringLiteral("0 B x dimension 1 B")),
             qPrintable((*note)->text()));
    QTRY_VERIFY((*note)->height() >= (*note)->heightForWidth((*note)->width()));
  }

  void ruleIsReplayedStepByStep() {
    Bench bench;
    const auto panel = bench.make("resolve");
    panel->show();
    bench.document.setWalk(test::sampleWalk());
    auto* slider = panel->findChild<QSlider*>();
    QCOMPARE(slider->maximum(), 4);
    const auto labels = panel->findChildren<QLabel*>();
    const auto says = [&](const char* words) {
      return std::any_of(labels.begin(), labels.end(),
                         [&](const QLabel* label) { return label->text().contains(QLatin1String(words)); });
    };
    slider->setValue(3);
    QVERIFY(says("3 of 4: 'stem_out' is made by Conv"));
    QCOMPARE(bench.document.selection().value().name, QStringLiteral("stem_out"));
    slider->setValue(0);
    QVERIFY(says("4 steps of the rule decided 4 of "));
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
      return label->toolTip().startsWith(QLatin1String("The others need no step: "));
    }));
    bench.document.setWalk(std::make_shared<WalkReport>());
    QCOMPARE(slider->maximum(), 0);
    QVERIFY(!slider->isEnabled());
  }

  void chartHitsItsBlocks() {
    Bench bench;
    const auto panel = bench.make("pattern");
    panel->resize(600, 700);
    panel->show();
    bench.document.setWalk(test::sampleWalk());
    auto* chart = panel->findChild<LifeChart*>();
    QCOMPARE(chart->data().blocks.size(), size_t{7});  // one of the six has a gap
    const LifeBlock& block = chart->data().blocks[1];
    const QPointF centre = chart->geometry().rectOf(block.begin, block.end, block.from, block.to).center();
    QCOMPARE(chart->blockAt(centre), 1);
    QTest::mouseClick(chart, Qt::LeftButton, {}, centre.toPoint());
    QCOMPARE(bench.document.selection().value().name, QStringLiteral("sum_on_host"));
  }

  // Buffers without a size are in no sum: a peak of 0 that saves 100 % would be a lie.
  void openSizesHaveNoPeak() {
    Bench bench;
    const auto panel = bench.make("pattern");
    panel->resize(600, 700);
    panel->show();
    const auto words = [&] {
      QStringList all;
      for (const QLabel* label : panel->findChildren<QLabel*>())
        all << label->text();
      return all.join(QLatin1Char('|'));
    };
    auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
    walk->run = nullptr;
    auto pattern = std::make_shared<PatternReport>(*walk->pattern);
    pattern->graphs.resize(1);
    GraphPattern& graph = pattern->graphs[0];
    graph.unplanned = {0, 1};
    walk->pattern = pattern;
    bench.document.setWalk(walk);
    QVERIFY2(words().contains(QStringLiteral("\u2265 ")) && !words().contains(QStringLiteral("saves")),
             qPrintable(words()));
    // What lives at a step is a part, too.
    const QString played = playWords(bench.document, 1);
    QVERIFY2(played.contains(QStringLiteral("live \u2265 ")) && played.contains(QStringLiteral("far \u2265 ")),
             qPrintable(played));
    // A run has planned for the sizes of its inputs.
    auto ran = std::make_shared<WalkReport>(*walk);
    auto run = std::make_shared<RunReport>();
    run->memory = {{100, 0, 4'096, 4'096, 8'192}, {200, 1, 2'048, 2'048, 8'192}};
    ran->run = run;
    bench.document.setWalk(ran);
    const QString ofRun = playWords(bench.document, 1);
    QVERIFY2(ofRun.contains(QStringLiteral("live %1, peak so far %2 at step 0").arg(sizeText(2'048), sizeText(4'096))),
             qPrintable(ofRun));
    auto empty = std::make_shared<PatternReport>(*pattern);
    empty->graphs[0].blocks.clear();
    empty->graphs[0].peakBytes = empty->graphs[0].lowerBoundBytes = empty->graphs[0].naiveBytes = 0;
    auto second = std::make_shared<WalkReport>(*walk);
    second->pattern = empty;
    bench.document.setWalk(second);
    QVERIFY2(words().contains(QStringLiteral("unknown (dynamic shapes)")) && !words().contains(QStringLiteral("saves")),
             qPrintable(words()));
    // Beside the tabs, too, such a long figure is whole.
    panel->resize(1060, 400);
    QTest::qWait(20);
    int whole = 0;
    for (const QLabel* label : panel->findChildren<QLabel*>())
      if (label->isVisible() && label->text() == QLatin1String("unknown (dynamic shapes)")) {
        ++whole;
        QVERIFY(label->width() >= label->fontMetrics().horizontalAdvance(label->text()));
      }
    QVERIFY(whole > 1);
    const QString shown = panel->findChild<LifeChart*>()->data().empty;
    QVERIFY2(!shown.contains(QStringLiteral("compiled")), qPrintable(shown));
    QCOMPARE(panel->findChild<TruthLine*>()->truth().kind, TruthKind::kPartial);
  }

  void lanesShareABuffer() {
    Bench bench;
    const auto panel = bench.make("allocate");
    panel->show();
    bench.document.setWalk(test::sampleWalk());
    const auto charts = panel->findChildren<LifeChart*>();
    const auto all = std::find_if(charts.begin(), charts.end(),
                                  [](const LifeChart* chart) { return chart->data().blocks.size() > 4; });
    QVERIFY(all != charts.end());
    const LifeChartData& data = (*all)->data();
    const auto block = [&](const char* name) {
      return *std::find_if(data.blocks.begin(), data.blocks.end(),
                           [&](const LifeBlock& b) { return data.target(b.item).value.name == QLatin1String(name); });
    };
    QCOMPARE(std::ceil(block("features").to), std::ceil(block("pooled").to));
    QVERIFY(std::ceil(block("logits").to) != std::ceil(block("pooled").to));
    QCOMPARE(data.label(block("features").item), QStringLiteral("I features"));  // in place, said without colour
    QCOMPARE(block("features").shape, BlockShape::kNotched);
    QCOMPARE(data.label(block("pooled").item), QStringLiteral("N pooled"));
  }

  void inspectorNamesWhatIsSelected() {
    Bench bench;
    bench.document.setWalk(test::sampleWalk());
    bench.document.setStage(Stage::kRun);
    QVERIFY(inspectorPage(bench.document, Theme::light()).isEmpty());
    bench.document.selection().selectNode({GraphVersion::kLoaded, 0, 3});
    const QString fused = inspectorPage(bench.document, Theme::light());
    QVERIFY(fused.contains("skeleton_0") && fused.contains("BatchNormalization") && fused.contains("claimed"));
    bench.document.selection().selectValue({0, "features"});
    const QString value = inspectorPage(bench.document, Theme::light());
    QVERIFY(value.contains("Flatten") && value.contains("Gemm") && value.contains("in place"));
  }

  void namesAreShownNotObeyed() {
    Bench bench;
    test::GraphBuilder g("g");
    g.input("<img src=x>", "float[1]");
    g.node("Relu", "<script>&\"'", {"<img src=x>"}, {"b:%41"}, {0});
    auto graphs = std::make_shared<ModelGraphs>();
    graphs->graphs.push_back(g.graph());
    auto walk = std::make_shared<WalkReport>();
    walk->loadedGraphs = graphs;
    bench.document.setWalk(walk);
    bench.document.selection().selectNode({GraphVersion::kLoaded, 0, 0});
    const QString page = inspectorPage(bench.document, Theme::light());
    QVERIFY(!page.contains("<script>") && !page.contains("<img"));
    const auto panel = bench.make("inspector");
    panel->show();
    auto* browser = panel->findChild<QTextBrowser*>();
    emit browser->anchorClicked(QUrl(QStringLiteral("value:0:b%3A%2541")));
    QCOMPARE(bench.document.selection().value().name, QStringLiteral("b:%41"));
  }
};

QTEST_MAIN(TestPanels)
#include "tst_panels.moc"
