// Plans in the window, as a person does it: orders compared and used, a plan tried out and applied, sizes swept, a
// value asked why, the memory chart zoomed.
#include <atomic>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>

#include "tests/gui/desk.h"
#include "ui/panels/allocate/value_page.h"
#include "ui/panels/figures_view.h"
#include "ui/panels/life_chart.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/plans/curve_chart.h"
#include "ui/panels/plans/plan_draft_editor.h"
#include "ui/panels/plans/plan_page.h"
#include "ui/panels/plans/sweep_page.h"
#include "ui/panels/schedule/order_page.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::engineHost;

namespace {

SessionOptions onCpu(bool bound) {
  SessionOptions options;
  options.providers = {"cpu"};
  options.threads = 1;
  if (bound) options.dims["batch"] = 1;
  return options;
}

struct Desk : test::Desk {
  explicit Desk(std::shared_ptr<EngineHost> host, bool bound = true) : test::Desk(host, onCpu(bound)) {}
  bool open(Stage stage) { return test::Desk::open(test::sample("digits_cnn"), stage) && document().walk()->pattern; }
};

}  // namespace

class TestPlansWindow : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  void ordersAreComparedAndUsed() {
    Desk desk(engineHost());
    QVERIFY(desk.open(Stage::kSchedule));
    auto* page = desk.bring<OrderPage>("schedule/orders");
    QVERIFY(page && page->isVisible() && !page->view()->isVisible());
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QVERIFY(desk.document().stageState(Stage::kRun) != StageState::kRunning);
    QVERIFY(desk.idle());
    const auto error = desk.document().studies().error(PlanStudies::kOrders);
    QVERIFY2(desk.document().studies().table(PlanStudies::kOrders), error ? error->message.c_str() : "");
    const QAbstractItemModel* model = page->view()->model();
    QCOMPARE(model->rowCount(), 4);
    QVERIFY(model->index(0, 0).data().toString().contains(QString::fromUtf8("\u2713")));  // the session's own
    desk.keepPicture("orders");
    int memory = -1;
    for (int row = 0; row < 4; ++row)
      if (model->index(row, 0).data().toString().contains("memory")) memory = row;
    QVERIFY(memory > 0 && !page->useButton()->isEnabled());
    page->view()->setFocus();
    QTest::mouseClick(page->view()->viewport(), Qt::LeftButton, {},
                      page->view()->visualRect(model->index(memory, 0)).center());
    QVERIFY(page->useButton()->isEnabled() && page->useButton()->text().contains("memory"));
    QTest::mouseClick(page->useButton(), Qt::LeftButton);
    QCOMPARE(desk.document().options().order, std::string("memory"));
    QVERIFY(desk.idle());
    QVERIFY(!desk.document().studies().table(PlanStudies::kOrders));  // of another session
  }

  void comparingOrdersIsCancelled() {
    auto host = engineHost();
    auto started = std::make_shared<std::atomic<bool>>(false), finished = std::make_shared<std::atomic<bool>>(false);
    host->compareOrders = [started, finished](const Model&, const SessionOptions&,
                                              Progress& progress) -> Result<PlanTable> {
      *started = true;
      while (!progress.cancelled())
        QThread::msleep(5);
      *finished = true;
      return PlanTable{"order", {"default"}, {PlanFigures{}}};
    };
    Desk desk(host);
    QVERIFY(desk.open(Stage::kSchedule));
    auto* page = desk.bring<OrderPage>("schedule/orders");
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QCOMPARE(page->compareButton()->text(), QStringLiteral("Cancel"));
    QTRY_VERIFY(started->load());  // cancelled before, it would never be asked
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QCOMPARE(page->compareButton()->text(), QStringLiteral("Compare orders"));
    QTRY_VERIFY(finished->load());
    QTest::qWait(50);
    QVERIFY(!desk.document().studies().table(PlanStudies::kOrders));
    QVERIFY(!desk.document().cancelled() && desk.document().walk()->pattern);
  }

  void planIsTriedOutAndApplied() {
    Desk desk(engineHost());
    QVERIFY(desk.open(Stage::kPattern));
    auto* page = desk.bring<PlanPage>("pattern/whatIf");
    QVERIFY(page && page->isVisible());
    QVERIFY(!page->applyButton()->isEnabled());
    page->editor()->rules()->setCurrentIndex(page->editor()->rules()->findData("reference"));
    QCOMPARE(desk.document().draft().plan().rules, std::string("reference"));
    QVERIFY(page->applyButton()->isEnabled());
    desk.keepPicture("plan-change");
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QVERIFY(desk.idle());
    QVERIFY2(desk.document().whatIf() && desk.document().whatIf()->plans,
             desk.document().whatIfError() ? desk.document().whatIfError()->message.c_str() : "no plans");
    QVERIFY(page->figures()->isVisible());
    const PlanComparison& plans = *desk.document().whatIf()->plans;
    QCOMPARE(plans.b.rules, std::string("reference"));
    desk.keepPicture("plan-figures");
    page->showPage(PlanPage::kMemory);
    QCOMPARE(page->curves()->data().curves.size(), size_t{2});
    desk.keepPicture("plan-memory");
    page->showPage(PlanPage::kValues);
    auto* values = page->findChild<LinkedTable*>();
    QCOMPARE(values->proxy()->rowCount(), static_cast<int>(plans.values.size()));
    desk.keepPicture("plan-values");
    // The other panels show the same comparison.
    desk.window.ribbon()->button(Stage::kAllocate)->click();
    auto* other = desk.bring<PlanPage>("allocate/whatIf");
    QVERIFY(other->isVisible());
    QCOMPARE(other->figures()->rows().size(), page->figures()->rows().size());
    QTest::mouseClick(other->applyButton(), Qt::LeftButton);
    QCOMPARE(desk.document().options().planRules, std::string("reference"));
    QVERIFY(desk.idle());
    QCOMPARE(desk.document().walk()->allocate->rules, std::string("reference"));
    QVERIFY(!desk.document().whatIf() && !desk.document().draft().isChanged());
  }

  void sizesAreSwept() {
    Desk desk(engineHost(), false);
    QVERIFY(desk.open(Stage::kPattern));
    auto* page = desk.bring<PlanPage>("pattern/whatIf");
    page->showPage(PlanPage::kSweep);
    SweepPage* sweep = page->sweepPage();
    QVERIFY(sweep->isVisible() && sweep->dimension()->count() >= 1);
    sweep->sizes()->setText("1, nine");
    QVERIFY(!sweep->planButton()->isEnabled());
    sweep->sizes()->setText("1, 2, 8");
    QTest::mouseClick(sweep->planButton(), Qt::LeftButton);
    QVERIFY(desk.idle());
    const auto table = desk.document().studies().table(PlanStudies::kSweep);
    const auto error = desk.document().studies().error(PlanStudies::kSweep);
    QVERIFY2(table, error ? error->message.c_str() : "");
    QCOMPARE(table->rows.size(), size_t{3});
    QVERIFY(table->rows[0].peakBytes > 0 && table->rows[0].peakBytes < table->rows[2].peakBytes);
    QCOMPARE(sweep->chart()->data().ticks.size(), size_t{3});
    desk.keepPicture("sweep");
  }

  void valuesSayWhy() {
    Desk desk(engineHost());
    QVERIFY(desk.open(Stage::kAllocate));
    auto* table = desk.bring<LinkedTable>("allocate/values");
    QVERIFY(table && table->proxy()->rowCount() > 5);
    table->setFilterText("new buffer");
    QVERIFY(table->proxy()->rowCount() > 0);
    QTest::mouseClick(table->view()->viewport(), Qt::LeftButton, {},
                      table->view()->visualRect(table->proxy()->index(0, 0)).center());
    QVERIFY(desk.document().selection().value().valid());
    desk.keepPicture("values");
    table->view()->setFocus();
    QTest::keyClick(table->view(), Qt::Key_Return);
    auto* page = desk.window.findChild<ValuePage*>();
    QVERIFY(page->isVisible());
    QVERIFY(page->page()->toPlainText().contains("new buffer"));
    QVERIFY(!page->lanes()->data().blocks.empty());
    desk.keepPicture("value");
  }

  void chartZoomsDownToBytes() {
    Desk desk(engineHost());
    QVERIFY(desk.open(Stage::kPattern));
    LifeChart* chart = nullptr;
    for (LifeChart* each : desk.window.findChildren<LifeChart*>())
      if (each->data().bytes && each->isVisible()) chart = each;
    QVERIFY(chart && !chart->data().blocks.empty());
    chart->setFocus();
    const double full = chart->geometry().high - chart->geometry().low,
                 width = chart->geometry().endStep - chart->geometry().firstStep;
    for (int i = 0; i < 40; ++i)
      QTest::keyClick(chart, Qt::Key_Plus, Qt::AltModifier);
    QVERIFY(chart->geometry().high - chart->geometry().low <= 16);
    QCOMPARE(chart->geometry().endStep - chart->geometry().firstStep, width);
    for (int i = 0; i < 40; ++i)
      QTest::keyClick(chart, Qt::Key_Plus);
    QCOMPARE(chart->geometry().endStep - chart->geometry().firstStep, 1.0);
    desk.keepPicture("zoomed");
    QTest::keyClick(chart, Qt::Key_0);
    QCOMPARE(chart->geometry().high - chart->geometry().low, full);
    QTest::keyClick(chart, Qt::Key_Period);
    QVERIFY(!desk.document().selection().empty());
    QVERIFY(!chart->selectedItems().empty());
  }
};

QTEST_MAIN(TestPlansWindow)
#include "tst_plans_window.moc"
