// The window's figures as a Markdown table, and a recorded session over all panels with the worst stalls of the GUI
// thread.
//
//   bench_window [--seconds 120] [--strict] MODEL...
//
// Structure: from openFile() to the first complete frame. Frames: what paintEvent takes in 1440 x 900. --strict: the
// exit status is 1 when a figure of the design is missed.
#include <cstdio>

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>

#include "app/desktop/engine_host.h"
#include "tests/bench/window/stall_watch.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/find_bar.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/document/document.h"
#include "ui/panels/panel.h"
#include "ui/panels/panel_table.h"
#include "ui/shell/command_menus.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/stage_ribbon.h"
#include "ui/shell/tool_docks.h"

using namespace cutaway;
using namespace cutaway::ui;
using cutaway::bench::StallWatch;

namespace {

constexpr int kPatienceMs = 300'000;
constexpr double kFrameMs = 16, kFoldMs = 100, kSearchMs = 50, kStallMs = 50, kMemoryMb = 400;

double millisecondsSince(int64_t start) {
  return static_cast<double>(nowNs() - start) / 1e6;
}

struct Times {
  std::vector<double> all;
  void add(double ms) { all.push_back(ms); }
  double at(double share) const {
    if (all.empty()) return -1;
    std::vector<double> sorted = all;
    std::sort(sorted.begin(), sorted.end());
    return sorted[std::min(sorted.size() - 1, static_cast<size_t>(share * static_cast<double>(sorted.size())))];
  }
};

// Memory of this process, "VmRSS" now or "VmHWM" at most.
double megabytes(const char* key) {
  QFile status(QStringLiteral("/proc/self/status"));
  if (!status.open(QIODevice::ReadOnly)) return -1;
  for (const QByteArray& line : status.readAll().split('\n'))
    if (line.startsWith(key)) return line.simplified().split(' ').at(1).toDouble() / 1000;
  return -1;
}

class Bench {
 public:
  Bench(MainWindow& window, StallWatch& watch) : m_window(window), m_watch(watch) {}

  bool measure(const QString& model, double seconds) {
    m_watch.restart();
    m_watch.begin("opening");
    const int64_t start = nowNs();
    m_page = m_window.openFile(model);
    if (!QTest::qWaitFor([this] { return canvas().loaded().scene && view().complete() && view().lastFrameNs() > 0; },
                         kPatienceMs))
      return false;
    const double structure = millisecondsSince(start);
    const size_t nodes = canvas().loaded().scene->report().nodes.size();
    if (!settle()) return false;
    const double walked = millisecondsSince(start);
    const double rss = megabytes("VmRSS");
    const double openingStall = m_watch.worstMs();
    const double unfolding = largeFold();
    canvas().unfoldAll();
    settle();
    const Times frames = move(), hovers = hover(), selections = select(), searches = search();
    std::printf("| %s | %zu | %.0f | %.0f | %.1f / %.1f | %.1f | %.1f | %.1f | %s | %.0f | %.0f |\n",
                qPrintable(QFileInfo(model).fileName()), nodes, structure, walked, frames.at(0.5), frames.at(0.99),
                hovers.at(0.99), selections.at(0.99), searches.at(0.99),
                unfolding < 0 ? "-" : qPrintable(QString::number(unfolding, 'f', 0)), rss, openingStall);
    std::fflush(stdout);
    m_missed |= frames.at(0.99) > kFrameMs || hovers.at(0.99) > kFrameMs || selections.at(0.99) > kFrameMs ||
                searches.at(0.99) > kSearchMs || unfolding > kFoldMs || rss > kMemoryMb;
    if (seconds > 0) session(seconds);
    m_window.closePage(m_page);
    return true;
  }
  bool missed() const { return m_missed; }
  const std::string& stalls() const { return m_stalls; }

 private:
  CanvasPane& canvas() { return *m_page->canvas(); }
  GraphView& view() { return *m_page->canvas()->view(); }
  bool settle() {
    QTest::qWait(30);
    return QTest::qWaitFor(
        [this] { return !m_page->document()->service().busy() && !canvas().loading() && view().complete(); },
        kPatienceMs);
  }

