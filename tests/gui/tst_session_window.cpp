// Sessions: written, opened, damaged, autosaved; settings that are damaged; files that change while they are open.
#include <csignal>

#include <sys/resource.h>

#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTimer>

#include "tests/gui/window_driver.h"
#include "ui/base/file_writing.h"
#include "ui/canvas/view/reading_controller.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/run/run_controls.h"
#include "ui/shell/command_menus.h"
#include "ui/shell/file_watch.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/session_keeper.h"

using namespace cutaway;
using namespace cutaway::ui;
using namespace cutaway::ui::test;

namespace {

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QPushButton* answer(NoticeBar* bar, const QString& words) {
  for (QPushButton* button : bar->findChildren<QPushButton*>())
    if (button->text() == words && button->isVisible()) return button;
  return nullptr;
}

// Presses a button of the next box that opens; gives what the box said.
void answerBox(const QString& button, QString* said) {
  auto* timer = new QTimer;
  timer->setInterval(20);
  QObject::connect(timer, &QTimer::timeout, [=] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (!box) return;
    *said = box->text();
    timer->deleteLater();
    for (QAbstractButton* each : box->buttons())
      if (each->text().remove('&') == button) return each->click();
    box->reject();
  });
  timer->start();
}

SessionState everything() {
  SessionModel model;
  model.path = "/models/net/model.onnx";
  model.options.providers = {"onednn", "cpu"};
  model.options.dims = {{"batch", 3}};
  model.options.optimizationLevel = 1;
  model.options.threads = 2;
  model.options.order = "memory";
  model.options.executor = "dataflow";
  model.options.memoryLimitBytes = 1 << 20;
  model.options.pins = {*session::parsePin("op:Resize=cpu")};
  model.edits = {{.kind = edit::EditKind::kBypassNode, .origin = 4}};
  model.bookmarks[3] = Bookmark{.title = "Conv c",
                                .stage = Stage::kPattern,
                                .graph = 1,
                                .origin = 7,
                                .centre = {3, 4},
                                .scale = 0.5,
                                .unfolded = {"a/b"}};
  model.stage = Stage::kPartition;
  model.overlay = "time";
  model.selected = {1, 2};
  model.trace = "{\"traceEvents\": []}";
  SessionState session;
  session.models = {model};
  session.arrangement = "docks";
  return session;
}

}  // namespace

