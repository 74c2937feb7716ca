#pragma once
// Blocks over time: x is the step, a block spans the steps it lives in; y is an offset in bytes, or a lane.
//
// Ctrl+wheel zooms at the pointer, wheel and drag pan, a click selects what the block is about, the selection is brought out.
// Thread rule: GUI thread.
// Example: chart->present({.blocks = ..., .steps = 92, .high = peakBytes, .bytes = true});

#include <QWidget>
#include <vector>

#include "ui/base/graph_target.h"
#include "ui/panels/chart_geometry.h"
#include "ui/panels/panel.h"

namespace cutaway::ui {

struct LifeBlock {
  int firstStep = 0;
  int lastStep = 0;  // closed
  double from = 0;
  double to = 1;
  int category = 0;  // colour; blocks on top of each other differ
  bool emphasised = false;
  QString label;
  QString toolTip;
  RowTarget target;
};

struct LifeArrow {  // from one lane to another: reuse
  double step = 0;
  double from = 0;
  double to = 0;
};

struct LifeLine {
  double amount = 0;
  QString label;
  bool dashed = false;
};

struct LifeChartData {
  std::vector<LifeBlock> blocks;
  std::vector<LifeArrow> arrows;
  std::vector<LifeLine> lines;
  std::vector<double> profile;  // amount at every step, drawn as a curve
  int steps = 0;
  double high = 1;
  bool bytes = false;           // amounts are bytes; else lanes
  int markedStep = -1;
  QString empty;                // what to say when there are no blocks
};

class LifeChart : public QWidget {
  Q_OBJECT
 public:
  LifeChart(const PanelContext& context, QWidget* parent = nullptr);
  void present(LifeChartData data);
  int blockAt(const QPointF& position) const;  // -1: none
  const ChartGeometry& geometry() const { return m_geometry; }
  const LifeChartData& data() const { return m_data; }
  QSize sizeHint() const override { return {420, 300}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void placePlot();
  void paintAxes(QPainter& painter) const;
  void paintBlocks(QPainter& painter) const;
  void paintLines(QPainter& painter) const;
  bool isSelected(const LifeBlock& block) const;

  PanelContext m_context;
  LifeChartData m_data;
  ChartGeometry m_geometry;
  QPointF m_pressed;
  double m_lastX = 0;
};

}  // namespace cutaway::ui
