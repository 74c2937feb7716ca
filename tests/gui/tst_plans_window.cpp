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

#include "tests/gui/window_driver.h"
#include "ui/base/format.h"
#include "ui/panels/allocate/value_page.h"
#include "ui/panels/curve_chart.h"
#include "ui/panels/figures_view.h"
#include "ui/panels/life_chart.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/plans/plan_draft_editor.h"
#include "ui/panels/plans/plan_page.h"
#include "ui/panels/plans/sweep_page.h"
#include "ui/panels/schedule/order_page.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::engineHost;

namespace {

session::SessionOptions onCpu(bool bound) {
  session::SessionOptions options;
  options.providers = {"cpu"};
  options.threads = 1;
  if (bound) options.dims["batch"] = 1;
  return options;
}

struct WindowDriver : test::WindowDriver {
  explicit WindowDriver(std::shared_ptr<EngineHost> host, bool bound = true) : test::WindowDriver(host, onCpu(bound)) {}
  bool open(Stage stage) {
    return test::WindowDriver::open(test::sample("digits_cnn"), stage) && document().walk()->pattern;
  }
};

}  // namespace

class TestPlansWindow : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  void ordersAreComparedAndUsed() {
    WindowDriver driver(engineHost());
    QVERIFY(driver.open(Stage::kSchedule));
    auto* page = driver.bring<OrderPage>("schedule/orders");
    QVERIFY(page && page->isVisible() && !page->view()->isVisible());
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QVERIFY(driver.document().stageState(Stage::kRun) != StageState::kRunning);
    QVERIFY(driver.idle());
    const auto error = driver.document().studies().error(PlanStudies::kOrders);
    QVERIFY2(driver.document().studies().table(PlanStudies::kOrders), error ? error->message.c_str() : "");
    const QAbstractItemModel* model = page->view()->model();
    QCOMPARE(model->rowCount(), 5);
    QVERIFY(model->index(0, 0).data().toString().contains(QString::fromUtf8("\u2713")));  // the session's own
    driver.keepPicture("orders");
    int memory = -1;
    for (int row = 0; row < 5; ++row)
      if (model->index(row, 0).data().toString().contains("memory")) memory = row;
    QVERIFY(memory > 0 && !page->useButton()->isEnabled());
    page->view()->setFocus();
    QTest::mouseClick(page->view()->viewport(), Qt::LeftButton, {},
                      page->view()->visualRect(model->index(memory, 0)).center());
    QVERIFY(page->useButton()->isEnabled() && page->useButton()->text().contains("memory"));
    QTest::mouseClick(page->useButton(), Qt::LeftButton);
    QCOMPARE(driver.document().options().order, std::string("memory"));
    QVERIFY(driver.idle());
    QVERIFY(!driver.document().studies().table(PlanStudies::kOrders));  // of another session
  }

  void comparingOrdersIsCancelled() {
    auto host = engineHost();
    auto started = std::make_shared<std::atomic<bool>>(false), finished = std::make_shared<std::atomic<bool>>(false);
    host->compareOrders = [started, finished](const Model&, const session::SessionOptions&,
                                              Progress& progress) -> Result<PlanTable> {
      *started = true;
      while (!progress.cancelled())
        QThread::msleep(5);
      *finished = true;
      return PlanTable{"order", {"default"}, {PlanFigures{}}};
    };
    WindowDriver driver(host);
    QVERIFY(driver.open(Stage::kSchedule));
    auto* page = driver.bring<OrderPage>("schedule/orders");
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QCOMPARE(page->compareButton()->text(), QStringLiteral("Cancel"));
    QTRY_VERIFY(started->load());  // cancelled before, it would never be asked
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QCOMPARE(page->compareButton()->text(), QStringLiteral("Compare orders"));
    QTRY_VERIFY(finished->load());
    QTest::qWait(50);
    QVERIFY(!driver.document().studies().table(PlanStudies::kOrders));
    QVERIFY(!driver.document().cancelled() && driver.document().walk()->pattern);
  }

  void planIsTriedOutAndApplied() {
    WindowDriver driver(engineHost());
    QVERIFY(driver.open(Stage::kPattern));
    auto* page = driver.bring<PlanPage>("pattern/whatIf");
    QVERIFY(page && page->isVisible());
    QVERIFY(!page->applyButton()->isEnabled());
    page->editor()->rules()->setCurrentIndex(page->editor()->rules()->findData("onnxruntime"));
    QCOMPARE(driver.document().draft().plan().rules, std::string("onnxruntime"));
    QVERIFY(page->applyButton()->isEnabled());
    driver.keepPicture("plan-change");
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QVERIFY(driver.idle());
    QVERIFY2(driver.document().whatIf() && driver.document().whatIf()->plans,
             driver.document().whatIfError() ? driver.document().whatIfError()->message.c_str() : "no plans");
    QVERIFY(page->figures()->isVisible());
    const PlanComparison& plans = *driver.document().whatIf()->plans;
    QCOMPARE(plans.b.rules, std::string("onnxruntime"));
    driver.keepPicture("plan-figures");
    page->showPage(PlanPage::kMemory);
    QCOMPARE(page->curves()->data().curves.size(), size_t{2});
    driver.keepPicture("plan-memory");
    page->showPage(PlanPage::kValues);
    auto* values = page->findChild<LinkedTable*>();
    QCOMPARE(values->proxy()->rowCount(), static_cast<int>(plans.values.size()));
    driver.keepPicture("plan-values");
    // The other panels show the same comparison.
    driver.window.ribbon()->button(Stage::kAllocate)->click();
    QTRY_VERIFY(driver.bring<PlanPage>("allocate/whatIf"));
    auto* other = driver.bring<PlanPage>("allocate/whatIf");
    QVERIFY(other->isVisible());
    QCOMPARE(other->figures()->rows().size(), page->figures()->rows().size());
    QTest::mouseClick(other->applyButton(), Qt::LeftButton);
    QCOMPARE(driver.document().options().planRules, std::string("onnxruntime"));
    QVERIFY(driver.idle());
    QCOMPARE(driver.document().walk()->allocate->rules, std::string("onnxruntime"));
    QVERIFY(!driver.document().whatIf() && !driver.document().draft().isChanged());
  }

  // Without a memory pattern nothing has a place, and no peak is claimed: the arena's bytes stand there, simulated.
  void theArenaStandsInPlaceOfAPeak() {
    session::SessionOptions options = onCpu(true);
    options.config["session.enable_mem_pattern"] = "0";
    test::WindowDriver driver(engineHost(), options);
    QVERIFY(driver.open(test::sample("digits_cnn"), Stage::kPattern));
    LifeChart* chart = nullptr;
    for (LifeChart* each : driver.window.findChildren<LifeChart*>())
      if (each->data().bytes && each->isVisible()) chart = each;
    QVERIFY(chart && chart->data().blocks.empty() && chart->data().curvesAlone);
    QVERIFY2(chart->data().lines.front().label.contains("the arena holds"),
             qPrintable(chart->data().lines.front().label));
    QVERIFY2(chart->data().summary.contains("simulated"), qPrintable(chart->data().summary));
    QStringList words;
    for (const QLabel* label : driver.window.findChildren<QLabel*>())
      if (label->isVisible()) words << label->text();
    const QString all = words.join('\n');
    QVERIFY2(all.contains("The arena holds, simulated") && all.contains("session.enable_mem_pattern"), qPrintable(all));
    QVERIFY2(!words.contains("Peak") && !words.contains("Strategy"), qPrintable(all));
    const PatternReport& pattern = *driver.document().walk()->pattern;
    QVERIFY2(all.contains(sizeText(pattern.peakBytes)), qPrintable(all));
    driver.keepPicture("arena");
  }

  void sizesAreSwept() {
    WindowDriver driver(engineHost(), false);
    QVERIFY(driver.open(Stage::kPattern));
    auto* page = driver.bring<PlanPage>("pattern/whatIf");
    page->showPage(PlanPage::kSweep);
    SweepPage* sweep = page->sweepPage();
    QVERIFY(sweep->isVisible() && sweep->dimension()->count() >= 1);
    sweep->sizes()->setText("1, nine");
    QVERIFY(!sweep->planButton()->isEnabled());
    sweep->sizes()->setText("1, 2, 8");
    QTest::mouseClick(sweep->planButton(), Qt::LeftButton);
    QVERIFY(driver.idle());
    const auto table = driver.document().studies().table(PlanStudies::kSweep);
    const auto error = driver.document().studies().error(PlanStudies::kSweep);
    QVERIFY2(table, error ? error->message.c_str() : "");
    QCOMPARE(table->rows.size(), size_t{3});
    QVERIFY(table->rows[0].peakBytes > 0 && table->rows[0].peakBytes < table->rows[2].peakBytes);
    QCOMPARE(sweep->chart()->data().ticks.size(), size_t{3});
    driver.keepPicture("sweep");
  }

  void valuesSayWhy() {
    WindowDriver driver(engineHost());
    QVERIFY(driver.open(Stage::kAllocate));
    auto* table = driver.bring<LinkedTable>("allocate/values");
    QVERIFY(table && table->proxy()->rowCount() > 5);
    table->setFilterText("new buffer");
    QVERIFY(table->proxy()->rowCount() > 0);
    QTest::mouseClick(table->view()->viewport(), Qt::LeftButton, {},
                      table->view()->visualRect(table->proxy()->index(0, 0)).center());
    QVERIFY(driver.document().selection().value().valid());
    driver.keepPicture("values");
    table->view()->setFocus();
    QTest::keyClick(table->view(), Qt::Key_Return);
    auto* page = driver.window.findChild<ValuePage*>();
    QVERIFY(page->isVisible());
    QVERIFY(page->page()->toPlainText().contains("new buffer"));
    QVERIFY(!page->lanes()->data().blocks.empty());
    driver.keepPicture("value");
  }

  void chartZoomsDownToBytes() {
    WindowDriver driver(engineHost());
    QVERIFY(driver.open(Stage::kPattern));
    LifeChart* chart = nullptr;
    for (LifeChart* each : driver.window.findChildren<LifeChart*>())
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
    driver.keepPicture("zoomed");
    QTest::keyClick(chart, Qt::Key_0);
    QCOMPARE(chart->geometry().high - chart->geometry().low, full);
    QTest::keyClick(chart, Qt::Key_Period);
    QVERIFY(!driver.document().selection().empty());
    QVERIFY(!chart->selectedItems().empty());
  }
};

QTEST_MAIN(TestPlansWindow)
#include "tst_plans_window.moc"
