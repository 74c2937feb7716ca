#pragma once
// A trace over time: a lane for every thread, spans nested below each other. The run's timeline and the flame chart of
// a session's creation are both of these.
//
// Ctrl+wheel and W/S zoom at the pointer, dragging chooses a range, Shift+drag, the middle button and A/D move, a click
// selects the node, a double click fits, `.` and `,` step, M marks, R makes a range of the span or between the last two
// marks, F centres the span and then fits it. Thread rule: GUI thread. Example: auto* timeline = new Timeline(context,
// &window);  timeline->present({.lanes = lanes, .label = ..., .facts = ...});

#include <functional>
#include <memory>
#include <vector>

#include "ui/panels/chart.h"
#include "ui/panels/panel.h"
#include "ui/panels/run/timeline/hover_card.h"
#include "ui/panels/run/timeline/timeline_painter.h"
#include "ui/panels/run/timeline/trace_lanes.h"

namespace cutaway::ui {

class Timeline : public Chart {
  Q_OBJECT
 public:
  Timeline(const PanelContext& context, TimeWindow* window, QWidget* parent = nullptr);

  void present(TimelineContent content);
  void setColouring(int colouring);
  int colouring() const { return m_look.colouring; }

  const TimelineLook& look() const { return m_look; }
  TraceBarPlace placeAt(const QPointF& position) const;  // invalid: nothing there
  QRectF rectOf(const TraceBarPlace& place) const { return m_look.barRect(place); }
  HoverCard* card() { return m_card; }
  void selectPlace(const TraceBarPlace& place);  // as a click on it
  void showSpan(int span);                       // brings it into sight and marks it

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {200, 90}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool moves() const override { return true; }
  Strides strides() const override;
  bool wheelGoesDown(const QPoint& turned, bool shift) const override;
  void zoom(const QPointF& at, double factor, bool amounts) override;
  void pan(const QPointF& by) override;
  void fit() override { m_window->fit(); }
  QPointF anchor() const override;
  Press press(const QMouseEvent& event) override;
  void click(const QPointF& at, Qt::MouseButton button) override;
  void doubleClick(const QPointF& at) override;
  void dragRange(const QPointF& from, const QPointF& to) override;
  void rangeEnds() override { m_window->settleRange(); }
  void hover(const QPointF& at, const QPoint& global) override;
  void hoverEnds() override;
  bool key(QKeyEvent* event) override;
  bool step(int by) override;
  void closer() override;  // centres the span, and fits it when it was
  void rangeOfCurrent() override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void placePlot();
  void markSelection();
  void scrollTo(double offset);
  void reveal(const TraceBarPlace& place);
  double anchorNs() const;  // where keys zoom: the pointer when it is here, else the middle

  PanelContext m_context;
  TimeWindow* m_window;
  TimelineLook m_look;
  HoverCard* m_card;
  bool m_choosing = false;
};

}  // namespace cutaway::ui
