#pragma once
// How the numbers of a tensor are spread: bars, a mark at zero and at the mean, what is not finite in words; counts may
// be logarithmic.
//
// Thread rule: GUI thread. Example: chart->present(content);  chart->setLogarithmic(true);

#include <memory>
#include <vector>

#include <QRectF>
#include <QWidget>

#include "engine/study/tensor/tensor_content.h"

namespace cutaway::ui {

class ThemeStore;

// Heights of the bars, 0 to 1; counts above zero are at least seen.
std::vector<double> barHeights(const std::vector<int64_t>& counts, bool logarithmic);

class HistogramChart : public QWidget {
  Q_OBJECT
 public:
  explicit HistogramChart(const ThemeStore* themes, QWidget* parent = nullptr);
  void present(std::shared_ptr<const TensorContent> content);
  void setLogarithmic(bool logarithmic);
  int binAt(double x) const;       // -1: none
  QString binText(int bin) const;  // "-0.5 to -0.4: 1,204 (3.1 %)"
  QSize sizeHint() const override { return {420, 260}; }

 signals:
  void pointed(const QString& words);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QRectF plot() const;
  double xOf(double number) const;
  void point(int bin);
  void paintMark(QPainter& painter, double number, const QString& words, const QColor& color, bool above) const;

  const ThemeStore* m_themes;
  std::shared_ptr<const TensorContent> m_content;
  std::vector<double> m_heights;
  bool m_logarithmic = false;
  int m_bin = -1;
};

}  // namespace cutaway::ui
