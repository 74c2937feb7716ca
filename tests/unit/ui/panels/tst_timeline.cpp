// The geometry of pictures over time: windows, ticks, lanes, culling; no window is shown.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <QImage>
#include <QSignalSpy>
#include <QTest>

#include "ui/panels/run/statistics_strip.h"
#include "ui/panels/run/timeline/memory_chart.h"
#include "ui/panels/run/timeline/timeline_painter.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

TraceSpan span(int node, int thread, int depth, int64_t startNs, int64_t durationNs) {
  return {{}, "Node", 0, node, thread, depth, startNs, durationNs};
}

TraceLanes lanesOf(std::vector<TraceSpan> spans) {
  return traceLanes(
      std::make_shared<const std::vector<TraceSpan>>(std::move(spans)),
      [](const TraceSpan& it) { return BarCategories{static_cast<int8_t>(it.node % 7), 0}; },
      [](int32_t thread) { return QString::number(thread); });
}

TimeAxis axisOf(double beginNs, double endNs, double pixels = 100) {
  return {QRectF(0, 0, pixels, 20), {beginNs, endNs}};
}

// A hundred thousand calls on each of two threads, with bodies below every tenth.
TraceLanes manyLanes(int count) {
  std::vector<TraceSpan> spans;
  for (int i = 0; i < count; ++i) {
    spans.push_back(span(i, i % 2, 0, int64_t{i} * 1'000, 1'800));
    if (i % 10 == 0) spans.push_back(span(i, i % 2, 1, int64_t{i} * 1'000 + 100, 900));
  }
  return lanesOf(std::move(spans));
}

}  // namespace

class TestTimeline : public QObject {
  Q_OBJECT

 private slots:
  void windowZoomsAtTheMoment() {
    TimeWindow window;
    window.setFull(0, 1'000'000);
    QSignalSpy changes(&window, &TimeWindow::viewChanged);
    window.zoomAt(250'000, 4);
    QCOMPARE(window.view().lengthNs(), 250'000.0);
    QCOMPARE((250'000.0 - window.view().beginNs) / window.view().lengthNs(), 0.25);
    QVERIFY(!window.showsAll());
    window.panBy(-10'000'000);
    QCOMPARE(window.view().beginNs, 0.0);
    QCOMPARE(window.view().lengthNs(), 250'000.0);
    window.zoomAt(0, 0.001);  // further away than all
    QVERIFY(window.showsAll());
    QCOMPARE(changes.size(), 3);
    window.zoomAt(500'000, 1e12);
    QVERIFY(window.view().lengthNs() >= 99 && window.view().lengthNs() <= 101);
    window.zoomAt(0, -1);
    window.show(std::nan(""), 5);
    QVERIFY(window.view().lengthNs() > 0);
  }

  void rangesAreOrderedAndStayInside() {
    TimeWindow window;
    window.setFull(0, 1'000);
    window.setRange(TimeRange{800, 200});
    QCOMPARE(*window.range(), (TimeRange{200, 800}));
    window.setRange(TimeRange{-50, 5'000});
    QCOMPARE(*window.range(), (TimeRange{0, 1'000}));
    window.setRange(TimeRange{300, 300});
    QVERIFY(!window.range());
    window.setRange(TimeRange{1, 2});
    window.setFull(0, 10);  // another run
    QVERIFY(!window.range());
  }

  void ticksAreRoundAndInOneUnit_data() {
    QTest::addColumn<double>("begin");
    QTest::addColumn<double>("end");
    QTest::addColumn<QStringList>("labels");
    const QString nbsp = QChar(0x00a0);
    QTest::newRow("from zero") << 0.0 << 1e6 << QStringList{"0", "0.5" + nbsp + "ms", "1.0" + nbsp + "ms"};
    QTest::newRow("microseconds") << 0.0 << 40'000.0
                                  << QStringList{"0", "20" + nbsp + QStringLiteral("µs"),
                                                 "40" + nbsp + QStringLiteral("µs")};
    QTest::newRow("deep inside") << 1'500'000.0 << 1'500'400.0
                                 << QStringList{"1.5000" + nbsp + "ms", "1.5002" + nbsp + "ms", "1.5004" + nbsp + "ms"};
    QTest::newRow("seconds") << 0.0 << 2e9 << QStringList{"0", "1" + nbsp + "s", "2" + nbsp + "s"};
  }
  void ticksAreRoundAndInOneUnit() {
    QFETCH(double, begin);
    QFETCH(double, end);
    QFETCH(QStringList, labels);
    QStringList found;
    for (const TimeTick& tick : timeTicks(axisOf(begin, end, 200), 84))
      found << tick.label;
    QCOMPARE(found, labels);
  }

  void lanesNestAndNeverOverlap() {
    // Two calls of depth 0 overlap, as foreign traces have it; thread 5 has a call without length; one start is
    // negative.
    const TraceLanes lanes = lanesOf({span(0, 0, 0, 100, 500), span(1, 0, 1, 200, 100), span(2, 0, 0, 300, 400),
                                      span(3, 5, 0, 0, -7), span(4, 0, 1000, -20, 10)});
    QCOMPARE(lanes.lanes.size(), size_t{2});
    QCOMPARE(lanes.beginNs, int64_t{-20});
    QCOMPARE(lanes.endNs, int64_t{700});
    QCOMPARE(lanes.lanes[0].rowCount, 2);
    QCOMPARE(lanes.lanes[1].thread, 5);
    for (const TraceRow& row : lanes.rows)
      for (size_t i = 1; i < row.bars.size(); ++i)
        QVERIFY(row.bars[i].startNs >= row.bars[i - 1].endNs);
    QVERIFY(lanesOf({}).empty());
  }

  void smallBarsAreGathered() {
    const TraceLanes lanes = lanesOf({span(0, 0, 0, 0, 500), span(1, 0, 0, 600, 2), span(1, 0, 0, 603, 3),
                                      span(2, 0, 0, 607, 1), span(3, 0, 0, 900, 100)});
    const std::vector<DrawnBar> drawn = visibleBars(lanes.rows[0], axisOf(0, 1000), 0);
    QCOMPARE(drawn.size(), size_t{3});
    QCOMPARE(drawn[0].bar, 0);
    QCOMPARE(drawn[0].right, 50.0);
    QCOMPARE(drawn[1].bar, -1);
    QCOMPARE(drawn[1].left, 60.0);
    QCOMPARE(drawn[1].category, 1);  // 5 of its 6 ns
    QCOMPARE(drawn[1].density, 0.6);
    QCOMPARE(drawn[2].bar, 4);
    // Closer, every bar stands for itself; what is out of sight is left out.
    QCOMPARE(visibleBars(lanes.rows[0], axisOf(595, 615), 0).size(), size_t{3});
    QVERIFY(visibleBars(lanes.rows[0], axisOf(700, 800), 0).empty());
  }

  void pointerFindsTheNearestBar() {
    const TraceLanes lanes = lanesOf({span(0, 0, 0, 0, 100), span(1, 0, 0, 200, 10), span(2, 0, 0, 230, 10)});
    QCOMPARE(barAt(lanes.rows[0], 50, 0), 0);
    QCOMPARE(barAt(lanes.rows[0], 150, 10), -1);
    QCOMPARE(barAt(lanes.rows[0], 195, 10), 1);
    QCOMPARE(barAt(lanes.rows[0], 217, 20), 1);
    QCOMPARE(barAt(lanes.rows[0], 225, 20), 2);
    QCOMPARE(barAt(lanes.rows[0], 1'000, 20), -1);
  }

  void rowsAreWhereTheyAreDrawn() {
    TimelineLook look;
    look.content.lanes = std::make_shared<const TraceLanes>(
        lanesOf({span(0, 0, 0, 0, 100), span(1, 0, 1, 10, 50), span(2, 3, 0, 20, 30)}));
    look.axis.view = look.full = {0, 100};
    look.place(QRectF(0, 0, 600, 300));
    for (int row = 0; row < 3; ++row)
      QCOMPARE(look.rowAtY(look.rowTop(row) + 5), row);
    QCOMPARE(look.rowAtY(look.rowTop(2) - 3), -1);  // between lanes
    QCOMPARE(look.rowAtY(2), -1);                   // the ruler
    QVERIFY(look.barRect({1, 0}).left() > look.barRect({0, 0}).left());
    QCOMPARE(look.mostScroll(), 0.0);
  }

  // What a frame costs does not grow with the trace: as many bars as pixels, in every zoom.
  void manySpansBecomeFewBars() {
    const TraceLanes lanes = manyLanes(200'000);
    for (const double share : {1.0, 0.3, 0.01, 0.0001}) {
      const double end = static_cast<double>(lanes.endNs) * share;
      for (const TraceRow& row : lanes.rows)
        QVERIFY(visibleBars(row, axisOf(0, end, 1'000), 0).size() <= 2'100);
    }
  }

  void paintingManySpans() {
    TimelineLook look;
    look.content.lanes = std::make_shared<const TraceLanes>(manyLanes(200'000));
    look.content.label = [](const TraceSpan& it) { return QString::number(it.node); };
    look.full = look.axis.view = {0, static_cast<double>(look.content.lanes->endNs)};
    look.place(QRectF(0, 0, 1'600, 400));
    QImage image(1'600, 400, QImage::Format_ARGB32_Premultiplied);
    QBENCHMARK {
      QPainter painter(&image);
      paintTimeline(painter, look, Theme::darkTheme());
    }
    QVERIFY(image.pixelColor(1'000, 40) != Theme::darkTheme().surface);
  }

  void memorySeriesKeepTheirPeaks() {
    std::vector<MemorySample> samples;
    for (int i = 0; i < 1'000; ++i)
      samples.push_back({int64_t{i} * 10, i, i == 500 ? 9'000 : 100, i == 777 ? 8'000 : 50, 9'500});
    const TimeAxis axis = axisOf(0, 10'000);
    const auto planned = seriesPoints(samples, &MemorySample::plannedBytes, axis);
    QVERIFY(planned.size() <= 101);
    QCOMPARE(std::max_element(planned.begin(), planned.end(),
                              [](const SeriesPoint& a, const SeriesPoint& b) { return a.bytes < b.bytes; })
                 ->bytes,
             int64_t{9'000});
    // What was in force when the view begins is carried in.
    const auto inside = seriesPoints(samples, &MemorySample::heldBytes, axisOf(5'001, 5'009));
    QCOMPARE(inside.size(), size_t{1});
    QCOMPARE(inside[0].bytes, int64_t{9'500});
    QCOMPARE(sampleAt(samples, 5'005), 500);
    QCOMPARE(sampleAt(samples, -1), -1);
    QVERIFY(seriesPoints({}, &MemorySample::heldBytes, axis).empty());
  }

  void histogramGathersTheSlow() {
    std::vector<double> runs;
    for (int i = 0; i < 100; ++i)
      runs.push_back(1 + i % 10 * 0.01);
    runs.push_back(50);
    const RunHistogram made = runHistogram(runs, 10);
    QCOMPARE(std::accumulate(made.counts.begin(), made.counts.end(), 0), 101);
    QCOMPARE(made.slower, 1);
    QVERIFY(made.highMs < 2);
    QVERIFY(runHistogram({1.0}, 10).counts.empty());
    QVERIFY(runHistogram({1.0, 1.0}, 10).counts.empty());
  }
};

QTEST_MAIN(TestTimeline)
#include "tst_timeline.moc"
