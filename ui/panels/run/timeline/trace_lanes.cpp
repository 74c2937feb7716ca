#include "ui/panels/run/timeline/trace_lanes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace cutaway::ui {
namespace {

constexpr int kMostRows = 48;          // of one lane; what is nested deeper is not drawn
constexpr double kOwnBarPixels = 1.5;  // narrower bars are gathered

// Time by category within one pixel.
class Gathering {
 public:
  void add(int64_t pixel, double ns, int category, std::vector<DrawnBar>& drawn, const TimeAxis& axis) {
    if (pixel != m_pixel) {
      flush(drawn, axis);
      m_pixel = pixel;
    }
    m_ns[static_cast<size_t>(std::clamp(category + 2, 0, kSlots - 1))] += ns;
    m_any = true;
  }
  void flush(std::vector<DrawnBar>& drawn, const TimeAxis& axis) {
    if (!m_any) return;
    const auto most = std::max_element(m_ns.begin(), m_ns.end());
    const double covered = std::accumulate(m_ns.begin(), m_ns.end(), 0.0);
    const double left = axis.plot.left() + static_cast<double>(m_pixel);
    drawn.push_back({left, left + 1, -1, static_cast<int>(most - m_ns.begin()) - 2,
                     std::clamp(covered / axis.nsPerPixel(), 0.15, 1.0)});
    m_ns.fill(0);
    m_any = false;
  }

 private:
  static constexpr int kSlots = 32;
  std::array<double, kSlots> m_ns{};
  int64_t m_pixel = -1;
  bool m_any = false;
};

bool startsBefore(const TraceSpan& a, const TraceSpan& b) {
  return a.startNs != b.startNs ? a.startNs < b.startNs : a.depth < b.depth;
}

}  // namespace

TraceLanes traceLanes(std::shared_ptr<const std::vector<TraceSpan>> spans, const CategoriesOf& categories,
                      const LaneTitle& title) {
  TraceLanes made;
  made.spans = std::move(spans);
  if (!made.spans || made.spans->empty()) return made;
  const std::vector<TraceSpan>& all = *made.spans;
  std::vector<int32_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  if (!std::is_sorted(all.begin(), all.end(), startsBefore))
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return startsBefore(all[static_cast<size_t>(a)], all[static_cast<size_t>(b)]);
    });

  std::map<int32_t, std::vector<TraceRow>> byThread;
  made.beginNs = all[static_cast<size_t>(order.front())].startNs;
  made.endNs = made.beginNs;
  for (const int32_t index : order) {
    const TraceSpan& span = all[static_cast<size_t>(index)];
    std::vector<TraceRow>& rows = byThread[span.thread];
    const int64_t end = span.startNs + std::max<int64_t>(0, span.durationNs);
    auto depth = static_cast<size_t>(std::clamp(span.depth, 0, kMostRows));
    while (depth < rows.size() && !rows[depth].bars.empty() && rows[depth].bars.back().endNs > span.startNs)
      ++depth;
    if (depth >= kMostRows) continue;
    if (rows.size() <= depth) rows.resize(depth + 1);
    rows[depth].bars.push_back({span.startNs, end, index, categories ? categories(span) : BarCategories{}});
    made.endNs = std::max(made.endNs, end);
  }
  for (auto& [thread, rows] : byThread) {
    const auto lane = static_cast<int>(made.lanes.size());
    made.lanes.push_back(
        {thread, title ? title(thread) : QString::number(thread), static_cast<int>(made.rows.size()), 0, -1, 0});
    TraceLane& added = made.lanes.back();
    for (size_t depth = 0; depth < rows.size(); ++depth) {
      if (rows[depth].bars.empty()) continue;
      rows[depth].lane = lane;
      rows[depth].depth = added.rowCount++;
      const bool hasNodes = std::any_of(rows[depth].bars.begin(), rows[depth].bars.end(), [&](const TraceBar& bar) {
        return all[static_cast<size_t>(bar.span)].node >= 0;
      });
      if (added.busyRow < 0 && hasNodes) added.busyRow = static_cast<int>(made.rows.size());
      made.rows.push_back(std::move(rows[depth]));
    }
    if (added.busyRow < 0) added.busyRow = added.firstRow;
    if (added.rowCount > 0)
      for (const TraceBar& bar : made.rows[static_cast<size_t>(added.busyRow)].bars)
        added.busyNs += bar.endNs - bar.startNs;
  }
  return made;
}

std::vector<DrawnBar> visibleBars(const TraceRow& row, const TimeAxis& axis, int colouring) {
  std::vector<DrawnBar> drawn;
  Gathering gathering;
  const auto begin = static_cast<int64_t>(std::floor(axis.view.beginNs));
  const auto first = std::lower_bound(row.bars.begin(), row.bars.end(), begin,
                                      [](const TraceBar& bar, int64_t ns) { return bar.endNs < ns; });
  const double pixelsPerNs = 1 / axis.nsPerPixel();
  for (auto bar = first; bar != row.bars.end() && static_cast<double>(bar->startNs) <= axis.view.endNs; ++bar) {
    const double from = (static_cast<double>(bar->startNs) - axis.view.beginNs) * pixelsPerNs,
                 to = (static_cast<double>(bar->endNs) - axis.view.beginNs) * pixelsPerNs;
    const int category = bar->category[static_cast<size_t>(colouring)];
    if (to - from < kOwnBarPixels) {
      if (to >= 0)
        gathering.add(static_cast<int64_t>(std::max(0.0, from)), static_cast<double>(bar->endNs - bar->startNs),
                      category, drawn, axis);
      continue;
    }
    gathering.flush(drawn, axis);
    drawn.push_back({axis.plot.left() + std::max(from, -4.0), axis.plot.left() + std::min(to, axis.plot.width() + 4),
                     static_cast<int>(bar - row.bars.begin()), category, 1});
  }
  gathering.flush(drawn, axis);
  return drawn;
}

int barAt(const TraceRow& row, double ns, double slackNs) {
  const auto after = std::lower_bound(row.bars.begin(), row.bars.end(), ns, [](const TraceBar& bar, double moment) {
    return static_cast<double>(bar.endNs) < moment;
  });
  int found = -1;
  double nearest = slackNs;
  for (auto bar = after == row.bars.begin() ? after : after - 1; bar != row.bars.end() && bar <= after; ++bar) {
    const double away = std::max({0.0, static_cast<double>(bar->startNs) - ns, ns - static_cast<double>(bar->endNs)});
    if (away > nearest || (found >= 0 && away == nearest)) continue;
    nearest = away;
    found = static_cast<int>(bar - row.bars.begin());
  }
  return found;
}

}  // namespace cutaway::ui
