#pragma once
// Memory over the time of a run: live by the plan, live as measured, held; on the same time axis as the timeline above
// it.
//
// Thread rule: GUI thread.
// Example: auto* chart = new MemoryChart(themes, &window);  chart->present({.samples = run->memory, .boundBytes =
// run->lowerBoundBytes});

#include <vector>

#include "engine/report/run_report.h"
#include "ui/panels/chart.h"
#include "ui/panels/run/timeline/time_window.h"

namespace cutaway::ui {

struct MemorySeries {
  std::vector<MemorySample> samples;  // ascending in time
  int64_t plannedPeakBytes = 0;
  int64_t lowerBoundBytes = 0;
  bool plannedOnly = false;  // nothing was measured
  QString empty;             // what to say when there are no samples
};

// One series reduced to what pixels can show: the highest value within every pixel column that has samples, carried on
// until the next.
struct SeriesPoint {
  double x = 0;
  int64_t bytes = 0;
};
std::vector<SeriesPoint> seriesPoints(const std::vector<MemorySample>& samples, int64_t MemorySample::* member,
                                      const TimeAxis& axis);
// Index of the sample in force at a moment; -1: before the first.
int sampleAt(const std::vector<MemorySample>& samples, double ns);

class MemoryChart : public Chart {
  Q_OBJECT
 public:
  MemoryChart(const ThemeStore* themes, TimeWindow* window, QWidget* parent = nullptr);
  void present(MemorySeries series);
  QString readoutAt(double ns) const;
  QString readout() const;  // the figures under the pointer, or of the peak
  // The curves by name, above the plot, in as many rows as the width asks for.
  struct LegendEntry {
    int series;
    QString words;
    QRectF place;
  };
  std::vector<LegendEntry> legend() const;
  QSize sizeHint() const override { return {420, 130}; }
  QSize minimumSizeHint() const override { return {200, 84}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool moves() const override { return true; }
  Strides strides() const override { return {.wheelAcross = 80}; }
  void zoom(const QPointF& at, double factor, bool amounts) override;
  void pan(const QPointF& by) override;
  void fit() override { m_window->fit(); }
  Press press(const QMouseEvent& event) override;
  void click(const QPointF& at, Qt::MouseButton button) override;
  void dragRange(const QPointF& from, const QPointF& to) override;
  void rangeEnds() override { m_window->settleRange(); }
  void hover(const QPointF& at, const QPoint& global) override;
  void hoverEnds() override { m_window->setHover({}); }

 private:
  TimeAxis axis() const;
  double legendHeight() const;
  void paintAmounts(QPainter& painter, const TimeAxis& axis) const;
  void paintSeries(QPainter& painter, const TimeAxis& axis) const;
  void paintPeak(QPainter& painter, const TimeAxis& axis) const;
  void paintLegend(QPainter& painter) const;
  double y(const TimeAxis& axis, double bytes) const {
    return axis.plot.bottom() - bytes / m_high * axis.plot.height();
  }

  TimeWindow* m_window;
  MemorySeries m_series;
  double m_high = 1;
  int64_t m_heldOffScale = 0;  // too much to be drawn beside the rest; 0: it is drawn
  int m_peak = -1;             // sample with the most measured (else planned) bytes
};

}  // namespace cutaway::ui
