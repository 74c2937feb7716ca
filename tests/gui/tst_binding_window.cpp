// Shapes and configuration in sight: the bar under the ribbon, what it does to plan, run, export and what-if, and the
// two workspaces of the window.
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScopeGuard>
#include <QStackedWidget>

#include "tests/gui/window_driver.h"
#include "ui/base/comfort.h"
#include "ui/document/shape_sweeper.h"
#include "ui/document/study_job.h"
#include "ui/panels/run/run_controls.h"
#include "ui/shell/binding_bar.h"
#include "ui/shell/command_menus.h"
#include "ui/shell/text_size.h"
#include "ui/shell/tool_docks.h"

using namespace cutaway;
using namespace cutaway::ui;
using namespace cutaway::ui::test;

namespace {

void write(QComboBox* field, const QString& words) {
  field->setFocus();
  field->lineEdit()->selectAll();
  QTest::keyClicks(field->lineEdit(), words.isEmpty() ? QStringLiteral(" ") : words);
  QTest::keyClick(field->lineEdit(), Qt::Key_Return);
}

BindingBar* barOf(WindowDriver& driver) {
  return driver.window.findChild<BindingBar*>();
}

bool titleSays(const WindowDriver& driver, const QString& words) {
  for (const QLabel* label : driver.window.findChildren<QLabel*>())
    if (label->isVisible() && label->text().contains(words)) return true;
  return false;
}

QRect placeOf(const QWidget* widget, const QWidget* window) {
  return {widget->mapTo(window, QPoint()), widget->size()};
}

}  // namespace

