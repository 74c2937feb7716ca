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

#include "tests/gui/desk.h"
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
    Desk desk;
    QVERIFY(desk.open(sample("digits_mlp")));
    SettingsDialog dialog(&desk.window);
    picture(dialog, "settings");
    dialog.findChild<QComboBox*>("theme")->setCurrentIndex(2);
    QVERIFY(desk.themes.current().dark);
    QCOMPARE(desk.viewState.get(kThemeKey).toInt(), 2);
    dialog.findChild<QComboBox*>("wheel")->setCurrentIndex(1);
    QVERIFY(desk.view().wheelZooms());
    dialog.findChild<QComboBox*>("direction")->setCurrentIndex(1);
    QCOMPARE(desk.canvas().settings().direction, FlowDirection::kRight);
    QCOMPARE(CanvasSettings::read(desk.viewState).direction, FlowDirection::kRight);
    dialog.findChild<QSpinBox*>("textSize")->setValue(150);
    QCOMPARE(desk.viewState.get(kTextScaleKey).toInt(), 150);
    dialog.findChild<QCheckBox*>("reducedMotion")->setChecked(true);
    QVERIFY(desk.viewState.get(kReducedMotionKey).toBool());
    dialog.findChild<QSpinBox*>("threads")->setValue(3);
    auto* providers = dialog.findChild<QLineEdit*>("providers");
    providers->setText("onednn,cpu");
    emit providers->editingFinished();
    QCOMPARE(desk.window.defaults().threads, 3);
    QCOMPARE(desk.window.defaults().providers, (std::vector<std::string>{"onednn", "cpu"}));
    picture(dialog, "settings-dark");
    // The next start has them; arguments win.
    MainWindow next(engineHost(), {}, &desk.viewState, &desk.themes);
    applyDefaults(next);
    QCOMPARE(next.defaults().threads, 3);
    QCOMPARE(next.defaults().providers.size(), 2u);
    SessionOptions asked;
    asked.threads = 1;
    MainWindow other(engineHost(), asked, &desk.viewState, &desk.themes);
    applyDefaults(other);
    QCOMPARE(other.defaults().threads, 1);
    desk.window.setTextSize(100);
  }

  void languageFollowsWishThenSystem() {
    QCOMPARE(chosenLanguage("de", {"fr-FR"}), QStringLiteral("de"));
    QCOMPARE(chosenLanguage("", {"fr-FR", "zh-Hans-CN", "en"}), QStringLiteral("zh"));
    QCOMPARE(chosenLanguage("", {"fr-FR"}), QStringLiteral("en"));
    QCOMPARE(chosenLanguage("klingon", {}), QStringLiteral("en"));
  }

  void arrangementsAreKeptByName() {
    Desk desk;
    QVERIFY(desk.open(sample("digits_mlp")));
    desk.viewState.put("layouts/both", desk.window.arrangement());
    QVERIFY(desk.window.commands()->run("view.inspector"));
    QVERIFY(desk.window.inspectorDock()->isHidden());
    QCOMPARE(CommandMenus::titleOf(*desk.window.commands()->find("view.layout.1")), QStringLiteral("both"));
    QVERIFY(desk.window.commands()->run("view.layout.1"));
    QVERIFY(!desk.window.inspectorDock()->isHidden());
    QVERIFY(!desk.window.commands()->run("view.layout.2"));
    QVERIFY(desk.window.commands()->run("view.stagePanel"));
    QVERIFY(desk.window.commands()->run("view.layout.reset"));
    QVERIFY(!desk.window.stageDock()->isHidden());
  }

  void commandLineSaysEverySetting() {
    SessionOptions options;
    QCOMPARE(walkCommand("/m/a b.onnx", options), QStringLiteral("cutaway-cli inspect '/m/a b.onnx'"));
    options.providers = {"openvino{device=CPU}", "cpu"};
    options.pins = {*parsePin("op:Resize=cpu")};
    options.dims = {{"batch", 2}};
    options.optimizationLevel = 1;
    options.threads = 4;
    options.interThreads = 2;
    options.executor = "dataflow";
    options.order = "memory";
    options.planRules = "reference";
    options.inPlace = false;
    options.memoryLimitBytes = 1024;
    options.minimumGroupNodes = 3;
    options.config = {{"session.disable_cpu_ep_fallback", "1"}};
    QCOMPARE(walkCommand("m.onnx", options),
             QStringLiteral("cutaway-cli inspect --providers 'openvino{device=CPU},cpu' --pin op:Resize=cpu "
                            "--min-group 3 --dim batch=2 --opt-level 1 --threads 4 --inter-threads 2 --executor "
                            "dataflow --order memory --plan reference --no-in-place --memory-limit 1024 --set "
                            "session.disable_cpu_ep_fallback=1 m.onnx"));
  }

  void walkSettingsWalkAgain() {
    Desk desk;
    QVERIFY(desk.open(sample("digits_mlp")));
    WalkSettings dialog(&desk.document(), &desk.window);
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
    QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.document().walk()->pattern, kPatienceMs);
    QCOMPARE(desk.document().options().dims.at("batch"), 2);
    QCOMPARE(desk.document().options().optimizationLevel, 0);
    QCOMPARE(desk.document().path(), sample("digits_mlp"));
  }

  void firstStartGreetsOnce() {
    Desk desk;
    greet(desk.window);
    auto* tour = desk.window.findChild<GuidedTour*>();
    QVERIFY(tour && tour->isVisible());
    QCOMPARE(desk.window.pageCount(), 1);  // a bundled model
    desk.page = desk.window.currentPage();
    QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), kPatienceMs);
    for (int step = 0; step < tour->steps(); ++step) {
      QCOMPARE(tour->step(), step);
      QVERIFY2(tour->target().isValid(), qPrintable(QString::number(step)));
      desk.keepPicture(qPrintable(QStringLiteral("tour-%1").arg(step + 1)));
      QTest::keyClick(tour, Qt::Key_Right);
    }
    QTRY_VERIFY(!desk.window.findChild<GuidedTour*>());
    greet(desk.window);
    QVERIFY(!desk.window.findChild<GuidedTour*>());
    // Again from the menu; Esc ends it at any step.
    QVERIFY(desk.window.commands()->run("help.tour"));
    tour = desk.window.findChild<GuidedTour*>();
    QVERIFY(tour);
    QTest::keyClick(tour, Qt::Key_Escape);
    QTRY_VERIFY(!desk.window.findChild<GuidedTour*>());
  }
};

QTEST_MAIN(TestSettings)
#include "tst_settings_window.moc"
