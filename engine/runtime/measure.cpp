// Repeated runs: percentiles, node times over all runs, planned against measured memory.

#include <sys/resource.h>

#include <algorithm>
#include <map>

#include "engine/base/clock.h"
#include "engine/base/parallel.h"
#include "engine/runtime/session.h"
#include "engine/runtime/tensor_summary.h"

namespace cutaway {
namespace {

// Nearest rank with linear interpolation between neighbours.
double percentile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - static_cast<double>(below));
}

int64_t peakResidentBytes() {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? int64_t{usage.ru_maxrss} * 1024 : 0;
}

class NodeTimes {
 public:
  void add(std::vector<NodeTiming> timings) {
    ++m_runs;
    for (NodeTiming& timing : timings) {
      const auto key = std::make_pair(timing.graph, timing.step);
      const auto found = m_indexes.find(key);
      if (found == m_indexes.end()) {
        m_indexes.emplace(key, m_nodes.size());
        m_nodes.push_back(std::move(timing));
        continue;
      }
      NodeTiming& known = m_nodes[found->second];
      known.startNs = timing.startNs;
      known.totalNs += timing.totalNs;
      known.calls += timing.calls;
      known.minNs = std::min(known.minNs, timing.minNs);
      known.maxNs = std::max(known.maxNs, timing.maxNs);
    }
  }
  std::vector<NodeTiming> means() {
    for (NodeTiming& node : m_nodes) {
      node.totalNs /= std::max<int64_t>(1, m_runs);
      node.calls = std::max<int64_t>(1, node.calls / std::max<int64_t>(1, m_runs));
    }
    return std::move(m_nodes);
  }

 private:
  int64_t m_runs = 0;
  std::map<std::pair<int32_t, int32_t>, size_t> m_indexes;
  std::vector<NodeTiming> m_nodes;
};

void fillFigures(RunReport& report) {
  std::vector<double> sorted = report.runMs;
  std::sort(sorted.begin(), sorted.end());
  report.runs = static_cast<int64_t>(sorted.size());
  if (sorted.empty()) return;
  report.minMs = sorted.front();
  report.maxMs = sorted.back();
  report.medianMs = percentile(sorted, 0.5);
  report.p90Ms = percentile(sorted, 0.9);
  report.p99Ms = percentile(sorted, 0.99);
  double sum = 0;
  for (double each : sorted) sum += each;
  report.meanMs = sum / static_cast<double>(sorted.size());
}

}  // namespace

Result<RunReport> measure(Session& session, const std::vector<Feed>& feeds, const BenchmarkOptions& options, const CancelToken& cancel) {
  RunReport report;
  report.warmups = options.warmups;
  report.profiled = options.profile;
  report.threads = session.threads();
  for (const Feed& feed : feeds) report.inputs.push_back(summarize(feed.name, feed.value));
  RunOptions runOptions;
  runOptions.cancel = cancel;
  bool first = true;
  const auto runOnce = [&]() -> Result<RunResult> {
    const Stopwatch watch;
    CUTAWAY_TRY(RunResult result, session.run(feeds, runOptions));
    result.timeNs = watch.elapsedNs();
    if (first) report.firstRunMs = static_cast<double>(result.timeNs) * 1e-6;
    first = false;
    return result;
  };
  for (int i = 0; i < options.warmups; ++i) CUTAWAY_CHECK(runOnce().map([](const RunResult&) {}));
  runOptions.profile = options.profile;
  NodeTimes nodes;
  const Stopwatch total;
  for (int i = 0;; ++i) {
    const bool enough = options.seconds > 0 ? i > 0 && static_cast<double>(total.elapsedNs()) * 1e-9 >= options.seconds : i >= std::max(1, options.runs);
    if (enough) break;
    CUTAWAY_TRY(RunResult result, runOnce());
    report.runMs.push_back(static_cast<double>(result.timeNs) * 1e-6);
    if (options.profile) nodes.add(std::move(result.timings));
    if (i > 0) continue;
    for (const Feed& output : result.outputs) report.outputs.push_back(summarize(output.name, output.value));
  }
  fillFigures(report);
  if (options.profile) report.nodes = nodes.means();
  const auto walk = session.report();
  report.plannedPeakBytes = session.plannedPeakBytes();
  report.lowerBoundBytes = session.lowerBoundBytes();
  if (walk->allocate) report.weightsBytes = walk->allocate->weightsBytes;
  report.measuredPeakBytes = session.measuredPeakBytes();
  report.peakRssBytes = peakResidentBytes();
  return report;
}

std::shared_ptr<const WalkReport> withRun(const WalkReport& walk, RunReport run) {
  auto snapshot = std::make_shared<WalkReport>(walk);
  StageStatus& status = snapshot->stages[static_cast<size_t>(Stage::kRun)];
  status.state = StageState::kDone;
  status.timeNs = static_cast<int64_t>(run.medianMs * 1e6);
  snapshot->run = std::make_shared<const RunReport>(std::move(run));
  return snapshot;
}

}  // namespace cutaway
