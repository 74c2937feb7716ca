// A foreign trace laid on the graph of a walk: events to runs and nodes, then the same report as of a run of ours.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "engine/profile/device_figures.h"
#include "engine/profile/node_times.h"
#include "engine/profile/profiles.h"
#include "engine/profile/statistics.h"
#include "engine/profile/trace_events.h"
#include "engine/profile/trace_nodes.h"

namespace cutaway::profile {
namespace {

constexpr size_t kMostSpans = 200'000;
constexpr size_t kMostNamed = 12;  // unmatched events that are named

struct Run {
  double startUs = 0;
  double endUs = 0;
  int64_t thread = 0;
};

int64_t nanoseconds(double microseconds) {
  return static_cast<int64_t>(std::llround(microseconds * 1000));
}

class TraceReader {
 public:
  TraceReader(const TraceFile& trace, const WalkReport& walk)
      : m_trace(trace), m_walk(walk), m_nodes(walk), m_flops(flopsByName(walk)) {}

  Result<RunReport> read(const std::string& file) {
    findRuns();
    if (m_runs.empty())
      return fail(atFile(Error{ErrorCode::kInvalidArgument,
                               fmt::format("this trace has no event of a node (category \"Node\") among its {}: was it "
                                           "written by onnxruntime or Cutaway?",
                                           m_trace.read),
                               {}},
                         file));
    sortIntoRuns();
    RunReport report;
    report.source = file;
    report.executor = m_trace.tool.empty() ? "as traced" : m_trace.tool;
    report.profiled = true;
    std::set<int64_t> threads;
    NodeTimes times;
    for (size_t run = 0; run < m_runs.size(); ++run) {
      report.runMs.push_back((m_runs[run].endUs - m_runs[run].startUs) / 1000);
      times.add(nodesOf(run, threads));
    }
    report.nodes = times.medians();
    fillRunFigures(report);
    report.firstRunMs = report.runMs.front();
    if (m_trace.averagedRuns > 0) report.runs = m_trace.averagedRuns;
    report.threads = static_cast<int32_t>(std::max<size_t>(1, threads.size()));
    fillTimeline(report);
    report.executorReason = summary();
    return report;
  }

 private:
  static std::map<std::string_view, int64_t> flopsByName(const WalkReport& walk) {
    std::map<std::string_view, int64_t> flops;
    if (!walk.partition || !walk.optimizedGraphs) return flops;
    for (const NodePlacement& placement : walk.partition->nodes) {
      if (placement.graph < 0 || static_cast<size_t>(placement.graph) >= walk.optimizedGraphs->graphs.size()) continue;
      const std::vector<NodeReport>& nodes = walk.optimizedGraphs->graphs[static_cast<size_t>(placement.graph)].nodes;
      if (placement.flops >= 0 && static_cast<size_t>(placement.node) < nodes.size())
        flops.emplace(nodes[static_cast<size_t>(placement.node)].name, placement.flops);
    }
    return flops;
  }

  static bool isNode(const TraceEvent& event) {
    return event.category == "Node" && !TraceNodes::nodeName(event.name).empty();
  }

  // The file's own runs; without any, all node events are one.
  void findRuns() {
    Run all{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest(), -1};
    bool anyNode = false;
    for (const TraceEvent& event : m_trace.events) {
      if (event.category == "Session" && event.name == "model_run")
        m_runs.push_back({event.startUs, event.startUs + event.durationUs, event.thread});
      if (!isNode(event)) continue;
      anyNode = true;
      all.startUs = std::min(all.startUs, event.startUs);
      all.endUs = std::max(all.endUs, event.startUs + event.durationUs);
    }
    if (!anyNode) m_runs.clear();
    if (anyNode && m_runs.empty()) m_runs.push_back(all);
    std::ranges::stable_sort(m_runs, {}, &Run::startUs);
  }

  // The latest run around the event, one on the same thread first: several may overlap.
  int64_t runOf(const TraceEvent& event) const {
    constexpr int64_t kFarthest = 64;
    auto at = std::ranges::upper_bound(m_runs, event.startUs, {}, &Run::startUs) - m_runs.begin();
    int64_t found = -1;
    for (int64_t steps = 0; at > 0 && steps < kFarthest; ++steps) {
      const Run& run = m_runs[static_cast<size_t>(--at)];
      if (event.startUs > run.endUs) continue;
      if (run.thread == event.thread) return at;
      if (found < 0) found = at;
    }
    return found;
  }

  void sortIntoRuns() {
    m_eventsOfRun.resize(m_runs.size());
    for (size_t i = 0; i < m_trace.events.size(); ++i) {
      const TraceEvent& event = m_trace.events[i];
      if (event.category == "Session" && event.name != "SequentialExecutor::Execute" && event.name != "model_run")
        continue;
      const int64_t run = runOf(event);
      if (run >= 0) m_eventsOfRun[static_cast<size_t>(run)].push_back(i);
      if (run < 0 && isNode(event)) ++m_outside;
    }
    for (std::vector<size_t>& events : m_eventsOfRun) {
      std::ranges::stable_sort(events, [&](size_t a, size_t b) {
        const TraceEvent& left = m_trace.events[a];
        const TraceEvent& right = m_trace.events[b];
        return left.startUs != right.startUs ? left.startUs < right.startUs : left.durationUs > right.durationUs;
      });
    }
  }

