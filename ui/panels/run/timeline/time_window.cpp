#include "ui/panels/run/timeline/time_window.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cutaway::ui {
namespace {

constexpr double kShortestNs = 100;  // closer there is nothing to see: clocks tick in tens of nanoseconds

struct Unit {
  double ns;
  const char* name;
};
constexpr std::array<Unit, 4> kUnits = {{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}};

const Unit& unitFor(double ns) {
  for (const Unit& unit : kUnits)
    if (std::abs(ns) >= unit.ns) return unit;
  return kUnits.back();
}

QString inUnit(double ns, double resolutionNs, const Unit& unit) {
  const int decimals =
      std::clamp(static_cast<int>(std::ceil(-std::log10(std::max(1e-3, resolutionNs) / unit.ns) - 1e-9)), 0, 6);
  return QString::number(ns / unit.ns, 'f', decimals) + QChar(0x00a0) + QString::fromUtf8(unit.name);
}

}  // namespace

QString momentText(double ns, double resolutionNs) {
  return inUnit(ns, resolutionNs, unitFor(ns));
}

std::vector<TimeTick> timeTicks(const TimeAxis& axis, double pixels) {
  std::vector<TimeTick> ticks;
  if (!(axis.plot.width() > 0) || !(axis.view.lengthNs() > 0)) return ticks;
  const double least = std::max(axis.nsPerPixel() * pixels, 1e-3);
  double step = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if (step * factor >= least) {
      step *= factor;
      break;
    }
  const Unit& unit = unitFor(std::max(std::abs(axis.view.endNs), std::abs(axis.view.beginNs)));
  const auto first = static_cast<int64_t>(std::ceil(axis.view.beginNs / step - 1e-9)),
             last = static_cast<int64_t>(std::floor(axis.view.endNs / step + 1e-9));
  for (int64_t i = first; i <= last; ++i) {
    const double ns = static_cast<double>(i) * step;
    ticks.push_back({ns, i == 0 ? QStringLiteral("0") : inUnit(ns, step, unit)});
  }
  return ticks;
}

void TimeWindow::setFull(double beginNs, double endNs) {
  m_full = {beginNs, std::max(endNs, beginNs + kShortestNs)};
  m_view = m_full;
  m_hover.reset();
  const bool had = m_range.has_value();
  m_range.reset();
  emit viewChanged();
  if (had) {
    emit rangeChanged();
    emit rangeSettled();
  }
}

void TimeWindow::show(double beginNs, double endNs) {
  if (!std::isfinite(beginNs) || !std::isfinite(endNs)) return;
  const double length = std::clamp(endNs - beginNs, std::min(kShortestNs, m_full.lengthNs()), m_full.lengthNs());
  const double begin = std::clamp(beginNs, m_full.beginNs, m_full.endNs - length);
  const TimeRange view{begin, begin + length};
  if (view == m_view) return;
  m_view = view;
  emit viewChanged();
}

void TimeWindow::zoomAt(double ns, double factor) {
  if (!(factor > 0)) return;
  const double length =
      std::clamp(m_view.lengthNs() / factor, std::min(kShortestNs, m_full.lengthNs()), m_full.lengthNs());
  const double share = (ns - m_view.beginNs) / m_view.lengthNs();
  show(ns - share * length, ns - share * length + length);
}

void TimeWindow::panBy(double ns) {
  show(m_view.beginNs + ns, m_view.endNs + ns);
}

void TimeWindow::setRange(std::optional<TimeRange> range) {
  if (range) {
    if (range->endNs < range->beginNs) std::swap(range->beginNs, range->endNs);
    range->beginNs = std::max(range->beginNs, m_full.beginNs);
    range->endNs = std::min(range->endNs, m_full.endNs);
    if (!(range->lengthNs() > 0)) range.reset();
  }
  if (range == m_range) return;
  m_range = range;
  emit rangeChanged();
}

void TimeWindow::setPlay(std::optional<TimeRange> step) {
  if (step == m_play) return;
  m_play = step;
  emit playChanged();
}

void TimeWindow::setMarks(std::vector<double> marks) {
  if (marks == m_marks) return;
  m_marks = std::move(marks);
  emit playChanged();
}

// A mark within a pixel or so of another one takes it off.
void TimeWindow::toggleMark(double ns) {
  if (m_linked) return emit markRequested(ns);
  const double near = m_view.lengthNs() / 300;
  std::vector<double> marks = m_marks;
  const auto same = std::find_if(marks.begin(), marks.end(), [&](double mark) { return std::abs(mark - ns) < near; });
  if (same != marks.end()) {
    marks.erase(same);
  } else {
    marks.insert(std::upper_bound(marks.begin(), marks.end(), ns), ns);
  }
  setMarks(std::move(marks));
}

void TimeWindow::setHover(std::optional<double> ns) {
  if (ns == m_hover) return;
  m_hover = ns;
  emit hoverChanged();
}

}  // namespace cutaway::ui
