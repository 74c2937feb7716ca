// Memory runs out while a graph is laid out or searched: the canvas says so in its place, rules and searches end, and
// the next one has it all.
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include "tests/program/counted_heap.h"
#include "tests/unit/ui/walk_fixture.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/find_bar.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/canvas/view/reading_controller.h"
#include "ui/document/document.h"
#include "ui/document/engine_host.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

constexpr int kNodes = 40'000;  // whose tables are large; what the window itself asks for is not

class ShortMemory {
 public:
  ShortMemory() { counted_heap::refusedFrom = 32 * 1024; }
  ~ShortMemory() { counted_heap::refusedFrom = 0; }
  ShortMemory(const ShortMemory&) = delete;
  ShortMemory& operator=(const ShortMemory&) = delete;
};

bool saysIt(const QString& words) {
  return words.contains(QLatin1String("out of memory"));
}

bool saysIt(const std::optional<Error>& error) {
  return error && saysIt(QString::fromStdString(error->message));
}

struct Canvas {
  explicit Canvas(std::shared_ptr<const WalkReport> walk) {
    pane.resize(900, 700);
    pane.show();
    document.setWalk(std::move(walk));
  }
  Document document{std::make_shared<EngineHost>(), {}};
  ThemeStore themes;
  ViewState state;
  CanvasPane pane{&document, &themes, &state};
};

}  // namespace

class TestCanvasMemory : public QObject {
  Q_OBJECT

 private slots:
  void aLayoutEnds() {
    SceneLoader loader;
    const QSignalSpy loaded(&loader, &SceneLoader::loaded), failed(&loader, &SceneLoader::failed);
    LoadRequest request;
    request.scene.graphs = test::flatWalk(kNodes)->loadedGraphs;
    {
      const ShortMemory isShort;
      loader.load(request);
      QTRY_COMPARE(failed.size(), 1);
    }
    QVERIFY(!loader.busy());
    QVERIFY(saysIt(std::optional(failed.front().front().value<Error>())));
    loader.load(request);
    QTRY_COMPARE(loaded.size(), 1);
    QVERIFY(!loader.busy());
    QCOMPARE(failed.size(), 1);
  }

  void theCanvasSaysWhy() {
    Canvas canvas(test::sampleWalk());
    QTRY_VERIFY(canvas.pane.loaded().scene);
    const auto* failure = canvas.pane.findChild<QLabel*>(QStringLiteral("canvas/failure"));
    QVERIFY(failure && !failure->isVisible());
    const auto large = test::flatWalk(kNodes);
    {
      const ShortMemory isShort;
      canvas.document.setWalk(large);
      QTRY_VERIFY(!canvas.pane.loading());
    }
    QVERIFY(!canvas.pane.loaded().scene && !canvas.pane.view()->scene());
    QVERIFY(failure->isVisible());
    QVERIFY2(saysIt(failure->text()), qPrintable(failure->text()));
    QVERIFY(canvas.pane.view()->rect().contains(failure->geometry()));
    canvas.pane.foldAll();
    QTRY_VERIFY(canvas.pane.loaded().scene);
    QCOMPARE(canvas.pane.loaded().scene->report().nodes.size(), static_cast<size_t>(kNodes));
    QVERIFY(!failure->isVisible());
  }

  void rulesEndWithoutMatches() {
    Document document(std::make_shared<EngineHost>(), {});
    document.setWalk(test::flatWalk(kNodes));
    ReadingController& reading = ReadingController::of(&document);
    const StyleRules relu = {{.query = QStringLiteral("op:Relu")}}, conv = {{.query = QStringLiteral("op:Conv")}};
    {
      const ShortMemory isShort;
      reading.setRules(relu);
      QTRY_VERIFY(saysIt(reading.error()));
      QVERIFY(!reading.index() && reading.facts().empty() && !reading.matches());
    }
    reading.prepare();
    QTRY_VERIFY(reading.matches());
    QVERIFY(reading.index() && !reading.error());
    QVERIFY(reading.matches()->counts.front() > 0);
    {
      const ShortMemory isShort;
      reading.setRules(conv);
      QTRY_VERIFY(saysIt(reading.error()));
      QVERIFY(reading.index() && !reading.matches());
    }
    reading.setRules(relu);
    QTRY_VERIFY(reading.matches());
    QVERIFY(!reading.error());
  }

  // Whether it is the index that there is no memory for, or the search in it.
  void searchesSayWhy() {
    Canvas canvas(test::flatWalk(kNodes));
    QTRY_VERIFY(canvas.pane.loaded().scene);
    const ReadingController& reading = ReadingController::of(&canvas.document);
    FindBar* bar = canvas.pane.findBar();
    const auto hasFailed = [bar] { return bar->problem()->isVisible() && saysIt(bar->problem()->text()); };
    const auto hits = [&] { return canvas.pane.view()->look().hits.size(); };
    {
      const ShortMemory isShort;
      canvas.pane.openFind();
      bar->line()->setText(QStringLiteral("op:Relu"));
      QTRY_VERIFY(hasFailed());
      QVERIFY(!reading.index() && hits() == 0);
    }
    bar->line()->setText(QStringLiteral("op:Conv"));
    QTRY_VERIFY(hits() > 0);
    QVERIFY(reading.index() && !bar->problem()->isVisible());
    {
      const ShortMemory isShort;
      bar->line()->setText(QStringLiteral("op:Relu"));
      QTRY_VERIFY(hasFailed());
      QVERIFY(!bar->searching() && hits() == 0);
    }
    bar->line()->setText(QStringLiteral("op:Tanh"));
    QTRY_VERIFY(hits() > 0);
    QVERIFY(!bar->problem()->isVisible());
  }
};

QTEST_MAIN(TestCanvasMemory)
#include "tst_canvas_memory.moc"
