#pragma once
// How a timeline looks: where lanes, rows and bars stand, and how they are drawn. No widget: it can be painted on any
// device.
//
// Thread rule: GUI thread.
// Example: TimelineLook look;  look.content = ...;  look.place(rect);  paintTimeline(painter, look, theme);

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QPainter>

#include "ui/base/theme.h"
#include "ui/panels/run/timeline/hover_card.h"
#include "ui/panels/run/timeline/trace_lanes.h"

namespace cutaway::ui {

struct TimelineContent {
  std::shared_ptr<const TraceLanes> lanes;
  std::function<QString(const TraceSpan&)> label = {};
  std::function<HoverFacts(const TraceSpan&)> facts = {};
  std::function<QChar(int category, int colouring)> letter = {};  // for bars too narrow for their name
  QString empty;                                                  // what to say when there are no spans
};

struct TraceBarPlace {
  int row = -1;
  int bar = -1;
  bool valid() const { return row >= 0 && bar >= 0; }
  bool operator==(const TraceBarPlace&) const = default;
};

inline constexpr double kTimeGutter = 80;  // left of every time axis, so that charts stand below each other
inline constexpr double kTimeRightMargin = 14;

struct TimelineLook {
  TimelineContent content;
  QRectF area;    // all of it
  TimeAxis axis;  // the plot is what lies below the ruler
  double scroll = 0;
  int colouring = 0;
  std::vector<TraceBarPlace> marked;  // bars of selected nodes, row by row
  TraceBarPlace current;              // clicked last
  TraceBarPlace hovered;
  std::optional<TimeRange> range;
  std::optional<double> hoverNs;
  std::optional<TimeRange> play;  // the step that execution stands at
  std::vector<double> marks;
  TimeRange full;

  void place(const QRectF& rect);
  double rowTop(int row) const;  // in pixels, scrolled
  double contentHeight() const;  // of all lanes
  double mostScroll() const { return std::max(0.0, contentHeight() - axis.plot.height()); }
  int rowAtY(double y) const;  // -1: between lanes
  QRectF barRect(const TraceBarPlace& place) const;
  const TraceBar& bar(const TraceBarPlace& place) const;
  const TraceSpan& span(const TraceBarPlace& place) const;
};

QColor barColor(const Theme& theme, int category);
void paintTimeline(QPainter& painter, const TimelineLook& look, const Theme& theme);
// The marked range, the moment under the pointer, the step that is played and the marks: the same on every chart over
// time.
void paintMoments(QPainter& painter, const TimeAxis& axis, const TimeWindow& window, const Theme& theme);
struct Moments {
  std::optional<TimeRange> range;
  std::optional<double> hoverNs;
  std::optional<TimeRange> play;
  std::vector<double> marks;
};
void paintMoments(QPainter& painter, const TimeAxis& axis, const Moments& moments, const Theme& theme);

}  // namespace cutaway::ui