class TestBindingWindow : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  // One size is walked with, by everything; its panels say so.
  void oneSizeBindsEverything() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kPattern));
    BindingBar* bar = barOf(driver);
    QVERIFY(bar->isVisible());
    QComboBox* batch = bar->field(QStringLiteral("batch"));
    QVERIFY(batch);
    QVERIFY(titleSays(driver, QStringLiteral("batch open")));
    write(batch, QStringLiteral("8"));
    QVERIFY(driver.idle());
    QCOMPARE(driver.document().options().dims.at("batch"), int64_t{8});
    QCOMPARE(driver.document().draft().presentPlan().dims.at("batch"), int64_t{8});
    QVERIFY(titleSays(driver, QStringLiteral("batch = 8")));
    QVERIFY(driver.window.ribbon()->button(Stage::kPattern)->accessibleDescription().contains(QStringLiteral("exact")));
    driver.document().run();
    QVERIFY(QTest::qWaitFor([&] { return driver.document().walk()->run && !driver.document().service().busy(); },
                            kPatienceMs));
    QVERIFY(QString::fromStdString(driver.document().walk()->run->inputs.front().type).contains(QStringLiteral("[8,")));
    driver.keepPicture("binding-8");
    write(bar->field(QStringLiteral("batch")), {});
    QVERIFY(driver.idle());
    QVERIFY(driver.document().options().dims.empty());
    QVERIFY(titleSays(driver, QStringLiteral("batch open")));
  }

  // What an open dimension was taken for stands where the run's figures are.
  void runSaysWhatItTook() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kRun));
    driver.document().run();
    QVERIFY(QTest::qWaitFor([&] { return driver.document().walk()->run && !driver.document().service().busy(); },
                            kPatienceMs));
    QVERIFY(titleSays(driver, QStringLiteral("batch = 1 (this run)")));
  }

  void severalSizesAreSwept() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    BindingBar* bar = barOf(driver);
    QVERIFY(!bar->sweepButton()->isVisible());
    write(bar->field(QStringLiteral("batch")), QStringLiteral("1, 8..32"));
    QVERIFY(bar->sweepButton()->isVisible());
    QCOMPARE(ShapeSweeper::of(&driver.document())->combinations(), size_t{4});
    QVERIFY(driver.document().options().dims.empty());
    QVERIFY(bar->sweepButton()->text().contains(QStringLiteral("4")));
    bar->sweepButton()->menu()->actions().back()->trigger();
    QVERIFY(driver.window.tools()->shown(QStringLiteral("shapes")));
    auto* job = driver.window.tools()->dock(QStringLiteral("shapes"))->findChild<StudyJob*>();
    QVERIFY(job);
    QVERIFY(QTest::qWaitFor([job] { return !job->busy(); }, kPatienceMs));
    const auto sweep = job->result<ShapeSweep>();
    QVERIFY2(sweep, job->error() ? describe(*job->error()).c_str() : "cancelled");
    QCOMPARE(sweep->rows.size(), size_t{4});
    for (const ShapeRow& row : sweep->rows)
      QVERIFY2(row.problem.empty() && row.runs > 0, row.problem.c_str());
    QVERIFY(sweep->rows.back().peakBytes > sweep->rows.front().peakBytes);
    driver.keepPicture("binding-sweep");
  }

  void wrongWordsAreRefused() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    BindingBar* bar = barOf(driver);
    write(bar->field(QStringLiteral("batch")), QStringLiteral("many"));
    QVERIFY(bar->field(QStringLiteral("batch"))->property("invalid").toBool());
    QVERIFY(driver.document().options().dims.empty());
    write(bar->field(QStringLiteral("batch")), QStringLiteral("2"));
    QVERIFY(driver.idle());
    QVERIFY(!bar->field(QStringLiteral("batch"))->property("invalid").toBool());
    QCOMPARE(driver.document().options().dims.at("batch"), int64_t{2});
  }

  void configurationAndDraftAreSaid() {
    session::SessionOptions options;
    options.providers = {"onednn", "cpu"};
    options.threads = 2;
    options.optimizationLevel = 1;
    WindowDriver driver(engineHost(), options);
    QVERIFY(driver.open(sample("digits_mlp")));
    BindingBar* bar = barOf(driver);
    QCOMPARE(bar->configuration()->text(), QStringLiteral("onednn \u203a cpu \u00b7 level 1 \u00b7 2 threads"));
    QVERIFY(!bar->draft()->isVisible());
    DraftPlan plan = driver.document().draft().plan();
    plan.order = "memory";
    driver.document().draft().setPlan(plan);
    QVERIFY(bar->draft()->isVisible());
    QVERIFY(bar->draft()->toolTip().contains(QStringLiteral("memory")));
  }

  void settingsAreCopiedAsCode() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_mlp")));
    QTest::keyClick(&driver.window, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("ort.InferenceSession(")));
    QTest::keyClick(&driver.window, Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("Ort::Session session(")));
  }

  void fieldsFollowTheModelInFront() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    write(barOf(driver)->field(QStringLiteral("batch")), QStringLiteral("4"));
    QVERIFY(driver.idle());
    DocumentPage* first = driver.window.currentPage();
    const QString path = driver.target("fixed.textproto");
    QVERIFY(writeFile(path, R"(ir_version: 8
opset_import { version: 17 }
graph {
  name: "g"
  node { name: "n" op_type: "Neg" input: "x" output: "y" }
  input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 3 } } } } }
  output { name: "y" type { tensor_type { elem_type: 1 shape { dim { dim_value: 3 } } } } }
})"));
    QVERIFY(driver.open(path));
    QVERIFY(!barOf(driver)->field(QStringLiteral("batch")));
    QVERIFY(titleSays(driver, QStringLiteral("fixed shapes")));
    // A dimension without a name is open all the same.
    const QString unnamed = driver.target("unnamed.textproto");
    QVERIFY(writeFile(unnamed, R"(ir_version: 8
opset_import { version: 17 }
graph {
  name: "g"
  node { name: "n" op_type: "Neg" input: "x" output: "y" }
  input { name: "x" type { tensor_type { elem_type: 1 shape { dim { } dim { dim_value: 3 } } } } }
  output { name: "y" type { tensor_type { elem_type: 1 shape { dim { } dim { dim_value: 3 } } } } }
})"));
    QVERIFY(driver.open(unnamed));
    QVERIFY(titleSays(driver, QStringLiteral("unnamed sizes open")));
    driver.window.showModel(first);
    QComboBox* batch = barOf(driver)->field(QStringLiteral("batch"));
    QVERIFY(batch);
    QCOMPARE(batch->currentText(), QStringLiteral("4"));
  }

  void twoWorkspaces_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("percent");
    QTest::newRow("1440x900") << QSize(1440, 900) << 100;
    QTest::newRow("1024x700") << QSize(1024, 700) << 100;
    QTest::newRow("1440x900, 200 %") << QSize(1440, 900) << 200;
  }
  void twoWorkspaces() {
    QFETCH(QSize, size);
    QFETCH(int, percent);
    WindowDriver driver;
    driver.viewState.put(QLatin1String(kTextScaleKey), percent);
    showTextSize(percent);
    const auto back = qScopeGuard([] { showTextSize(100); });
    driver.window.resize(size);
    driver.window.arrangeDocks();
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kRun));
    QTest::qWait(50);
    QCOMPARE(driver.window.size(), size);
    const QRect inspector = placeOf(driver.window.inspectorDock(), &driver.window),
                stage = placeOf(driver.window.stageDock(), &driver.window),
                canvas = placeOf(driver.window.currentPage()->canvas(), &driver.window),
                bar = placeOf(barOf(driver), &driver.window);
    const QRect whole(QPoint(), size);
    for (const QRect& each : {inspector, stage, canvas, bar})
      QVERIFY2(
          whole.contains(each),
          qPrintable(QStringLiteral("%1 %2 %3 %4").arg(each.x()).arg(each.y()).arg(each.width()).arg(each.height())));
    QVERIFY(!inspector.intersects(stage) && !inspector.intersects(canvas) && !stage.intersects(canvas));
    QVERIFY(!bar.intersects(canvas) && !bar.intersects(inspector));
    QVERIFY(inspector.left() > stage.right() && stage.top() > canvas.bottom());
    // At full height: from below the bar to as far down as the panel below the graph.
    QCOMPARE(inspector.bottom(), stage.bottom());
    QVERIFY(inspector.height() > stage.height() + canvas.height() / 2);
    QVERIFY(stage.width() > size.width() / 2);
    driver.keepPicture(qPrintable(QStringLiteral("workspaces-") + QLatin1String(QTest::currentDataTag())));
  }

  // Sizes are named where figures stand: a log has none.
  void onlyFiguresNameSizes() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    const auto says = [&](const char* id) {
      driver.window.tools()->raise(QLatin1String(id));
      const QWidget* head = driver.window.tools()->dock(QLatin1String(id))->titleBarWidget();
      return std::ranges::any_of(head->findChildren<QLabel*>(),
                                 [](const QLabel* label) { return label->text().contains(QStringLiteral("batch")); });
    };
    QVERIFY(QTest::qWaitFor([&] { return says("nodes"); }));
    for (const char* id : {"log", "operator"})
      QVERIFY2(!says(id), id);
  }

  // A tool lies over the stage's panel; the ribbon brings that back, also for the stage that is chosen.
  void ribbonBringsThePanelBack() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_mlp"), Stage::kPartition));
    driver.window.tools()->raise(QStringLiteral("support"));
    QVERIFY(QTest::qWaitFor([&] { return driver.window.stageDock()->visibleRegion().isEmpty(); }));
    driver.window.ribbon()->button(Stage::kPartition)->click();
    QVERIFY(QTest::qWaitFor([&] { return !driver.window.stageDock()->visibleRegion().isEmpty(); }));
  }
};

QTEST_MAIN(TestBindingWindow)
#include "tst_binding_window.moc"