  std::vector<NodeTiming> nodesOf(size_t run, std::set<int64_t>& threads) {
    std::vector<NodeTiming> nodes;
    std::map<std::pair<int32_t, int32_t>, size_t> places;
    m_peakBytes = -1;
    for (const size_t index : m_eventsOfRun[run]) {
      const TraceEvent& event = m_trace.events[index];
      if (event.category == "Kernel" && !event.partOf.empty()) addPart(event, nodes, places);
      if (!isNode(event)) continue;
      threads.insert(event.thread);
      ++m_events;
      const TraceNodes::Place place = m_nodes.find(event);
      if (place.node == kNone) {
        ++m_unmatched;
        ++m_unmatchedNames[std::string(TraceNodes::nodeName(event.name)) + " (" +
                           (event.opType.empty() ? "?" : event.opType) + ")"];
        continue;
      }
      const auto [found, isNew] = places.try_emplace({place.graph, place.node}, nodes.size());
      if (isNew) nodes.emplace_back();
      addCall(event, place, m_runs[run], nodes[found->second]);
    }
    return nodes;
  }

  void addCall(const TraceEvent& event, TraceNodes::Place place, const Run& run, NodeTiming& to) {
    const int64_t timeNs = nanoseconds(event.durationUs);
    if (to.calls == 0) {
      to.graph = place.graph;
      to.node = place.node;
      to.step = m_nodes.stepOf(place);
      to.startNs = nanoseconds(event.startUs - run.startUs);
      to.thread = laneOf(event.thread);
      to.variant = event.variant;
      to.provider = event.provider;
      to.minNs = timeNs;
      const auto flops = m_flops.find(
          m_nodes.graphs()->graphs[static_cast<size_t>(place.graph)].nodes[static_cast<size_t>(place.node)].name);
      if (place.exact && flops != m_flops.end()) to.flops = flops->second;
      to.inputShapes = event.inputShapes;
      to.inputBytes = std::max<int64_t>(0, event.activationBytes) + std::max<int64_t>(0, event.parameterBytes);
    }
    ++to.calls;
    to.totalNs += timeNs;
    to.minNs = std::min(to.minNs, timeNs);
    to.maxNs = std::max(to.maxNs, timeNs);
    to.outputShapes = event.outputShapes;  // of the last, where several were made one here
    to.outputBytes = std::max<int64_t>(0, event.outputBytes);
    to.scratchBytes = std::max({int64_t{0}, to.scratchBytes, event.scratchBytes, temporaryBytes(event)});
    to.allocatedBytes = std::max({int64_t{0}, to.allocatedBytes, event.inUseDeltaBytes});
  }

  // What a node took from the arena and gave back before it ended: seen only where it raised the arena's peak.
  int64_t temporaryBytes(const TraceEvent& event) {
    const int64_t before = std::exchange(m_peakBytes, std::max(m_peakBytes, event.inUsePeakBytes));
    if (before < 0 || event.inUsePeakBytes <= before || event.inUseBytes < 0) return 0;
    return std::max<int64_t>(0, event.inUsePeakBytes - event.inUseBytes);
  }

  void addPart(const TraceEvent& event, std::vector<NodeTiming>& nodes,
               const std::map<std::pair<int32_t, int32_t>, size_t>& places) {
    TraceEvent outer = event;
    outer.name = event.partOf;
    const TraceNodes::Place place = m_nodes.find(outer);
    const auto found = places.find({place.graph, place.node});
    if (found == places.end()) return;
    std::vector<SubStepTiming>& parts = nodes[found->second].subSteps;
    auto part = std::ranges::find(parts, event.name, &SubStepTiming::name);
    if (part == parts.end() && parts.size() >= 64) return;
    if (part == parts.end()) part = parts.insert(part, {event.name, 0, 0});
    part->totalNs += nanoseconds(event.durationUs);
    ++part->calls;
  }

  int32_t laneOf(int64_t thread) {
    return m_lanes.try_emplace(thread, static_cast<int32_t>(m_lanes.size())).first->second;
  }

