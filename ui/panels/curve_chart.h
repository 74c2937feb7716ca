#pragma once
// Curves over one another on one scale, of bytes if nothing else is said: two plans over their steps, or a few figures
// over the sizes of a dimension.
//
// A curve differs from the next by colour and by line. The amounts under the pointer are written below.
// Thread rule: GUI thread.
// Example: chart->present({.curves = {{.label = "now", .amounts = a}, {.label = "what if", .amounts = b, .dashed =
// true, .category = 1}}, .stepped = true});

#include <functional>
#include <utility>
#include <vector>

#include <QString>

#include "ui/panels/chart.h"
#include "ui/panels/chart_geometry.h"

namespace cutaway::ui {

struct Curve {
  QString label;
  std::vector<double> amounts;  // below zero: not known
  bool dashed = false;
  bool filled = false;
  int category = 0;
  std::vector<std::pair<double, double>> spread{};  // from where to where a measured amount may be; empty: none
};

struct CurveChartData {
  std::vector<Curve> curves;
  std::vector<QString> ticks;  // names of the places; empty: their numbers
  bool stepped = false;        // a value holds until the next; otherwise places are joined and marked
  QString axis;
  QString empty;
  QString (*write)(double amount) = nullptr;  // null: bytes
};

class CurveChart : public Chart {
  Q_OBJECT
 public:
  explicit CurveChart(const ThemeStore* themes, QWidget* parent = nullptr);
  void present(CurveChartData data);
  const CurveChartData& data() const { return m_data; }
  QString textAt(double x) const;  // what is written for a place across
  QSize sizeHint() const override { return {420, 220}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void hover(const QPointF&, const QPoint&) override { update(); }
  void hoverEnds() override { update(); }

 private:
  void place();
  double xOf(size_t index) const;
  QString written(double amount) const;
  void paintAxes(QPainter& painter) const;
  void paintCurve(QPainter& painter, const Curve& curve) const;

  CurveChartData m_data;
  ChartGeometry m_geometry;
  size_t m_count = 0;
};

}  // namespace cutaway::ui
