// The window says what its figures are, and does what its keys, menus and lists promise.
#include <atomic>
#include <set>

#include <nlohmann/json.hpp>

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QListWidget>
#include <QMenu>
#include <QSemaphore>
#include <QSpinBox>

#include "engine/profile/statistics.h"
#include "engine/provider/provider_entry.h"
#include "engine/report/json.h"
#include "engine/report/measured_time.h"
#include "tests/gui/window_driver.h"
#include "ui/base/format.h"
#include "ui/base/truth_words.h"
#include "ui/canvas/overlay.h"
#include "ui/document/node_facts.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/run/run_controls.h"
#include "ui/panels/run/statistics_strip.h"
#include "ui/panels/truth_line.h"
#include "ui/report/report_page.h"
#include "ui/shell/command_menus.h"
#include "ui/shell/walk_settings.h"

using namespace cutaway;
using namespace cutaway::ui;
using namespace cutaway::ui::test;

namespace {

// A MatMul whose weights lie in a file that is not there.
constexpr const char* kWithoutWeights = R"(ir_version: 8
opset_import { version: 17 }
graph {
  name: "g"
  node { name: "product" op_type: "MatMul" input: "x" input: "w" output: "y" }
  initializer { name: "w" data_type: 1 dims: 4 dims: 2 data_location: EXTERNAL external_data { key: "location" value: "lost.bin" } }
  input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 3 } dim { dim_value: 4 } } } } }
  output { name: "y" type { tensor_type { elem_type: 1 shape { dim { dim_value: 3 } dim { dim_value: 2 } } } } }
})";

bool hasRun(WindowDriver& driver, const std::shared_ptr<const RunReport>& before) {
  return QTest::qWaitFor(
      [&] {
        return driver.document().walk()->run && driver.document().walk()->run != before &&
               !driver.document().service().busy();
      },
      kPatienceMs);
}

// So busy that the canvas shows every step of a walk: once `canvas` is told, walks go on when it has.
std::shared_ptr<EngineHost> slowHost(std::shared_ptr<std::atomic<CanvasPane*>> canvas) {
  auto host = engineHost();
  host->createSession = [inner = host->createSession, canvas](
                            const load::ModelSource& source, const session::SessionOptions& options,
                            const ProviderTable& table, Progress& progress, const session::WalkListener& listener) {
    return inner(source, options, table, progress, [&](std::shared_ptr<const WalkReport> walk) {
      listener(std::move(walk));
      CanvasPane* const pane = *canvas;
      if (!pane) return;
      QSemaphore shown;
      const auto heard = [pane, &shown] {  // after the window heard of the step
        if (!pane->loading()) return shown.release();
        QObject::connect(pane, &CanvasPane::sceneShown, pane, [&shown] { shown.release(); }, Qt::SingleShotConnection);
      };
      QMetaObject::invokeMethod(pane, heard, Qt::QueuedConnection);
      shown.acquire();
    });
  };
  return host;
}

QString titleOf(WindowDriver& driver, const char* id) {
  for (const Command& command : driver.window.commands()->commands())
    if (command.id == QLatin1String(id)) return CommandMenus::titleOf(command);
  return {};
}

}  // namespace

