// How fast structure comes to the screen, and how smooth it moves: prints a table.
//
//   bench_structure                       graphs of 1,000, 10,000 and 50,000 nodes made here: layout and painting only
//   bench_structure flat1000.onnx ...     models from disk: opening to structure as well
//
// "structure" runs from openFile() to the first complete frame of the graph; "frame" is the time paintEvent takes while
// the view pans and zooms in 1440 x 900.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QMouseEvent>
#include <QTemporaryDir>
#include <QTest>

#include "app/providers/provider_table.h"
#include "engine/base/clock.h"
#include "tests/unit/ui/walk_fixture.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/document/document.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

constexpr int kPatienceMs = 300'000;

struct Frames {
  double median = 0, p99 = 0, worst = 0;
};

Frames summary(std::vector<qint64> times) {
  if (times.empty()) return {};
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    return static_cast<double>(
               times[std::min(times.size() - 1, static_cast<size_t>(share * static_cast<double>(times.size())))]) /
           1e6;
  };
  return {at(0.5), at(0.99), static_cast<double>(times.back()) / 1e6};
}

// Longest time between two turns of the event loop: what a person feels as a stall.
class StallWatch : public QObject {
 public:
  StallWatch() {
    startTimer(1);
    m_last = nowNs();
  }
  double worstMs() const { return static_cast<double>(m_worst) / 1e6; }
  void restart() { m_worst = 0, m_last = nowNs(); }

 protected:
  void timerEvent(QTimerEvent*) override {
    const int64_t now = nowNs();
    m_worst = std::max(m_worst, now - m_last);
    m_last = now;
  }

 private:
  int64_t m_last = 0;
  int64_t m_worst = 0;
};

Frames moveAround(GraphView& view) {
  std::vector<qint64> times;
  const auto step = [&](const ViewTransform& t) {
    view.setTransform(t);
    view.repaint();
    times.push_back(view.lastFrameNs());
    QCoreApplication::processEvents();
  };
  view.fit();
  ViewTransform t = view.transform();
  const double fit = t.scale;
  // In to the middle until text is readable, along the graph, and out again.
  for (int i = 0; i < 60 && t.scale < 1; ++i)
    t.zoomAt(QPointF(view.width() / 2.0, view.height() / 2.0), 1.2, fit), step(t);
  for (const double scale : {1.0, 0.3, 0.1, 0.03}) {
    t.zoomAt(QPointF(view.width() / 2.0, view.height() / 2.0), scale / t.scale, fit);
    for (int i = 0; i < 40; ++i)
      t.offset -= QPointF(0, 37), step(t);
  }
  for (int i = 0; i < 60 && t.scale > fit; ++i)
    t.zoomAt(QPointF(300, 300), 1 / 1.2, fit), step(t);
  return summary(std::move(times));
}

// VmRSS: what this process holds now, VmHWM: the most it ever held.
double memoryMb(const char* key) {
  QFile status(QStringLiteral("/proc/self/status"));
  if (!status.open(QIODevice::ReadOnly)) return 0;
  for (const QByteArray& line : status.readAll().split('\n'))
    if (line.startsWith(key)) return line.mid(6).trimmed().split(' ').first().toDouble() / 1024;
  return 0;
}

