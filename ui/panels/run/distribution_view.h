#pragma once
// The runs of two profiles on one axis: every run a dot, the median a line in its confidence interval.
//
// Thread rule: GUI thread. Example: view->present({"Baseline", run}, {"Now", other});

#include <memory>

#include <QWidget>

#include "engine/report/run_report.h"

namespace cutaway::ui {

class ThemeStore;

struct Distribution {
  QString title;
  std::shared_ptr<const RunReport> run;
};

class DistributionView : public QWidget {
  Q_OBJECT
 public:
  explicit DistributionView(const ThemeStore* themes, QWidget* parent = nullptr);
  void present(Distribution before, Distribution now);
  QSize sizeHint() const override { return {420, 92}; }
  QSize minimumSizeHint() const override { return {240, 92}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const ThemeStore* m_themes;
  Distribution m_sides[2];
  double m_low = 0, m_high = 1;  // milliseconds of the axis
};

// The axis both fit on: from the fastest to nearly the slowest, so that one straggler does not press the rest together.
std::pair<double, double> distributionAxis(const RunReport& a, const RunReport& b);

}  // namespace cutaway::ui
