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

#include <QWidget>

#include "ui/panels/panel.h"
#include "ui/panels/run/timeline/hover_card.h"
#include "ui/panels/run/timeline/timeline_painter.h"
#include "ui/panels/run/timeline/trace_lanes.h"

namespace cutaway::ui {

class Timeline : public QWidget {
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
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  enum class Drag { kNone, kPress, kPan, kRange };
  void placePlot();
  void markSelection();
  void scrollTo(double offset);
  void reveal(const TraceBarPlace& place);
  void step(int by);
  void closer();  // centres the span, and fits it when it was
  void rangeOfCurrent();
  void hoverAt(const QPointF& position, const QPoint& global);
  double anchorNs() const;  // where keys zoom: the pointer when it is here, else the middle

  PanelContext m_context;
  TimeWindow* m_window;
  TimelineLook m_look;
  HoverCard* m_card;
  Drag m_drag = Drag::kNone;
  QPointF m_pressed;
  QPointF m_last;
  bool m_choosing = false;
  bool m_pans = false;
};

}  // namespace cutaway::ui