class TestTruthWindow : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  // Open sizes: neither a tick nor a result, in ribbon and panel.
  void openSizesAreNoResult() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kPattern));
    const QString words = driver.window.ribbon()->button(Stage::kPattern)->accessibleDescription();
    QVERIFY2(words.contains(QStringLiteral("partial: 0 of ")), qPrintable(words));
    QVERIFY(
        driver.window.ribbon()->button(Stage::kOptimize)->accessibleDescription().contains(QStringLiteral("exact")));
    const QList<TruthLine*> lines = driver.window.findChildren<TruthLine*>();
    const auto shown = std::ranges::find_if(lines, [](const TruthLine* each) { return each->isVisible(); });
    QVERIFY(shown != lines.end());
    const TruthLine* const line = *shown;
    QVERIFY(line->truth().kind == TruthKind::kPartial);
    const QImage ribbon = picture(driver.window.ribbon()->button(Stage::kPattern));
    QCOMPARE(shareOf(ribbon, driver.themes.current().success), 0.0);
    QVERIFY(shareOf(picture(driver.window.ribbon()->button(Stage::kOptimize)), driver.themes.current().success) > 0);
    driver.keepPicture("truth-pattern");
  }

  // One profile, one number: ribbon, card, line, colours, table, inspector's facts, report page and JSON.
  void everyPlaceTellsTheSameTime() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kRun));
    QTest::mouseClick(driver.window.findChild<RunControls*>()->runButton(), Qt::LeftButton);
    QVERIFY(hasRun(driver, nullptr));
    const WalkReport& walk = *driver.document().walk();
    const RunReport& run = *walk.run;
    const MeasuredTime time = measuredTime(run);
    const QString median = text(millisecondsText(time.medianMs)), spread = text(spreadText(time));
    QTRY_COMPARE(driver.window.ribbon()->button(Stage::kRun)->headline(), QStringLiteral("median ") + median);
    QVERIFY(driver.window.ribbon()->button(Stage::kRun)->toolTip().contains(spread));
    const StatisticsFigure card = statisticsFigures(run).front();
    QCOMPARE(card.value, median);
    QCOMPARE(card.detail, spread);
    const QList<TruthLine*> lines = driver.window.findChildren<TruthLine*>();
    QVERIFY(std::ranges::any_of(
        lines, [&](const TruthLine* line) { return line->isVisible() && line->toolTip().contains(spread); }));
    const auto page = htmlReport(walk, {});
    QVERIFY2(page, page ? "" : describe(page.error()).c_str());
    QVERIFY(page->find(measuredText(time)) != std::string::npos);
    const nlohmann::json json = toJson(run);
    QCOMPARE(text(millisecondsText(json["median_ms"].get<double>())), median);
    const std::vector<double> series = json["run_ms"];
    QCOMPARE(profile::statisticsOf(series).median, time.medianMs);
    QCOMPARE(profile::statisticsOf(series).medianInterval.low, time.lowMs);
    QCOMPARE(profile::statisticsOf(series).medianInterval.high, time.highMs);
    const auto facts = makeNodeFacts(walk, GraphVersion::kPartitioned, 0);
    double longest = 0;
    for (size_t i = 0; i < run.nodes.size(); ++i) {
      const NodeTiming& timing = run.nodes[i];
      if (timing.graph != 0) continue;
      QCOMPARE(facts->timeNs[static_cast<size_t>(timing.node)], timing.totalNs);
      QCOMPARE(json["nodes"][i]["total_ns"].get<int64_t>(), timing.totalNs);
      longest = std::max(longest, static_cast<double>(timing.totalNs));
    }
    QTRY_COMPARE(driver.view().look().overlay->largest, longest);
    driver.keepPicture("truth-run");
  }

  // In English the window's words are those of reports and command line.
  void wordsAreThoseOfTheReport() {
    const std::vector<std::pair<std::string, int64_t>> dims = {{"batch", 2}};
    for (const Truth& truth :
         std::vector<Truth>{{},
                            {.kind = TruthKind::kPartial, .known = 1200, .all = 3000, .basis = "buffers"},
                            {.kind = TruthKind::kAssumed, .dims = dims},
                            {.kind = TruthKind::kEstimated, .basis = "an arena played the plan's requests"},
                            {.kind = TruthKind::kSimulated, .basis = "declared(QNN-HTP)", .dims = dims},
                            {.kind = TruthKind::kMeasured, .runs = 1},
                            {.kind = TruthKind::kMeasured, .runs = 3, .lowMs = 1, .highMs = 2},
                            {.kind = TruthKind::kMeasured,
                             .basis = "there.json",
                             .dims = dims,
                             .runs = 1000,
                             .lowMs = 1,
                             .highMs = 2}})
      QCOMPARE(truthWords(truth), text(truthText(truth)));
  }

  // Ctrl+R runs with the threads that stand in the field; the result says for which sizes.
  void keyRunsAsTheFieldsSay() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kRun));
    auto* controls = driver.window.findChild<RunControls*>();
    QVERIFY(controls);
    QSpinBox* threads = nullptr;
    for (auto* spin : controls->findChildren<QSpinBox*>())
      if (spin->accessibleName() == QLatin1String("Threads")) threads = spin;
    QVERIFY(threads);
    threads->setValue(3);
    const auto before = driver.document().walk()->run;
    driver.view().setFocus();
    QTest::keyClick(&driver.window, Qt::Key_R, Qt::ControlModifier);
    QVERIFY(hasRun(driver, before));
    QCOMPARE(driver.document().options().threads, 3);
    TruthLine* told = nullptr;
    for (auto* line : driver.window.findChildren<TruthLine*>())
      if (line->isVisible()) told = line;
    QVERIFY(told && told->truth().kind == TruthKind::kMeasured);
    QVERIFY2(told->accessibleName().contains(QStringLiteral("at batch = 1")), qPrintable(told->accessibleName()));
    driver.keepPicture("truth-run");
  }

  // What a walk with other settings shows stays where it was, with its folds.
  void placeAndFoldsOutliveAWalk() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kOptimize));
    driver.canvas().unfoldAll();
    QVERIFY(driver.idle());
    const QStringList open = driver.canvas().unfoldedPaths();
    ViewTransform transform = driver.view().transform();
    transform.scale *= 1.7;
    transform.offset += QPointF(-60, -140);
    driver.view().setTransform(transform);
    const QPointF place = driver.view().transform().toScreen(
        driver.canvas().loaded().scene->items[static_cast<size_t>(driver.itemOf(4))].rect.center());
    const double scale = driver.view().transform().scale;
    session::SessionOptions options = driver.document().options();
    options.threads = 1;
    driver.document().setOptions(options);
    QVERIFY(QTest::qWaitFor([&] { return driver.canvas().loaded().scene && !driver.document().service().busy(); },
                            kPatienceMs));
    QVERIFY(driver.idle());
    QCOMPARE(driver.view().transform().scale, scale);
    const QPointF after = driver.view().transform().toScreen(
        driver.canvas().loaded().scene->items[static_cast<size_t>(driver.itemOf(4))].rect.center());
    QVERIFY2((after - place).manhattanLength() < 40,
             qPrintable(QStringLiteral("%1 %2").arg(after.x() - place.x()).arg(after.y() - place.y())));
    QCOMPARE(driver.canvas().unfoldedPaths(), open);
  }

  // Nor does it matter which graphs are shown on the way, and where the view has to stand for them.
  void placeOutlivesWhatIsShownOnTheWay_data() {
    QTest::addColumn<int>("stage");
    QTest::newRow("optimised") << int(Stage::kOptimize);
    QTest::newRow("partitioned") << int(Stage::kPartition);
  }
  void placeOutlivesWhatIsShownOnTheWay() {
    QFETCH(int, stage);
    const auto canvas = std::make_shared<std::atomic<CanvasPane*>>(nullptr);
    session::SessionOptions options;
    options.providers = {"onednn", "cpu"};
    WindowDriver driver(slowHost(canvas), options);
    QVERIFY(driver.open(sample("digits_cnn"), static_cast<Stage>(stage)));
    driver.canvas().unfoldAll();
    QVERIFY(driver.idle());
    const QStringList open = driver.canvas().unfoldedPaths();
    const GraphVersion version = driver.document().shownVersion();
    const std::shared_ptr<const Scene> scene = driver.canvas().loaded().scene;
    const QRectF bounds = scene->bounds;
    ViewTransform transform = driver.view().transform();
    transform.scale *= 1.7;
    transform.centreOn(bounds.bottomRight() - QPointF(60, 60), driver.view().size());
    driver.view().setTransform(transform);
    transform = driver.view().transform();
    std::set<GraphVersion> shown;
    connect(&driver.canvas(), &CanvasPane::sceneShown, &driver.canvas(),
            [&] { shown.insert(driver.document().shownVersion()); });
    *canvas = &driver.canvas();
    options = driver.document().options();
    options.threads = 1;
    driver.document().setOptions(options);
    QVERIFY(driver.idle());
    QCOMPARE(shown.size(), static_cast<size_t>(version) + 1);  // it was on the way
    QVERIFY(driver.canvas().loaded().scene != scene);
    QCOMPARE(driver.canvas().loaded().scene->bounds, bounds);
    QCOMPARE(driver.view().transform().scale, transform.scale);
    QCOMPARE(driver.view().transform().offset, transform.offset);
    QCOMPARE(driver.canvas().unfoldedPaths(), open);
  }

  // Who goes elsewhere meanwhile stays there.
  void whereOneGoesOnTheWayIsKept() {
    const auto canvas = std::make_shared<std::atomic<CanvasPane*>>(nullptr);
    WindowDriver driver(slowHost(canvas));
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kOptimize));
    const auto nodesOf = [&] { return driver.canvas().loaded().scene->report().nodes; };
    const int node = static_cast<int>(nodesOf().size()) / 2;
    const int32_t origin = nodesOf()[static_cast<size_t>(node)].origins.front();
    const QPointF middle = QRectF(driver.view().rect()).center();
    int moves = 0;
    connect(&driver.canvas(), &CanvasPane::sceneShown, &driver.canvas(), [&] {
      if (driver.document().shownVersion() != GraphVersion::kLoaded) return;
      const auto nodes = nodesOf();
      const auto from = std::ranges::find_if(
          nodes, [origin](const NodeReport& each) { return std::ranges::count(each.origins, origin) > 0; });
      const auto item = static_cast<size_t>(driver.itemOf(static_cast<int>(from - nodes.begin())));
      ViewTransform transform = driver.view().transform();
      transform.scale = 2;
      transform.centreOn(driver.canvas().loaded().scene->items[item].rect.center(), driver.view().size());
      driver.view().setTransform(transform);
      ++moves;
    });
    *canvas = &driver.canvas();
    driver.document().reload();
    QVERIFY(driver.idle());
    QVERIFY(moves > 0);
    QCOMPARE(driver.document().shownVersion(), GraphVersion::kOptimized);
    const auto item = static_cast<size_t>(driver.itemOf(node));
    const QPointF there = driver.view().transform().toScreen(driver.canvas().loaded().scene->items[item].rect.center());
    QCOMPARE(driver.view().transform().scale, 2.0);
    QVERIFY2((there - middle).manhattanLength() < 40,
             qPrintable(QStringLiteral("%1 %2").arg(there.x() - middle.x()).arg(there.y() - middle.y())));
  }

  void menuOfAGroupSpeaksOfTheGroup() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kLoad));
    driver.canvas().foldAll();
    QVERIFY(driver.idle());
    const Scene& scene = *driver.canvas().loaded().scene;
    int folded = -1;
    for (size_t i = 0; i < scene.items.size(); ++i)
      if (scene.items[i].kind == ItemKind::kFolded && scene.nodesOf(static_cast<int>(i)).size() > 1)
        folded = static_cast<int>(i);
    QVERIFY(folded >= 0);
    const size_t nodes = scene.nodesOf(folded).size();
    const QPoint at = driver.pointOf(folded);
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, driver.view().mapToGlobal(at));
    QApplication::sendEvent(&driver.view(), &event);
    auto* menu = driver.page->findChild<QMenu*>(QStringLiteral("groupMenu"));
    QVERIFY(menu);
    QVERIFY2(menu->actions().front()->text().contains(QString::number(nodes)),
             qPrintable(menu->actions().front()->text()));
    for (const QAction* action : menu->actions())
      QVERIFY2(!action->text().contains(QStringLiteral("does")) && !action->text().contains(QStringLiteral("this")),
               qPrintable(action->text()));
    QCOMPARE(driver.document().selection().origins().size(), nodes);
    menu->close();
  }

  void listOffersWhatCanBeUsed() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_mlp")));
    WalkSettings dialog(&driver.document(), &driver.window);
    auto* list = dialog.findChild<QListWidget*>();
    QVERIFY(list);
    const ProviderTable& table = driver.document().service().host().providers;
    QStringList offered;
    for (int row = 0; row < list->count(); ++row) {
      const QListWidgetItem* item = list->item(row);
      offered << item->text();
      const ProviderEntry* entry = findEntry(table, item->text().section(QChar(0x2013), 0, 0).trimmed().toStdString());
      if (entry && entry->probe && !entry->probe().usable)
        QVERIFY2(!item->flags().testFlag(Qt::ItemIsUserCheckable), qPrintable(item->text()));
    }
    QVERIFY(!offered.contains(QStringLiteral("declared")) && !offered.contains(QStringLiteral("skeleton")));
    QVERIFY2(offered.contains(QStringLiteral("declared(QNN-HTP)")), qPrintable(offered.join(u' ')));
  }

  // The context model needs the providers that made it.
  void opensWithTheSameProviders() {
    session::SessionOptions options;
    options.providers = {"onednn", "cpu"};
    WindowDriver driver(engineHost(), options);
    QVERIFY(driver.open(sample("digits_mlp")));
    session::SessionOptions changed = driver.document().options();
    changed.providers = {"declared(QNN-HTP)", "cpu"};
    driver.document().setOptions(changed);
    QVERIFY(driver.idle());
    emit driver.window.actions()->openAlikeRequested(sample("digits_cnn"));
    QCOMPARE(driver.window.pageCount(), 2);
    QCOMPARE(driver.window.currentPage()->document()->options().providers, changed.providers);
    driver.page = driver.window.currentPage();
    QVERIFY(driver.idle());
  }

  void savingIsOfTheEditedModel() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_mlp")));
    QCOMPARE(titleOf(driver, "session.save"), QStringLiteral("Save session"));
    QVERIFY(!driver.window.commands()->run(QStringLiteral("file.saveEdited")));
    driver.document().edits().add({.kind = edit::EditKind::kDeleteNode, .graph = 0, .origin = 0});
    QVERIFY(QTest::qWaitFor([&] { return !driver.document().edits().trying(); }, kPatienceMs) && driver.idle());
    QVERIFY(driver.document().edits().unsaved());
    QCOMPARE(titleOf(driver, "session.save"), QStringLiteral("Save edited model \u2026"));
    QVERIFY(!titleOf(driver, "file.saveEdited").isEmpty());
    QVERIFY(!titleOf(driver, "model.exportContext").isEmpty());
  }

  void graphWithoutWeightsIsDrawn() {
    WindowDriver driver;
    const QString path = driver.target("lost.textproto");
    QVERIFY(writeFile(path, kWithoutWeights));
    QVERIFY(driver.open(path));
    QVERIFY(driver.document().error());
    QVERIFY(driver.document().error()->message.find("lost.bin") != std::string::npos);
    QVERIFY(driver.document().walk()->loadedGraphs);
    QVERIFY(driver.canvas().loaded().scene ||
            QTest::qWaitFor([&] { return driver.canvas().loaded().scene != nullptr; }));
    QCOMPARE(driver.canvas().loaded().scene->report().nodes.size(), size_t{1});
  }
};

QTEST_MAIN(TestTruthWindow)
#include "tst_truth_window.moc"
