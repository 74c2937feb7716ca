#pragma once
// The figures of a measurement in one strip: median with its interval, the slow ends, the first run, how the runs are
// distributed.
//
// Thread rule: GUI thread.
// Example: strip->present(run);  runHistogram(run->runMs, 24).counts

#include <memory>
#include <vector>

#include <QWidget>

#include "engine/report/run_report.h"

namespace cutaway::ui {

class ThemeStore;

// Runs by how long they took, in equal steps from the fastest; what is slower than nearly all (1.5 times the spread
// above the 90th percentile) is gathered in the last one.
struct RunHistogram {
  double lowMs = 0;
  double highMs = 0;
  std::vector<int> counts;
  int slower = 0;  // of those in the last step: beyond highMs
};
RunHistogram runHistogram(const std::vector<double>& runMs, int steps);

struct StatisticsFigure {
  QString name;
  QString value;
  QString detail;
};
std::vector<StatisticsFigure> statisticsFigures(const RunReport& run);
// "10 runs after 1 warm-up on 2 threads, one node after the other" or where a profile was read from.
// simulated: providers that computed in a simulator.
QString runSentence(const RunReport& run, const QStringList& simulated = {});

class StatisticsStrip : public QWidget {
  Q_OBJECT
 public:
  explicit StatisticsStrip(const ThemeStore* themes, QWidget* parent = nullptr);
  void present(std::shared_ptr<const RunReport> run, const QStringList& simulated);
  void setCompact(bool compact);  // figures in one line, without bars and how it was measured: where height is short
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void paintHistogram(QPainter& painter, const QRectF& room) const;
  void paintLine(QPainter& painter) const;

  const ThemeStore* m_themes;
  std::shared_ptr<const RunReport> m_run;
  QStringList m_simulated;
  std::vector<StatisticsFigure> m_figures;
  RunHistogram m_histogram;
  bool m_compact = false;
};

}  // namespace cutaway::ui
