#pragma once
// What charts have in common as widgets: pointer, wheel, drags, clicks, keys, tool tips and focus are read here, and a
// chart answers in its own terms.
//
// Charts that move: Ctrl+wheel zooms at the pointer (with Shift: amounts), the wheel moves, a double click shows all;
// + - zoom (with Alt: amounts), W S too (with Shift: amounts), A D and the arrows move, 0 shows all, . and , step, F
// goes closer, R makes a range. Charts that stay: Left and Right step, Home and End go to the ends.
// Thread rule: GUI thread.
// Example:
//   class ErrorChart : public Chart {
//     ErrorChart(...) : Chart(themes, tr("Errors"), parent) { takeKeys(); }
//     bool step(int by) override { emit chosen(m_current + by); return true; }
//   };

#include <optional>

#include <QPointF>
#include <QWidget>

class QPainter;

namespace cutaway::ui {

class ThemeStore;

class Chart : public QWidget {
  Q_OBJECT
 public:
  // name: what assistive technology calls the chart.
  Chart(const ThemeStore* themes, const QString& name, QWidget* parent);

 protected:
  static constexpr double kClickSlack = 4;  // pixels a click may wander

  // What a pressed button begins.
  enum class Drag { kNone, kPan, kRange };
  struct Press {
    Drag drag = Drag::kNone;
    double slack = kClickSlack;  // pixels until the drag begins
    bool clicks = true;          // a button that was not dragged is a click
  };
  // How far one notch of the wheel and one key move, in pixels; how much one key zooms.
  struct Strides {
    double wheelAcross = 0, wheelDown = 0;
    double keyAcross = 0, keyDown = 0;
    double keyZoom = 1.25;
  };

  void takeKeys();  // has the focus by click and Tab
  const ThemeStore& themes() const { return *m_themes; }
  const std::optional<QPointF>& pointer() const { return m_pointer; }  // none: it is elsewhere
  void paintFocus(QPainter& painter) const;                            // a frame, while it has the focus
  void showTip(const QPoint& global, const QString& words);            // at once; empty: hides it

  // The pointer moved, and nothing is dragged.
  virtual void hover(const QPointF& at, const QPoint& global);
  virtual void hoverEnds();
  virtual Press press(const QMouseEvent& event);
  virtual void click(const QPointF& at, Qt::MouseButton button);
  virtual void doubleClick(const QPointF& at);  // shows all
  virtual void dragRange(const QPointF& from, const QPointF& to);
  virtual void rangeEnds();

  virtual bool moves() const { return false; }  // whether there is more than is in sight: wheel and keys move then
  virtual Strides strides() const { return {}; }
  virtual bool wheelGoesDown(const QPoint& turned, bool shift) const;  // rather than across
  virtual void pan(const QPointF& by);                                 // what is shown goes along
  virtual void zoom(const QPointF& at, double factor, bool amounts);
  virtual void fit();
  virtual QPointF anchor() const;  // where keys zoom

  // Of keys; false: it is none of the chart's.
  virtual bool key(QKeyEvent* event);  // before everything else
  virtual bool step(int by);
  virtual bool stepToEnd(bool last);
  virtual void closer();
  virtual void rangeOfCurrent();

  virtual std::optional<QString> tipAt(const QPointF& at) const;  // null: the chart has no tips; empty: none here
  virtual void themeChanged() { update(); }

  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;

 private:
  enum class State { kIdle, kPressed, kDragging };
  void drag(const QPointF& to);
  bool moveKey(const QKeyEvent& event);
  bool stepKey(int key);

  const ThemeStore* m_themes;
  std::optional<QPointF> m_pointer;
  State m_state = State::kIdle;
  Press m_press;
  QPointF m_pressed, m_last;
};

}  // namespace cutaway::ui
