#pragma once
// How the numbers of a tensor are spread: bars, a mark at zero and at the mean, what is not finite in words; counts may
// be logarithmic.
//
// Thread rule: GUI thread. Example: chart->present(content);  chart->setLogarithmic(true);

#include <memory>
#include <vector>

#include <QRectF>

#include "engine/study/tensor/tensor_content.h"
#include "ui/panels/chart.h"

namespace cutaway::ui {

// Heights of the bars, 0 to 1; counts above zero are at least seen.
std::vector<double> barHeights(const std::vector<int64_t>& counts, bool logarithmic);

class HistogramChart : public Chart {
  Q_OBJECT
 public:
  explicit HistogramChart(const ThemeStore* themes, QWidget* parent = nullptr);
  void present(std::shared_ptr<const study::TensorContent> content);
  void setLogarithmic(bool logarithmic);
  int binAt(double x) const;       // -1: none
  QString binText(int bin) const;  // "-0.5 to -0.4: 1,204 (3.1 %)"
  QSize sizeHint() const override { return {420, 260}; }

 signals:
  void pointed(const QString& words);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void hover(const QPointF& at, const QPoint& global) override;
  void hoverEnds() override { point(-1); }
  bool step(int by) override;
  bool stepToEnd(bool last) override;

 private:
  QRectF plot() const;
  double xOf(double number) const;
  void point(int bin);
  void paintMark(QPainter& painter, double number, const QString& words, const QColor& color, bool above) const;

  std::shared_ptr<const study::TensorContent> m_content;
  std::vector<double> m_heights;
  bool m_logarithmic = false;
  int m_bin = -1;
};

}  // namespace cutaway::ui