  // Spans and memory of the last run.
  void fillTimeline(RunReport& report) {
    const Run& run = m_runs.back();
    laneOf(run.thread >= 0 || m_eventsOfRun.back().empty() ? run.thread
                                                           : m_trace.events[m_eventsOfRun.back().front()].thread);
    std::map<int32_t, std::vector<double>> open;  // ends of what is open, by lane
    for (const size_t index : m_eventsOfRun.back()) {
      const TraceEvent& event = m_trace.events[index];
      if (report.spans.size() >= kMostSpans) {
        ++report.droppedSpans;
        continue;
      }
      TraceSpan& span = report.spans.emplace_back();
      span.category = event.category;
      span.thread = laneOf(event.thread);
      span.startNs = nanoseconds(event.startUs - run.startUs);
      span.durationNs = nanoseconds(event.durationUs);
      std::vector<double>& ends = open[span.thread];
      while (!ends.empty() && ends.back() <= event.startUs)
        ends.pop_back();
      span.depth = static_cast<int32_t>(ends.size());
      if (ends.size() < 1000) ends.push_back(event.startUs + event.durationUs);
      const TraceNodes::Place place = isNode(event) ? m_nodes.find(event) : TraceNodes::Place{};
      span.graph = place.graph;
      span.node = place.node;
      if (place.node == kNone) span.name = isNode(event) ? std::string(TraceNodes::nodeName(event.name)) : event.name;
      if (event.name == "model_run") report.tag = event.tag;
      if (place.node != kNone && place.graph == 0 && event.inUseBytes >= 0) addSample(event, place, run, report);
    }
    for (const MemorySample& sample : report.memory)
      report.measuredPeakBytes = std::max(report.measuredPeakBytes, sample.measuredBytes);
    report.measuredPeakBytes = std::max(report.measuredPeakBytes, raisedPeak());
    if (!m_walk.pattern) return;
    report.plannedPeakBytes = m_walk.pattern->peakBytes;
    report.lowerBoundBytes = m_walk.pattern->lowerBoundBytes;
  }

  // The arena's peak where the last run raised it, which may be inside a node; -1 else. Peaks only grow, and the first
  // node's may be older than the run.
  int64_t raisedPeak() const {
    int64_t first = -1;
    int64_t last = -1;
    for (const size_t index : m_eventsOfRun.back()) {
      const int64_t peak = m_trace.events[index].inUsePeakBytes;
      if (first < 0) first = peak;
      last = std::max(last, peak);
    }
    return last > first ? last : -1;
  }

  void addSample(const TraceEvent& event, TraceNodes::Place place, const Run& run, RunReport& report) const {
    MemorySample& sample = report.memory.emplace_back();
    sample.timeNs = nanoseconds(event.startUs + event.durationUs - run.startUs);
    sample.step = m_nodes.stepOf(place);
    sample.measuredBytes = event.inUseBytes;
    sample.heldBytes = std::max<int64_t>(0, event.heldBytes);
    if (!m_walk.pattern) return;
    for (const GraphPattern& pattern : m_walk.pattern->graphs) {
      if (pattern.graph == 0 && static_cast<size_t>(sample.step) < pattern.liveBytes.size())
        sample.plannedBytes += pattern.liveBytes[static_cast<size_t>(sample.step)];
    }
  }

  std::string summary() const {
    std::string text = m_trace.tool.empty() ? "" : fmt::format("measured by {}: ", m_trace.tool);
    text += fmt::format("{} events of nodes in {} {}", m_events, m_runs.size(), m_runs.size() == 1 ? "run" : "runs");
    if (m_trace.averagedRuns > 0) text += fmt::format(", medians or means of {}", m_trace.averagedRuns);
    if (m_unmatched > 0) {
      text += fmt::format("; {} found no node of this model: ", m_unmatched);
      size_t named = 0;
      for (const auto& [name, count] : m_unmatchedNames) {
        if (named == kMostNamed) break;
        text += fmt::format("{}{}", named++ > 0 ? ", " : "", name);
      }
      if (m_unmatchedNames.size() > named) text += fmt::format(" and {} more", m_unmatchedNames.size() - named);
    }
    if (m_outside > 0) text += fmt::format("; {} outside of any run are left out", m_outside);
    if (m_trace.leftOut > 0)
      text += fmt::format("; {} beyond the first {} are left out", m_trace.leftOut, TraceFile::kMostEvents);
    if (m_trace.truncated)
      text += fmt::format("; the file ends within event {}, what came before is used", m_trace.read);
    return text;
  }

  const TraceFile& m_trace;
  const WalkReport& m_walk;
  TraceNodes m_nodes;
  std::map<std::string_view, int64_t> m_flops;
  std::vector<Run> m_runs;
  std::vector<std::vector<size_t>> m_eventsOfRun;
  std::map<int64_t, int32_t> m_lanes;
  int64_t m_events = 0;
  int64_t m_unmatched = 0;
  int64_t m_outside = 0;
  int64_t m_peakBytes = -1;  // of the arena, up to the event in hand; -1 before a run's first
  std::map<std::string, int64_t> m_unmatchedNames;
};

}  // namespace

Result<RunReport> readTrace(std::string_view json, const std::string& file, const WalkReport& walk) {
  CUTAWAY_TRY(const std::optional<TraceFile> figures, readDeviceFigures(json, file));
  if (figures) return TraceReader(*figures, walk).read(file);
  CUTAWAY_TRY(const TraceFile trace, readTraceEvents(json, file));
  return TraceReader(trace, walk).read(file);
}

}  // namespace cutaway::profile
