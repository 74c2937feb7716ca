// Repeated runs: percentiles, node times over all runs, planned against measured memory.

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>

#include <sys/resource.h>

#include "engine/base/clock.h"
#include "engine/profile/node_times.h"
#include "engine/profile/statistics.h"
#include "engine/profile/tensor_summary.h"
#include "engine/session/session.h"

namespace cutaway::session {
namespace {

int64_t peakResidentBytes() {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? int64_t{usage.ru_maxrss} * 1024 : 0;
}

// Operations of groups that a provider compiled: their operator says nothing, what lies in them does.
void fillGroupFlops(const WalkReport& walk, std::vector<NodeTiming>& nodes) {
  if (!walk.partition || !walk.partitionedGraphs) return;
  std::unordered_map<std::string_view, int64_t> flops;
  for (const auto& group : walk.partition->groups) {
    if (group.compiled) flops.emplace(group.name, group.flops);
  }
  for (NodeTiming& node : nodes) {
    if (node.flops >= 0) continue;
    const auto found = flops.find(
        walk.partitionedGraphs->graphs[static_cast<size_t>(node.graph)].nodes[static_cast<size_t>(node.node)].name);
    if (found != flops.end()) node.flops = found->second;
  }
}

// Samples and measured peaks are those of the fastest profiled run, the rest is the session's.
void addDevices(RunReport& report, execute::DeviceFigures figures) {
  for (DeviceMemoryReport& each : figures.memory) {
    const auto measured = std::ranges::find(report.deviceMemory, each.device, &DeviceMemoryReport::device);
    if (measured == report.deviceMemory.end()) continue;
    each.samples = std::move(measured->samples);
    each.measuredPeakBytes = measured->measuredPeakBytes;
    each.scratchBytes = std::max(each.scratchBytes, measured->scratchBytes);
  }
  report.deviceMemory = std::move(figures.memory);
  report.capturedSegments = std::move(figures.capturedSegments);
  report.segmentBreaks = std::move(figures.segmentBreaks);
}

}  // namespace

Result<RunReport> measure(Session& session, const std::vector<execute::Feed>& feeds, const BenchmarkOptions& options,
                          const CancelToken& cancel) {
  RunReport report;
  report.warmups = options.warmups;
  report.profiled = options.profile;
  report.threads = session.threads();
  for (const execute::Feed& feed : feeds)
    report.inputs.push_back(profile::summarize(feed.name, feed.value));
  execute::RunOptions runOptions;
  runOptions.cancel = cancel;
  bool first = true;
  const auto runOnce = [&]() -> Result<execute::RunResult> {
    const Stopwatch watch;
    CUTAWAY_TRY(execute::RunResult result, session.run(feeds, runOptions));
    // The first run makes the frame, which its own time leaves out.
    if (first) report.firstRunMs = static_cast<double>(watch.elapsedNs()) * 1e-6;
    first = false;
    return result;
  };
  for (int i = 0; i < options.warmups; ++i)
    CUTAWAY_CHECK(runOnce().map([](const execute::RunResult&) {}));
  runOptions.profile = options.profile;
  profile::NodeTimes nodes;
  std::vector<double> engineNs;
  double fastestMs = std::numeric_limits<double>::infinity();
  const Stopwatch total;
  for (int i = 0;; ++i) {
    const bool enough = options.seconds > 0 ? i > 0 && static_cast<double>(total.elapsedNs()) * 1e-9 >= options.seconds
                                            : i >= std::max(1, options.runs);
    if (enough) break;
    CUTAWAY_TRY(execute::RunResult result, runOnce());
    report.runMs.push_back(static_cast<double>(result.timeNs) * 1e-6);
    if (options.profile) {
      nodes.add(std::move(result.timings));
      engineNs.push_back(result.engineNsPerNode);
      // What is of one run is of the fastest: the least disturbed.
      if (report.runMs.back() >= fastestMs) continue;
      fastestMs = report.runMs.back();
      report.spans = std::move(result.spans);
      report.memory = std::move(result.memory);
      report.droppedSpans = result.droppedSpans;
      report.deviceLanes = std::move(result.deviceLanes);
      report.deviceMemory = std::move(result.deviceMemory);
    }
    if (i > 0) continue;
    for (const execute::Feed& output : result.outputs)
      report.outputs.push_back(profile::summarize(output.name, output.value));
  }
  profile::fillRunFigures(report);
  const auto walk = session.report();
  if (options.profile) {
    report.nodes = nodes.medians();
    fillGroupFlops(*walk, report.nodes);
    report.engineNsPerNode = profile::statisticsOf(engineNs).median;
  }
  report.workers = session.workers();
  report.executor = report.workers > 1 ? "dataflow" : "sequential";
  report.executorReason = session.executorReason();
  addDevices(report, session.devices());
  report.breakdown = session.memory();
  report.arena = session.arena();
  report.patternCache = session.patternCache();
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

}  // namespace cutaway::session
