#pragma once
// Blocks over time: x is the step, a block spans the steps it lives in; y is an offset in bytes, or a lane.
//
// Ctrl+wheel zooms steps at the pointer, Shift+Ctrl+wheel amounts; the wheel, Shift+drag and the middle button pan, a
// double click shows all, a click selects what the block is about; the selection is brought out. Charts that follow the
// playhead fill up to its step: a click goes to the step, dragging chooses a range, Left and Right step, Space plays, M
// marks a step. Keys: + - 0 zoom (with Alt: amounts), W S A D as in timelines, F centres the selection and then fits
// it, R makes it the range, . and , go to the next and previous block. What changes with the data or the place is
// painted once and kept; pointer and selection are painted over it. Thread rule: GUI thread. Example:
// chart->present({.blocks = ..., .width = 92, .high = peakBytes, .bytes = true});

#include <vector>

#include <QPixmap>

#include "ui/panels/chart.h"
#include "ui/panels/chart_geometry.h"
#include "ui/panels/life_chart_data.h"
#include "ui/panels/panel.h"

namespace cutaway::ui {

class LifeChart : public Chart {
  Q_OBJECT
 public:
  explicit LifeChart(const PanelContext& context, QWidget* parent = nullptr);
  void present(LifeChartData data);
  void fit() override;                         // shows all, lanes as many as are readable
  int blockAt(const QPointF& position) const;  // -1: none
  const ChartGeometry& geometry() const { return m_geometry; }
  const LifeChartData& data() const { return m_data; }
  std::vector<int> selectedItems() const;         // ascending
  QString textAt(const QPointF& position) const;  // the line below the pointer
  // Scrolls until an item can be seen.
  void reveal(int item);
  QSize sizeHint() const override { return {420, 300}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool moves() const override { return true; }
  Strides strides() const override;
  bool wheelGoesDown(const QPoint& turned, bool shift) const override;
  void zoom(const QPointF& at, double factor, bool amounts) override;
  void pan(const QPointF& by) override;
  QPointF anchor() const override;
  Press press(const QMouseEvent& event) override;
  void click(const QPointF& at, Qt::MouseButton button) override;
  void dragRange(const QPointF& from, const QPointF& to) override;
  void hover(const QPointF& at, const QPoint& global) override;
  void hoverEnds() override { update(); }
  bool key(QKeyEvent* event) override;  // of the playhead
  bool step(int by) override;           // the next block
  void closer() override;               // centres the selection, and fits it when it was
  void rangeOfCurrent() override;       // of the selection
  std::optional<QString> tipAt(const QPointF& at) const override;
  void themeChanged() override { changed(); }

 private:
  void placePlot();
  void followSelection();
  void changed();  // what is kept is stale
  void choose(const QPointF& position);
  int stepAtX(double x) const;      // of the order; the x axis may count something else
  double stepLeft(int step) const;  // on the x axis
  double stepRight(int step) const;
  double followedStep() const;  // of the playhead; below zero: none
  void paintPicture();
  void paintAxes(QPainter& painter) const;
  void paintLegend(QPainter& painter) const;
  QString legendWords() const;  // a line for each entry
  void paintBlocks(QPainter& painter) const;
  void paintLabels(QPainter& painter) const;
  void paintArrows(QPainter& painter) const;
  void paintLines(QPainter& painter) const;
  void paintCurve(QPainter& painter, const LifeCurve& curve) const;
  void paintSelection(QPainter& painter) const;
  void paintPointer(QPainter& painter) const;
  void paintPlayed(QPainter& painter) const;
  void paintRange(QPainter& painter) const;
  void paintStepMarks(QPainter& painter) const;
  QPen penOf(LineLook look) const;

  PanelContext m_context;
  LifeChartData m_data;
  ChartGeometry m_geometry;
  QPixmap m_picture;  // null: stale
  std::vector<int> m_selected;
};

}  // namespace cutaway::ui
