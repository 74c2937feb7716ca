#include "engine/profile/node_times.h"

#include <algorithm>
#include <cmath>

#include "engine/profile/statistics.h"

namespace cutaway::profile {
namespace {

constexpr int64_t kMostTotals = 1023, kLeastTotals = 31;  // of a node
constexpr int64_t kMostTotalsOfAll = int64_t{1} << 21;    // 16 MB

}  // namespace

void NodeTimes::addRun(Series& series, double totalNs) const {
  if (series.runs % m_stride == 0) series.totals.push_back(totalNs);
  ++series.runs;
  const double distance = totalNs - series.mean;
  series.mean += distance / static_cast<double>(series.runs);
  series.squares += distance * (totalNs - series.mean);
}

// Every second of the kept totals goes; those of runs 0, 2 * stride, 4 * stride ... stay.
void NodeTimes::thin() {
  m_stride *= 2;
  for (Series& series : m_series) {
    size_t kept = 0;
    for (size_t i = 0; i < series.totals.size(); i += 2)
      series.totals[kept++] = series.totals[i];
    series.totals.resize(kept);
  }
}

void NodeTimes::add(std::vector<NodeTiming> timings) {
  const int64_t most =
      std::clamp(kMostTotalsOfAll / std::max<int64_t>(1, std::ssize(m_series)), kLeastTotals, kMostTotals);
  if (m_runs / m_stride >= most) thin();
  ++m_runs;
  for (NodeTiming& timing : timings) {
    const int64_t key = (int64_t{timing.graph} << 32) | static_cast<uint32_t>(timing.step);
    const auto [found, isNew] = m_places.try_emplace(key, m_series.size());
    if (isNew) m_series.emplace_back();
    merge(m_series[found->second], std::move(timing));
  }
}

void NodeTimes::merge(Series& series, NodeTiming timing) {
  while (series.runs < m_runs - 1)
    addRun(series, 0);
  addRun(series, static_cast<double>(timing.totalNs));
  series.calls += timing.calls;
  if (series.runs > 1 && series.node.calls > 0) {
    timing.minNs = std::min(timing.minNs, series.node.minNs);
    timing.maxNs = std::max(timing.maxNs, series.node.maxNs);
    timing.scratchBytes = std::max(timing.scratchBytes, series.node.scratchBytes);
    timing.allocatedBytes = std::max(timing.allocatedBytes, series.node.allocatedBytes);
    for (const SubStepTiming& part : series.node.subSteps) {
      const auto same = std::ranges::find(timing.subSteps, part.name, &SubStepTiming::name);
      if (same == timing.subSteps.end()) {
        timing.subSteps.push_back(part);
      } else {
        same->totalNs += part.totalNs;
        same->calls += part.calls;
      }
    }
  }
  series.node = std::move(timing);
}

std::vector<NodeTiming> NodeTimes::medians() {
  std::vector<NodeTiming> nodes;
  for (Series& series : m_series) {
    while (series.runs < m_runs)
      addRun(series, 0);
    NodeTiming& node = series.node;
    std::ranges::sort(series.totals);
    node.totalNs = std::llround(percentile(series.totals, 0.5));
    const double partsShare = series.mean > 0 ? static_cast<double>(node.totalNs) / series.mean : 0;
    node.deviationNs = m_runs > 1 ? std::sqrt(series.squares / static_cast<double>(m_runs - 1)) : 0;
    node.calls = std::max<int64_t>(1, series.calls / std::max<int64_t>(1, m_runs));
    for (SubStepTiming& part : node.subSteps) {
      part.totalNs = std::llround(static_cast<double>(part.totalNs) / static_cast<double>(m_runs) * partsShare);
      part.calls = std::max<int64_t>(1, part.calls / m_runs);
    }
    nodes.push_back(std::move(node));
  }
  std::ranges::stable_sort(nodes, [](const NodeTiming& a, const NodeTiming& b) {
    return a.graph != b.graph ? a.graph < b.graph : a.step < b.step;
  });
  return nodes;
}

void fillRunFigures(RunReport& report) {
  const Statistics times = statisticsOf(report.runMs);
  report.runs = times.count;
  if (times.count == 0) return;
  report.minMs = times.minimum;
  report.maxMs = times.maximum;
  report.medianMs = times.median;
  report.p90Ms = times.p90;
  report.p99Ms = times.p99;
  report.meanMs = times.mean;
  report.deviationMs = times.deviation;
  report.medianLowMs = times.medianInterval.low;
  report.medianHighMs = times.medianInterval.high;
}

}  // namespace cutaway::profile
