// Settings, arrangements, the settings of the walk, and the first start.
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QGuiApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>

#include "tests/gui/window_driver.h"
#include "ui/base/comfort.h"
#include "ui/canvas/view/canvas_settings.h"
#include "ui/shell/command_menus.h"
#include "ui/shell/guided_tour.h"
#include "ui/shell/language.h"
#include "ui/shell/settings_dialog.h"
#include "ui/shell/walk_command.h"
#include "ui/shell/walk_settings.h"

using namespace cutaway;
using namespace cutaway::ui;
using namespace cutaway::ui::test;

namespace {

void picture(QWidget& widget, const char* name) {
  if (const QString pictures = qEnvironmentVariable("CUTAWAY_PICTURES"); !pictures.isEmpty()) {
    widget.show();
    widget.grab().save(pictures + '/' + name + ".png");
  }
}

}  // namespace

class TestSettings : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  void settingsAreKeptAndShown() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_mlp")));
    SettingsDialog dialog(&driver.window);
    picture(dialog, "settings");
    dialog.findChild<QComboBox*>("theme")->setCurrentIndex(2);
    QVERIFY(driver.themes.current().dark);
    QCOMPARE(driver.viewState.get(kThemeKey).toInt(), 2);
    dialog.findChild<QComboBox*>("wheel")->setCurrentIndex(1);
    QVERIFY(driver.view().wheelZooms());
    dialog.findChild<QComboBox*>("direction")->setCurrentIndex(1);
    QCOMPARE(driver.canvas().settings().direction, FlowDirection::kRight);
    QCOMPARE(CanvasSettings::read(driver.viewState).direction, FlowDirection::kRight);
    dialog.findChild<QSpinBox*>("textSize")->setValue(150);
    QCOMPARE(driver.viewState.get(kTextScaleKey).toInt(), 150);
    dialog.findChild<QCheckBox*>("reducedMotion")->setChecked(true);
    QVERIFY(driver.viewState.get(kReducedMotionKey).toBool());
    dialog.findChild<QSpinBox*>("threads")->setValue(3);
    auto* providers = dialog.findChild<QLineEdit*>("providers");
    providers->setText("onednn,cpu");
    emit providers->editingFinished();
    QCOMPARE(driver.window.defaults().threads, 3);
    QCOMPARE(driver.window.defaults().providers, (std::vector<std::string>{"onednn", "cpu"}));
    picture(dialog, "settings-dark");
    // The next start has them; arguments win.
    MainWindow next(engineHost(), {}, &driver.viewState, &driver.themes);
    applyDefaults(next);
    QCOMPARE(next.defaults().threads, 3);
    QCOMPARE(next.defaults().providers.size(), 2u);
    session::SessionOptions asked;
    asked.threads = 1;
    MainWindow other(engineHost(), asked, &driver.viewState, &driver.themes);
    applyDefaults(other);
    QCOMPARE(other.defaults().threads, 1);
    driver.window.setTextSize(100);
  }

  void languageFollowsSettingThenSystem() {
    QCOMPARE(chosenLanguage("de", {"fr-FR"}), QStringLiteral("de"));
    QCOMPARE(chosenLanguage("", {"fr-FR", "zh-Hans-CN", "en"}), QStringLiteral("zh"));
    QCOMPARE(chosenLanguage("", {"fr-FR"}), QStringLiteral("en"));
    QCOMPARE(chosenLanguage("klingon", {}), QStringLiteral("en"));
  }

  void arrangementsAreKeptByName() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_mlp")));
    driver.viewState.put("layouts/both", driver.window.arrangement());
    QVERIFY(driver.window.commands()->run("view.inspector"));
    QVERIFY(driver.window.inspectorDock()->isHidden());
    QCOMPARE(CommandMenus::titleOf(*driver.window.commands()->find("view.layout.1")), QStringLiteral("both"));
    QVERIFY(driver.window.commands()->run("view.layout.1"));
    QVERIFY(!driver.window.inspectorDock()->isHidden());
    QVERIFY(!driver.window.commands()->run("view.layout.2"));
    QVERIFY(driver.window.commands()->run("view.stagePanel"));
    QVERIFY(driver.window.commands()->run("view.layout.reset"));
    QVERIFY(!driver.window.stageDock()->isHidden());
  }

  void commandLineSaysEverySetting() {
    session::SessionOptions options;
    QCOMPARE(walkCommand("/m/a b.onnx", options), QStringLiteral("cutaway-cli inspect '/m/a b.onnx'"));
    options.providers = {"openvino{device=CPU}", "cpu"};
    options.pins = {*session::parsePin("op:Resize=cpu")};
    options.dims = {{"batch", 2}};
    options.optimizationLevel = 1;
    options.threads = 4;
    options.interThreads = 2;
    options.executor = "dataflow";
    options.order = "memory";
    options.planRules = "onnxruntime";
    options.inPlace = false;
    options.memoryLimitBytes = 1024;
    options.minimumGroupNodes = 3;
    options.config = {{"session.disable_cpu_ep_fallback", "1"}};
    QCOMPARE(walkCommand("m.onnx", options),
             QStringLiteral("cutaway-cli inspect --providers 'openvino{device=CPU},cpu' --pin op:Resize=cpu "
                            "--min-group 3 --dim batch=2 --opt-level 1 --threads 4 --inter-threads 2 --executor "
                            "dataflow --order memory --plan onnxruntime --no-in-place --memory-limit 1024 --set "
                            "session.disable_cpu_ep_fallback=1 m.onnx"));
  }

  void walkSettingsWalkAgain() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_mlp")));
    WalkSettings dialog(&driver.document(), &driver.window);
    picture(dialog, "walk-settings");
    auto* batch = dialog.findChild<QSpinBox*>("dim-batch");
    QVERIFY(batch);
    QCOMPARE(batch->value(), -1);
    batch->setValue(2);
    dialog.findChild<QSpinBox*>("level")->setValue(0);
    QTest::mouseClick(dialog.findChild<QPushButton*>("copyCommand"), Qt::LeftButton);
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY2(copied.contains("--dim batch=2 --opt-level 0"), qPrintable(copied));
    QVERIFY(copied.endsWith("digits_mlp/model.onnx"));
    auto* providers = dialog.findChild<QListWidget*>();
    for (int row = 0; row < providers->count(); ++row)
      providers->item(row)->setCheckState(Qt::Unchecked);
    QVERIFY(!dialog.options());
    providers->item(0)->setCheckState(Qt::Checked);
    QVERIFY(dialog.options());
    QTest::mouseClick(dialog.findChild<QPushButton*>("applyWalk"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(driver.idle() && driver.document().walk()->pattern, kPatienceMs);
    QCOMPARE(driver.document().options().dims.at("batch"), 2);
    QCOMPARE(driver.document().options().optimizationLevel, 0);
    QCOMPARE(driver.document().path(), sample("digits_mlp"));
  }

  void firstStartGreetsOnce() {
    WindowDriver driver;
    greet(driver.window);
    auto* tour = driver.window.findChild<GuidedTour*>();
    QVERIFY(tour && tour->isVisible());
    QCOMPARE(driver.window.pageCount(), 1);  // a bundled model
    driver.page = driver.window.currentPage();
    QTRY_VERIFY_WITH_TIMEOUT(driver.idle(), kPatienceMs);
    for (int step = 0; step < tour->steps(); ++step) {
      QCOMPARE(tour->step(), step);
      QVERIFY2(tour->target().isValid(), qPrintable(QString::number(step)));
      driver.keepPicture(qPrintable(QStringLiteral("tour-%1").arg(step + 1)));
      QTest::keyClick(tour, Qt::Key_Right);
    }
    QTRY_VERIFY(!driver.window.findChild<GuidedTour*>());
    greet(driver.window);
    QVERIFY(!driver.window.findChild<GuidedTour*>());
    // Again from the menu; Esc ends it at any step.
    QVERIFY(driver.window.commands()->run("help.tour"));
    tour = driver.window.findChild<GuidedTour*>();
    QVERIFY(tour);
    QTest::keyClick(tour, Qt::Key_Escape);
    QTRY_VERIFY(!driver.window.findChild<GuidedTour*>());
  }
};

QTEST_MAIN(TestSettings)
#include "tst_settings_window.moc"
