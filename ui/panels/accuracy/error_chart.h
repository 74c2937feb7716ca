#pragma once
// The relative error of every value along the execution order, on a logarithmic scale, with the tolerance as a line.
//
// Keys: Left and Right go from value to value. Thread rule: GUI thread. Example: chart->present(report); connect(chart,
// &ErrorChart::chosen, ...);

#include <memory>

#include <QRectF>

#include "engine/report/accuracy_report.h"
#include "ui/panels/chart.h"

namespace cutaway::ui {

// 0 to 1 between 1e-9 and 10; what cannot be compared gives -1.
double errorHeight(const ValueAccuracy& value);

class ErrorChart : public Chart {
  Q_OBJECT
 public:
  explicit ErrorChart(const ThemeStore* themes, QWidget* parent = nullptr);
  void present(std::shared_ptr<const AccuracyReport> report);
  void setCurrent(int row);
  int rowAt(double x) const;  // -1: none
  QSize sizeHint() const override { return {400, 84}; }

 signals:
  void chosen(int row);

 protected:
  void paintEvent(QPaintEvent* event) override;
  Press press(const QMouseEvent& event) override;
  void hover(const QPointF& at, const QPoint& global) override;
  bool step(int by) override;

 private:
  QRectF plot() const;

  std::shared_ptr<const AccuracyReport> m_report;
  int m_current = -1;
};

}  // namespace cutaway::ui
