#pragma once
// The range of time that is looked at, shared by every picture with a time axis: zooming one zooms them all.
//
// Thread rule: GUI thread.
// Example: TimeWindow window;  window.setFull(0, 1'200'000);  window.zoomAt(300'000, 2);  connect(&window,
// &TimeWindow::viewChanged, chart, ...);

#include <optional>
#include <vector>

#include <QObject>
#include <QRectF>

namespace cutaway::ui {

struct TimeRange {
  double beginNs = 0;
  double endNs = 0;
  double lengthNs() const { return endNs - beginNs; }
  bool operator==(const TimeRange&) const = default;
};

// Time to pixels and back.
struct TimeAxis {
  QRectF plot;
  TimeRange view{0, 1};

  double x(double ns) const { return plot.left() + (ns - view.beginNs) / view.lengthNs() * plot.width(); }
  double nsAt(double pixel) const { return view.beginNs + (pixel - plot.left()) / plot.width() * view.lengthNs(); }
  double nsPerPixel() const { return view.lengthNs() / plot.width(); }
};

struct TimeTick {
  double ns = 0;
  QString label;
};
// Round moments of the axis, at most one every `pixels`: 1, 2 or 5 times a power of ten, all in one unit.
std::vector<TimeTick> timeTicks(const TimeAxis& axis, double pixels);
// "1.25 ms", with as many digits as a step of `resolutionNs` needs.
QString momentText(double ns, double resolutionNs);

class TimeWindow : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  void setFull(double beginNs, double endNs);  // and looks at all of it; the range goes
  const TimeRange& full() const { return m_full; }
  const TimeRange& view() const { return m_view; }
  bool showsAll() const { return m_view == m_full; }

  void zoomAt(double ns, double factor);  // above 1: closer; the moment stays where it is
  void panBy(double ns);
  void show(double beginNs, double endNs);
  void fit() { show(m_full.beginNs, m_full.endNs); }

  // What the user marked; tables show only what falls into it.
  const std::optional<TimeRange>& range() const { return m_range; }
  void setRange(std::optional<TimeRange> range);
  void settleRange() { emit rangeSettled(); }  // the drag ended

  const std::optional<double>& hover() const { return m_hover; }
  void setHover(std::optional<double> ns);

  // Where execution stands, and moments to come back to. Whoever links the time to steps answers the two requests;
  // without one, marks are kept here.
  const std::optional<TimeRange>& play() const { return m_play; }
  void setPlay(std::optional<TimeRange> step);
  const std::vector<double>& marks() const { return m_marks; }
  void setMarks(std::vector<double> marks);
  void setLinked(bool linked) { m_linked = linked; }
  void chooseMoment(double ns) { emit momentChosen(ns); }
  void toggleMark(double ns);

 signals:
  void viewChanged();
  void rangeChanged();
  void rangeSettled();
  void hoverChanged();
  void playChanged();            // play or marks
  void momentChosen(double ns);  // was clicked
  void markRequested(double ns);

 private:
  TimeRange m_full{0, 1};
  TimeRange m_view{0, 1};
  std::optional<TimeRange> m_range;
  std::optional<double> m_hover;
  std::optional<TimeRange> m_play;
  std::vector<double> m_marks;
  bool m_linked = false;
};

}  // namespace cutaway::ui
