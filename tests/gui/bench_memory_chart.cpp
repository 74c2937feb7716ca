// How long a frame of the memory chart takes: 50,000 blocks (or as many as are asked for) while it pans and zooms. Run
// by hand.
//
//   bench_memory_chart [BLOCKS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <QApplication>
#include <QTemporaryDir>
#include <QWheelEvent>

#include "engine/base/clock.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"
#include "ui/panels/life_chart.h"
#include "ui/panels/panel_actions.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

LifeChartData madeBlocks(int count) {
  LifeChartData data;
  data.bytes = true;
  data.width = count;
  uint64_t state = 1;
  std::vector<double> live(static_cast<size_t>(count), 0);
  for (int i = 0; i < count; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const double offset = static_cast<double>((state >> 33) % 4096) * 4096;
    data.blocks.push_back({.begin = static_cast<double>(i),
                           .end = static_cast<double>(i + 1 + static_cast<int>((state >> 20) % 40)),
                           .from = offset,
                           .to = offset + 65'536,
                           .item = i,
                           .category = static_cast<int16_t>(i % 6),
                           .emphasised = i % 97 == 0});
    live[static_cast<size_t>(i)] = offset;
  }
  data.high = 4096.0 * 4096 + 65'536;
  data.curves = {{live, QStringLiteral("live"), LineLook::kLive}};
  data.label = [](int item) { return QStringLiteral("value_%1").arg(item); };
  return data;
}

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  const int count = argc > 1 ? std::atoi(argv[1]) : 50'000;
  QTemporaryDir folder;
  ViewState viewState(folder.filePath("settings.ini"));
  ThemeStore themes;
  PanelActions actions;
  Document document(std::make_shared<EngineHost>(), {});
  LifeChart chart({&document, &viewState, &themes, &actions});
  chart.resize(1440, 800);
  chart.show();
  const int64_t begun = nowNs();
  chart.present(madeBlocks(std::max(1, count)));
  chart.grab();
  std::printf("first frame, data included: %.1f ms\n", static_cast<double>(nowNs() - begun) / 1e6);
  QImage frame(chart.size(), QImage::Format_ARGB32_Premultiplied);
  for (const auto& [name, zooms] :
       {std::pair("all in sight", 0), std::pair("zoomed in", 12), std::pair("close by", 30)}) {
    chart.fit();
    const QPointF middle = chart.rect().center();
    for (int i = 0; i < zooms; ++i) {
      QWheelEvent wheel(middle, middle, {}, {0, 120}, Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
      QApplication::sendEvent(&chart, &wheel);
    }
    std::vector<double> times;
    for (int i = 0; i < 60; ++i) {
      QWheelEvent wheel(middle, middle, {}, {0, i % 2 ? 120 : -120}, Qt::NoButton, Qt::ControlModifier,
                        Qt::NoScrollPhase, false);
      QApplication::sendEvent(&chart, &wheel);
      const int64_t start = nowNs();
      chart.render(&frame);
      times.push_back(static_cast<double>(nowNs() - start) / 1e6);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-14s %d blocks: median %.1f ms a frame, worst %.1f\n", name, count, times[30], times.back());
  }
  return 0;
}