  Times move() {
    Times times;
    const auto step = [&](const ViewTransform& t) {
      view().setTransform(t);
      view().repaint();
      times.add(static_cast<double>(view().lastFrameNs()) / 1e6);
      QCoreApplication::processEvents();
    };
    view().fit();
    ViewTransform t = view().transform();
    const double fit = t.scale;
    const QPointF middle(view().width() / 2.0, view().height() / 2.0);
    for (int i = 0; i < 60 && t.scale < 1; ++i)
      t.zoomAt(middle, 1.2, fit), step(t);
    for (const double scale : {1.0, 0.3, 0.1, 0.03}) {
      t.zoomAt(middle, scale / t.scale, fit);
      for (int i = 0; i < 40; ++i)
        t.offset -= QPointF(0, 37), step(t);
    }
    for (int i = 0; i < 60 && t.scale > fit; ++i)
      t.zoomAt(QPointF(300, 300), 1 / 1.2, fit), step(t);
    return times;
  }

  // Something to point at: the item nearest to the middle.
  QPoint item() {
    const auto& scene = canvas().loaded().scene;
    const size_t place = scene->items.size() / 2;
    view().zoomTo(1);
    view().reveal(scene->items[place].rect);
    QCoreApplication::processEvents();
    return view().transform().toScreen(scene->items[place].rect.center()).toPoint();
  }

  Times hover() {
    Times times;
    const QPoint at = item();
    for (int i = 0; i < 60; ++i) {
      const int64_t start = nowNs();
      QTest::mouseMove(&view(), at + QPoint((i * 13) % 160 - 80, (i * 7) % 120 - 60));
      view().repaint();
      QCoreApplication::processEvents();
      times.add(millisecondsSince(start));
    }
    return times;
  }

  Times select() {
    Times times;
    QTest::mouseClick(&view(), Qt::LeftButton, {}, item());
    for (int i = 0; i < 40; ++i) {
      const int64_t start = nowNs();
      QTest::keyClick(&view(), i % 4 == 3 ? Qt::Key_Up : Qt::Key_Down);
      times.add(millisecondsSince(start));
      QTest::qWait(5);
    }
    return times;
  }

  Times search() {
    Times times;
    canvas().openFind();
    QLineEdit* line = canvas().findBar()->line();
    line->clear();
    QTest::qWait(60);
    for (const char* words : {"relu", "op:Conv float", "name:/block"}) {
      line->clear();
      for (const char c : std::string(words)) {
        const int64_t start = nowNs();
        QTest::keyClick(line, c);
        QCoreApplication::processEvents();
        times.add(millisecondsSince(start));
        QTest::qWait(2);
      }
    }
    line->clear();
    QTest::keyClick(line, Qt::Key_Escape);
    return times;
  }

  // Unfolds the folded scope that has nearest to 500 nodes; -1: none is folded.
  double largeFold() {
    canvas().foldAll();
    settle();
    const auto scene = canvas().loaded().scene;
    int best = -1, miss = 0;
    for (size_t i = 0; i < scene->items.size(); ++i) {
      if (scene->items[i].kind != ItemKind::kFolded) continue;
      const int off = std::abs(scene->scopes->scopes[static_cast<size_t>(scene->items[i].index)].nodeCount - 500);
      if (best < 0 || off < miss) best = static_cast<int>(i), miss = off;
    }
    if (best < 0) return -1;
    view().reveal(scene->items[static_cast<size_t>(best)].rect);
    bool shown = false;
    const auto connection = QObject::connect(&canvas(), &CanvasPane::sceneShown, [&shown] { shown = true; });
    const int64_t start = nowNs();
    emit view().itemActivated(best);
    const bool done = QTest::qWaitFor([&shown] { return shown; }, kPatienceMs);
    view().repaint();
    const double ms = millisecondsSince(start);
    QObject::disconnect(connection);
    return done ? ms : -1;
  }

