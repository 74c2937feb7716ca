// How fast ten thousand cells open and pan in the window. Run by hand.
//
//   bench_sweep [MODELS [CONFIGURATIONS]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <QApplication>
#include <QElapsedTimer>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>

#include "tests/unit/ui/sweep/sweep_fixture.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/sweep/sweep_grid.h"
#include "ui/sweep/sweep_tab.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

double milliseconds(const QElapsedTimer& clock) {
  return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

void pan(SweepGrid& grid, double zoom) {
  grid.setZoom(zoom);
  QImage frame(grid.viewport()->size(), QImage::Format_ARGB32_Premultiplied);
  std::vector<double> times;
  for (int i = 0; i < 240; ++i) {
    grid.horizontalScrollBar()->setValue(i * 7 % std::max(1, grid.horizontalScrollBar()->maximum()));
    grid.verticalScrollBar()->setValue(i * 23 % std::max(1, grid.verticalScrollBar()->maximum()));
    QElapsedTimer clock;
    clock.start();
    grid.viewport()->render(&frame);
    times.push_back(milliseconds(clock));
  }
  std::sort(times.begin(), times.end());
  std::printf("size %3.0f %%: median %.2f ms a frame, 99 in 100 below %.2f, worst %.2f\n", zoom * 100, times[120],
              times[237], times.back());
}

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  const int models = argc > 1 ? std::atoi(argv[1]) : 200, configurations = argc > 2 ? std::atoi(argv[2]) : 50;
  QTemporaryDir folder;
  const QString file = folder.filePath("results.sqlite");
  if (!test::writeSweep(file.toStdString(), {.models = models, .configurations = configurations, .repeats = 1}))
    return 1;
  ViewState viewState(folder.filePath("settings.ini"));
  ThemeStore themes;
  SweepTab page(&themes, &viewState);
  page.resize(1600, 900);
  page.show();
  QElapsedTimer clock;
  clock.start();
  page.open(file);
  if (!QTest::qWaitFor([&] { return page.sweep() != nullptr; }, 60'000)) return 1;
  page.grab();
  std::printf("%d cells of 2 results each, from the file to the first frame: %.0f ms\n", models * configurations,
              milliseconds(clock));
  for (const double zoom : {1.0, 0.6, 0.3, 0.15})
    pan(*page.grid(), zoom);
  return 0;
}