// Frames while the pointer goes over nodes and lines, and while nodes are selected one after the other.
Frames pointAround(GraphView& view, bool select) {
  std::vector<qint64> times;
  const Scene& scene = *view.scene();
  for (size_t i = 0; i < 120; ++i) {
    const int item = static_cast<int>(i * 7919 % scene.items.size());
    const Stopwatch watch;
    if (select) {
      emit view.itemClicked(item, Qt::NoModifier);
    } else {
      const QPointF place(20 + static_cast<double>(i * 37 % 1000), 20 + static_cast<double>(i * 53 % 700));
      QMouseEvent move(QEvent::MouseMove, place, view.mapToGlobal(place), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
      QCoreApplication::sendEvent(&view, &move);
    }
    view.repaint();
    times.push_back(watch.elapsedNs());
    QCoreApplication::processEvents();
  }
  return summary(std::move(times));
}

// The largest group of at most 500 nodes is folded and unfolded: from the command to the first frame of the new
// picture.
void measureFolds(CanvasPane& canvas) {
  const auto until = [&canvas](bool fold) {
    const Scene& scene = *canvas.loaded().scene;
    int best = -1, most = 0;
    if (fold) {
      for (size_t b = 0; b < scene.boxes.size(); ++b)
        if (const int count = scene.scopes->scopes[scene.boxes[b].scope].nodeCount; count > most && count <= 500)
          most = count, best = static_cast<int>(b);
    } else {
      for (size_t i = 0; i < scene.items.size(); ++i)
        if (scene.items[i].kind == ItemKind::kFolded)
          if (const int count = scene.scopes->scopes[scene.items[i].index].nodeCount; count > most && count <= 500)
            most = count, best = static_cast<int>(i);
    }
    if (best < 0) return std::pair(0.0, 0);
    const Scene* before = &scene;
    QElapsedTimer timer;
    timer.start();
    fold ? canvas.foldBox(best) : canvas.unfold(best);
    if (!QTest::qWaitFor([&] { return canvas.loaded().scene.get() != before && !canvas.loading(); }, kPatienceMs))
      return std::pair(-1.0, most);
    canvas.view()->repaint();
    return std::pair(static_cast<double>(timer.nsecsElapsed()) / 1e6, most);
  };
  for (int round = 0; round < 2; ++round) {
    const auto [foldMs, folded] = until(true);
    const auto [unfoldMs, unfolded] = until(false);
    std::printf("  fold %d nodes %.0f ms, unfold %d nodes %.0f ms\n", folded, foldMs, unfolded, unfoldMs);
  }
}

void report(const char* name, size_t nodes, double structureMs, double layoutMs, double stallMs, const Frames& frames) {
  std::printf("%-28s %8zu %12.0f %10.0f %10.0f %9.1f %9.1f %9.1f\n", name, nodes, structureMs, layoutMs, stallMs,
              frames.median, frames.p99, frames.worst);
  std::fflush(stdout);
}

void measurePage(MainWindow& window, DocumentPage* page, StallWatch& stalls, const QElapsedTimer& timer,
                 const char* name) {
  CanvasPane* canvas = page->canvas();
  const bool shown = QTest::qWaitFor(
      [&] { return canvas->loaded().scene && canvas->view()->complete() && canvas->view()->lastFrameNs() > 0; },
      kPatienceMs);
  const double structureMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
  if (!shown) {
    std::printf("%-28s failed\n", name);
    return;
  }
  const size_t nodes = canvas->loaded().scene->report().nodes.size();
  const double layoutMs = static_cast<double>(canvas->loaded().layoutNs) / 1e6;
  if (!QTest::qWaitFor([&] { return !page->document()->service().busy() && !canvas->loading(); }, kPatienceMs))
    std::printf("still busy\n");
  const double stallMs = stalls.worstMs();
  std::printf("  memory when all is there %.0f MB, at most %.0f MB\n", memoryMb("VmRSS:"), memoryMb("VmHWM:"));
  canvas->unfoldAll();
  QTest::qWait(50);
  if (!QTest::qWaitFor([&] { return !canvas->loading() && canvas->view()->complete(); }, kPatienceMs))
    std::printf("not complete\n");
  Q_UNUSED(window);
  report(name, nodes, structureMs, layoutMs, stallMs, moveAround(*canvas->view()));
  for (const double scale : {0.1, 0.8}) {
    canvas->view()->zoomTo(scale);
    const Frames hover = pointAround(*canvas->view(), false), select = pointAround(*canvas->view(), true);
    std::printf("  at %.0f %%: hover p99 %.1f worst %.1f, select p99 %.1f worst %.1f\n", scale * 100, hover.p99,
                hover.worst, select.p99, select.worst);
  }
  measureFolds(*canvas);
  std::printf("  most memory so far %.0f MB\n", memoryMb("VmHWM:"));
}

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  QTemporaryDir folder;
  ViewState viewState(folder.filePath("settings.ini"));
  ThemeStore themes;
  auto host = std::make_shared<EngineHost>();
  host->providers = builtProviders();
  host->createSession = [](const load::ModelSource& source, const session::SessionOptions& options,
                           const ProviderTable& table, Progress& progress, const session::WalkListener& listener) {
    return session::Session::create(source, options, table, progress, listener);
  };
  MainWindow window(host, {}, &viewState, &themes);
  window.resize(1440, 900);
  window.arrangeDocks();
  window.show();
  StallWatch stalls;
  std::printf("%-28s %8s %12s %10s %10s %9s %9s %9s\n", "milliseconds", "nodes", "structure", "layout", "stall",
              "frame", "p99", "worst");
  for (int i = 1; i < argc; ++i) {
    stalls.restart();
    QElapsedTimer timer;
    timer.start();
    DocumentPage* page = window.openFile(QString::fromLocal8Bit(argv[i]));
    measurePage(window, page, stalls, timer,
                argv[i] + std::max<ptrdiff_t>(0, static_cast<ptrdiff_t>(strlen(argv[i])) - 28));
  }
  for (const int count : {1'000, 10'000, 50'000}) {
    if (argc > 1) break;
    const auto walk = test::flatWalk(count, true);
    DocumentPage* page = window.openFile(QStringLiteral("made-%1").arg(count));
    if (!QTest::qWaitFor([&] { return !page->document()->service().busy(); }, kPatienceMs)) break;
    stalls.restart();
    QElapsedTimer timer;
    timer.start();
    page->document()->setWalk(walk);
    measurePage(window, page, stalls, timer, "made in memory");
  }
  return 0;
}
