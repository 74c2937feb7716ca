#pragma once
// Spans of a trace sorted into lanes (threads) and rows (nesting), ready to be culled: every row's bars are ascending
// and do not overlap.
//
// Thread rule: immutable once made; made in time linear in the spans.
// Example: const TraceLanes lanes = traceLanes(spans, colours, {});  for (const TraceRow& row : lanes.rows)
// draw(visibleBars(row, axis, 0));

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QString>

#include "engine/report/run_report.h"
#include "ui/panels/run/timeline/time_window.h"

namespace cutaway::ui {

inline constexpr int kColourings = 2;  // a bar has a category of each colouring
using BarCategories = std::array<int8_t, kColourings>;
inline constexpr int8_t kEngineCategory = -2;  // the engine itself: drawn quietly

struct TraceBar {
  int64_t startNs = 0;
  int64_t endNs = 0;
  int32_t span = 0;
  BarCategories category{};
};

struct TraceRow {
  int lane = 0;
  int depth = 0;
  std::vector<TraceBar> bars;
};

struct TraceLane {
  int32_t thread = 0;
  QString title;
  int firstRow = 0;
  int rowCount = 0;
  int busyRow = -1;    // the outermost row with nodes, else its first
  int64_t busyNs = 0;  // of that row
};

struct TraceLanes {
  std::shared_ptr<const std::vector<TraceSpan>> spans;
  std::vector<TraceLane> lanes;  // ascending threads
  std::vector<TraceRow> rows;    // lane by lane, outer spans first
  int64_t beginNs = 0;
  int64_t endNs = 0;

  bool empty() const { return rows.empty(); }
};

using CategoriesOf = std::function<BarCategories(const TraceSpan&)>;
using LaneTitle = std::function<QString(int32_t thread)>;
// Spans that overlap another of the same depth (foreign traces) go one row deeper.
TraceLanes traceLanes(std::shared_ptr<const std::vector<TraceSpan>> spans, const CategoriesOf& categories,
                      const LaneTitle& title);

// What is drawn of a row: bars that are wide enough as they are, the others gathered pixel by pixel.
struct DrawnBar {
  double left = 0;
  double right = 0;
  int bar = -1;        // index in the row; -1: gathered
  int category = 0;    // of gathered bars, that of the longest time
  double density = 1;  // share of the pixel that is covered
};
std::vector<DrawnBar> visibleBars(const TraceRow& row, const TimeAxis& axis, int colouring);

// The bar at a moment, or the nearest within `slackNs`; -1: none.
int barAt(const TraceRow& row, double ns, double slackNs);

}  // namespace cutaway::ui