class TestSession : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  void fileKeepsEverything() {
    const SessionState before = everything();
    const QByteArray json = sessionToJson(before, "/models/work.cutaway");
    QVERIFY2(json.contains("\"net/model.onnx\""), json.constData());
    const Result<SessionState> after = sessionFromJson(json, "/elsewhere/work.cutaway", engineHost()->providers);
    QVERIFY2(after, after ? "" : after.error().message.c_str());
    const SessionModel& model = after->models[0];
    QCOMPARE(model.path, QStringLiteral("/elsewhere/net/model.onnx"));
    QCOMPARE(model.options.providers, before.models[0].options.providers);
    QCOMPARE(model.options.dims.at("batch"), 3);
    QCOMPARE(model.options.memoryLimitBytes, 1 << 20);
    QCOMPARE(model.options.pins.size(), 1u);
    QVERIFY(model.edits == before.models[0].edits);
    QVERIFY(model.bookmarks == before.models[0].bookmarks);
    QCOMPARE(model.stage, Stage::kPartition);
    QCOMPARE(model.overlay, QStringLiteral("time"));
    QCOMPARE(model.selected, (std::vector<int>{1, 2}));
    QCOMPARE(model.trace, before.models[0].trace);
    QCOMPARE(after->arrangement, QByteArray("docks"));
    SessionState moved = *after;
    moved.models[0].path = before.models[0].path;
    QCOMPARE(sessionContent(moved), sessionContent(before));
    moved.models[0].selected.clear();
    QCOMPARE(sessionContent(moved), sessionContent(before));  // looking around changes nothing
    moved.models[0].options.threads = 7;
    QVERIFY(sessionContent(moved) != sessionContent(before));
  }

  void wrongFilesAreRefused_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << QByteArray() << "no session";
    QTest::newRow("cut off") << QByteArray("{\"schema\": \"cutaway.ses") << "no session";
    QTest::newRow("other") << QByteArray("{\"schema\": \"x\"}") << "'schema' is 'x'";
    QTest::newRow("newer") << QByteArray("{\"schema\": \"cutaway.session/9\"}") << "newer Cutaway";
    QTest::newRow("no models") << QByteArray("{\"schema\": \"cutaway.session/1\", \"models\": 3}") << "'models'";
    QTest::newRow("no path") << QByteArray("{\"schema\": \"cutaway.session/1\", \"models\": [{}]}")
                             << "models[0]: 'path'";
    QTest::newRow("bad settings")
        << QByteArray(
               "{\"schema\": \"cutaway.session/1\", \"models\": [{\"path\": \"a\", \"configuration\": {\"schema\": "
               "\"cutaway.configuration/1\", \"opt_level\": \"x\"}}]}")
        << "opt_level";
    QTest::newRow("bad edits") << QByteArray(
                                      "{\"schema\": \"cutaway.session/1\", \"models\": [{\"path\": \"a\", \"edits\": "
                                      "[{\"kind\": \"explode\"}]}]}")
                               << "explode";
  }
  void wrongFilesAreRefused() {
    QFETCH(QByteArray, json);
    QFETCH(QString, says);
    const Result<SessionState> session = sessionFromJson(json, "s.cutaway", engineHost()->providers);
    QVERIFY(!session);
    QVERIFY2(QString::fromStdString(session.error().message).contains(says), session.error().message.c_str());
  }

  // As on a full disk: writing stops half-way; what was there before stays.
  void fullDiskLeavesTheOldFile() {
    QTemporaryDir folder;
    const QString file = folder.filePath("s.cutaway");
    QVERIFY(writeFileSafely(file, "old"));
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{1000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const Result<void> written = writeFileSafely(file, QByteArray(100'000, 'x'));
    setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(!written);
    QVERIFY2(QString::fromStdString(written.error().message).contains("cannot be written"),
             written.error().message.c_str());
    QCOMPARE(bytesOf(file), QByteArray("old"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
  }

  void sessionComesBackInAnotherWindow() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_mlp")));
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kPattern));
    session::SessionOptions options = driver.document().options();
    options.threads = 1;
    options.dims["batch"] = 4;
    driver.document().setOptions(options);
    QTRY_VERIFY_WITH_TIMEOUT(driver.idle(), kPatienceMs);
    driver.document().selection().selectOrigins({2});
    driver.document().bookmarks().set(4, Bookmark{.title = "here", .origin = 3});
    const StyleRules rules = {{.query = QStringLiteral("op:Conv")}};
    ReadingController::of(&driver.document()).setRules(rules);
    driver.document().run(RunRequest{.runs = 2}, driver.document().options());
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().walk()->run && driver.idle(), kPatienceMs);
    const QString file = driver.target("work.cutaway");
    bool saved = false;
    driver.window.session()->saveTo(file, [&](bool through) { saved = through; });
    QTRY_VERIFY_WITH_TIMEOUT(saved, kPatienceMs);
    QVERIFY(!driver.window.session()->dirty());
    QVERIFY(driver.window.windowTitle().contains("work"));

    // A change of what is kept makes it unsaved; looking around does not.
    driver.go(Stage::kLoad);
    QTest::qWait(400);
    QVERIFY(!driver.window.session()->dirty());
    driver.document().bookmarks().set(5, Bookmark{.title = "there"});
    QTRY_VERIFY(driver.window.session()->dirty());
    QVERIFY(driver.window.isWindowModified());
    QString said;
    answerBox("Cancel", &said);
    QVERIFY(!driver.window.close());
    QVERIFY2(said.contains("work"), qPrintable(said));
    driver.document().bookmarks().set(5, {});
    QTRY_VERIFY(!driver.window.session()->dirty());

    WindowDriver other;
    other.window.openFile(file);
    QTRY_COMPARE_WITH_TIMEOUT(other.window.pageCount(), 2, kPatienceMs);
    other.page = other.window.currentPage();
    QVERIFY(other.document().path().contains("digits_cnn"));
    QTRY_VERIFY_WITH_TIMEOUT(
        other.idle() && other.document().stage() == Stage::kPattern && other.document().walk()->run, kPatienceMs);
    QCOMPARE(other.document().options().threads, 1);
    QCOMPARE(other.document().options().dims.at("batch"), 4);
    QCOMPARE(other.document().selection().origins(), (std::vector<int>{2}));
    QCOMPARE(other.document().bookmarks().at(4)->title, QStringLiteral("here"));
    QVERIFY(ReadingController::of(&other.document()).rules() == rules);
    QTest::qWait(400);
    QVERIFY(!other.window.session()->dirty());
    other.keepPicture("session-restored");
  }

  void damagedSessionIsPutAside() {
    WindowDriver driver;
    const QString file = driver.target("bad.cutaway");
    QVERIFY(writeFile(file, "{\"schema\": \"cutaway.session/1\", \"models\""));
    driver.window.openFile(file);
    QTRY_VERIFY(driver.window.notices()->isVisible());
    QVERIFY2(driver.window.notices()->words().contains("bad.cutaway.damaged"),
             qPrintable(driver.window.notices()->words()));
    driver.keepPicture("damaged");
    QVERIFY(!QFileInfo::exists(file));
    QVERIFY(QFileInfo::exists(file + ".damaged"));
    QVERIFY(driver.open(sample("digits_mlp")));  // the window works
    // One that is missing is not damaged.
    driver.window.openFile(driver.target("missing.cutaway"));
    QTRY_VERIFY(driver.window.notices()->words().contains("missing.cutaway"));
    QVERIFY(!QFileInfo::exists(driver.target("missing.cutaway.damaged")));
  }

  void failedSaveOffersAnotherTry() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_mlp")));
    QVERIFY(writeFile(driver.target("file"), "x"));
    QString said;
    bool called = false, saved = true;
    answerBox("Cancel", &said);
    driver.window.session()->saveTo(driver.target("file") + "/s.cutaway",
                                    [&](bool through) { called = true, saved = through; });
    QTRY_VERIFY_WITH_TIMEOUT(called, kPatienceMs);
    QVERIFY(!saved);
    QVERIFY2(said.contains("cannot be written"), qPrintable(said));
    QCOMPARE(driver.window.pageCount(), 1);
  }

  void crashedWindowIsRestored() {
    QTemporaryDir folder;
    ViewState settings(folder.filePath("settings.ini"));
    ThemeStore themes;
    const QString left = folder.filePath("autosave/1-1.cutaway");
    QDir().mkpath(folder.filePath("autosave"));
    SessionState session;
    session.models.push_back({.path = sample("digits_mlp")});
    QVERIFY(writeFileSafely(left, sessionToJson(session, left)));
    MainWindow window(engineHost(), {}, &settings, &themes);
    window.show();
    window.session()->offerRestore();
    QVERIFY(window.notices()->isVisible());
    QTRY_VERIFY(answer(window.notices(), "Restore"));
    QTest::mouseClick(answer(window.notices(), "Restore"), Qt::LeftButton);
    QCOMPARE(window.pageCount(), 1);
    QVERIFY(!QFileInfo::exists(left));
    QTRY_VERIFY_WITH_TIMEOUT(!window.currentPage()->document()->service().busy(), kPatienceMs);
    // What is open is kept while the window lives, and another window leaves it alone.
    window.session()->autosave();
    QTRY_VERIFY(QFileInfo::exists(window.session()->autosaveFile()));
    MainWindow second(engineHost(), {}, &settings, &themes);
    second.session()->offerRestore();
    QCOMPARE(second.notices()->words(), QString());
  }

  void damagedSettingsArePutAside() {
    QTemporaryDir folder;
    const QString file = folder.filePath("settings.ini");
    QVERIFY(writeFile(file, "[window]\nthis is no setting\ngarbage\n"));
    ViewState settings(file);
    QCOMPARE(settings.damagedFile(), file + ".damaged");
    QVERIFY(QFileInfo::exists(settings.damagedFile()));
    settings.put("window/theme", 2);
    QCOMPARE(settings.get("window/theme").toInt(), 2);
    ThemeStore themes;
    MainWindow window(engineHost(), {}, &settings, &themes);
    window.show();
    QVERIFY(window.notices()->isVisible());
    QVERIFY(window.notices()->words().contains("settings.ini.damaged"));
    const ViewState healthy(folder.filePath("none.ini"));
    QVERIFY(healthy.damagedFile().isEmpty());
  }

  void changedFileOffersReload() {
    WindowDriver driver;
    const QString file = driver.target("model.onnx");
    QVERIFY(QFile::copy(sample("digits_mlp"), file));
    QFile(file).setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    DocumentPage* page = driver.open(file);
    QVERIFY(page);
    driver.document().selection().selectOrigins({1});
    const size_t before = driver.document().walk()->loadedGraphs->graphs[0].nodes.size();
    QVERIFY(writeFile(file, bytesOf(sample("digits_cnn"))));
    QTRY_VERIFY_WITH_TIMEOUT(page->notices()->isVisible(), 5000);
    driver.keepPicture("changed");
    QTRY_VERIFY(answer(page->notices(), "Reload"));
    QTest::mouseClick(answer(page->notices(), "Reload"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(driver.idle() && driver.document().walk()->loadedGraphs &&
                                 driver.document().walk()->loadedGraphs->graphs[0].nodes.size() != before,
                             kPatienceMs);
    QTRY_COMPARE(driver.document().selection().origins(), (std::vector<int>{1}));
    QVERIFY(!page->notices()->isVisible());
    // Without asking, once that was said.
    driver.viewState.put(kReloadKey, true);
    QVERIFY(writeFile(file, bytesOf(sample("digits_mlp"))));
    QTRY_VERIFY_WITH_TIMEOUT(driver.idle() && driver.document().walk()->loadedGraphs &&
                                 driver.document().walk()->loadedGraphs->graphs[0].nodes.size() == before,
                             kPatienceMs);
    // Gone is said, and what is open stays.
    QVERIFY(QFile::remove(file));
    QTRY_VERIFY_WITH_TIMEOUT(page->notices()->isVisible() && page->notices()->words().contains("deleted"), 5000);
    QVERIFY(driver.document().walk()->pattern);
  }

  void reloadKeepsThePlace() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kPartition));
    driver.view().zoomTo(2);
    driver.document().selection().selectOrigins({3});
    const double scale = driver.view().transform().scale;
    const QPointF middle = driver.view().transform().offset;
    QVERIFY(driver.window.commands()->run("file.reload"));
    QTRY_VERIFY_WITH_TIMEOUT(driver.idle() && driver.document().walk()->pattern, kPatienceMs);
    QTRY_COMPARE(driver.document().selection().origins(), (std::vector<int>{3}));
    QCOMPARE(driver.document().stage(), Stage::kPartition);
    QTRY_COMPARE(driver.view().transform().scale, scale);
    QTRY_VERIFY2((driver.view().transform().offset - middle).manhattanLength() < 4,
                 qPrintable(QStringLiteral("%1 %2").arg(driver.view().transform().offset.x()).arg(middle.x())));
  }

  void droppedTensorsAndTracesAreForTheOpenModel() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_mlp")));
    const QString input = sampleInput("digits_mlp");
    driver.window.openFiles({input});
    QCOMPARE(driver.document().stage(), Stage::kRun);
    QCOMPARE(driver.window.pageCount(), 1);
    auto* controls = driver.window.findChild<RunControls*>();
    QVERIFY(controls);
    QCOMPARE(controls->request().files.size(), 1u);
    QCOMPARE(controls->request().files[0].second, input);
  }
};

QTEST_MAIN(TestSession)
#include "tst_session_window.moc"