  // Round and round through everything, told what is going on, until the time is up; once in any case.
  void session(double seconds) {
    m_watch.restart();
    QElapsedTimer timer;
    timer.start();
    do {
      for (int i = 0; i < kStageCount; ++i) {
        const auto stage = static_cast<Stage>(i);
        act(std::string("stage ") + stageId(stage), [&] { m_window.ribbon()->button(stage)->click(); });
        act(std::string("selecting in ") + stageId(stage),
            [&] { QTest::mouseClick(&view(), Qt::LeftButton, {}, item()); });
      }
      for (const PanelDescriptor* panel : panelTable()) {
        if (panel->area != PanelArea::kTool) continue;
        act(std::string("tool ") + panel->id, [&] { m_window.tools()->raise(QLatin1String(panel->id)); });
        act(std::string("selecting with ") + panel->id, [&] { QTest::keyClick(&view(), Qt::Key_Down); });
      }
      act("running", [&] { m_page->document()->run(); });
      act("folding all", [&] { canvas().foldAll(); });
      act("unfolding all", [&] { canvas().unfoldAll(); });
      act("searching", [&] { search(); });
      act("moving", [&] { move(); });
      act("fitting", [&] { view().fit(); });
      for (const char* command : {"view.theme.dark", "view.theme.light"})
        act(command, [&] { m_window.commands()->run(QLatin1String(command)); });
      for (const PanelDescriptor* panel : panelTable())
        if (panel->area == PanelArea::kTool && m_window.tools()->shown(QLatin1String(panel->id)))
          m_window.tools()->toggle(QLatin1String(panel->id));
    } while (timer.elapsed() < seconds * 1000);
    m_stalls += "\n" + m_page->document()->title().toStdString() + ", " + std::to_string(timer.elapsed() / 1000) +
                " s, worst stalls:\n\n| during | ms | of which computing |\n|---|--:|--:|\n";
    for (const auto& stall : m_watch.worst(12))
      m_stalls += "| " + stall.during + " | " + QString::number(stall.ms, 'f', 0).toStdString() + " | " +
                  QString::number(stall.cpuMs, 'f', 0).toStdString() + " |\n";
    m_missed |= m_watch.worstMs() > kStallMs;
  }

  void act(const std::string& what, const std::function<void()>& work) {
    m_watch.begin(what);
    work();
    settle();
    QTest::qWait(20);
  }

  MainWindow& m_window;
  StallWatch& m_watch;
  DocumentPage* m_page = nullptr;
  std::string m_stalls;
  bool m_missed = false;
};

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  QStringList models = app.arguments().mid(1);
  const bool strict = models.removeAll(QStringLiteral("--strict")) > 0;
  double seconds = 0;
  if (const qsizetype place = models.indexOf(QStringLiteral("--seconds")); place >= 0 && place + 1 < models.size()) {
    seconds = models[place + 1].toDouble();
    models.remove(place, 2);
  }
  QTemporaryDir folder;
  ViewState viewState(folder.filePath(QStringLiteral("settings.ini")));
  ThemeStore themes;
  MainWindow window(makeEngineHost(), {}, &viewState, &themes);
  window.resize(1440, 900);
  window.arrangeDocks();
  window.show();
  StallWatch watch;
  Bench bench(window, watch);
  std::printf(
      "Milliseconds, %s.\n\n| model | nodes | structure | whole walk | frame p50 / p99 | hover p99 | select p99 | key "
      "of a search p99 | unfold near 500 | MB | stall while opening |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
      qPrintable(QGuiApplication::platformName()));
  for (const QString& model : models)
    if (!bench.measure(model, seconds)) std::printf("| %s | not shown |\n", qPrintable(model));
  std::printf("\nMost memory: %.0f MB\n%s", megabytes("VmHWM"), bench.stalls().c_str());
  return strict && bench.missed() ? 1 : 0;
}
