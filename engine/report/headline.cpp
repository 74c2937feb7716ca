#include <algorithm>
#include <set>

#include "engine/base/format.h"
#include "engine/report/walk_report.h"

namespace cutaway {

namespace {

std::string counted(int64_t count, const char* singular, const char* plural) {
  return fmt::format("{} {}", formatCount(count), count == 1 ? singular : plural);
}

std::string loadHeadline(const LoadReport& load) {
  return fmt::format("{}, {}", counted(load.nodeCount, "node", "nodes"),
                     formatBytes(load.initializerBytes > 0 ? load.initializerBytes : load.fileBytes));
}

std::string resolveHeadline(const WalkReport& walk) {
  if (!walk.loadedGraphs || walk.loadedGraphs->graphs.empty()) return {};
  const GraphReport& main = walk.loadedGraphs->graphs.front();
  const auto required = std::count_if(main.inputs.begin(), main.inputs.end(), [&](int32_t input) {
    return !main.values[static_cast<size_t>(input)].isInitializer;
  });
  return fmt::format("{}, {}", counted(required, "input", "inputs"),
                     counted(static_cast<int64_t>(main.outputs.size()), "output", "outputs"));
}

std::string optimizeHeadline(const OptimizeReport& report) {
  return fmt::format("{} -> {} nodes", formatCount(report.nodesBefore), formatCount(report.nodesAfter));
}

// optimizedNodes: that the stage before left.
std::string partitionHeadline(const PartitionReport& report, int64_t optimizedNodes) {
  std::set<std::string> used;
  for (const NodePlacement& node : report.nodes) {
    if (!node.provider.empty()) used.insert(node.provider);
  }
  std::string text = fmt::format("{}, {}", counted(static_cast<int64_t>(used.size()), "provider", "providers"),
                                 counted(static_cast<int64_t>(report.groups.size()), "group", "groups"));
  if (report.unassignedNodes > 0) text += fmt::format(", {} unassigned", formatCount(report.unassignedNodes));
  // Functions that were inlined and Transposes for another layout: said, so that the stages' counts agree.
  if (const auto asked = static_cast<int64_t>(report.nodes.size()); asked != optimizedNodes)
    text += fmt::format(", {}", counted(asked, "node", "nodes"));
  return text;
}

std::string scheduleHeadline(const ScheduleReport& report) {
  if (report.graphs.empty()) return {};
  const GraphSchedule& main = report.graphs.front();
  return fmt::format("{}, path {}", counted(static_cast<int64_t>(main.steps.size()), "step", "steps"),
                     formatCount(static_cast<int64_t>(main.criticalPath.size())));
}

std::string allocateHeadline(const AllocateReport& report) {
  return fmt::format("{} new, {} reused", formatCount(report.allocated), formatCount(report.reused));
}

std::string patternHeadline(const PatternReport& report) {
  if (!report.eligible) return report.peakBytes > 0 ? "arena " + formatBytes(report.peakBytes) : "not planned";
  // Nothing has a size yet: a peak of 0 would read as a result.
  const bool open = std::any_of(report.graphs.begin(), report.graphs.end(),
                                [](const GraphPattern& graph) { return !graph.unplanned.empty(); });
  if (report.peakBytes == 0 && open) return "sizes open";
  // The ribbon's cells are narrow: the bound is said only where the peak is above it, its unit only where it is another
  // one.
  const std::string peak = formatBytes(report.peakBytes);
  if (open) return fmt::format(">= {}, sizes open", peak);
  std::string bound = formatBytes(report.lowerBoundBytes);
  if (report.peakBytes <= report.lowerBoundBytes) return fmt::format("{}, at bound", peak);
  const size_t unit = peak.find(' ');
  if (unit != std::string::npos && bound.ends_with(peak.substr(unit)))
    bound.resize(bound.size() - (peak.size() - unit));
  return fmt::format("{}, bound {}", peak, bound);
}

std::string runHeadline(const RunReport& report) {
  return fmt::format("median {}", formatTime(static_cast<int64_t>(report.medianMs * 1e6)));
}

// What was written; else what the model brings; else what could be kept.
std::string contextHeadline(const ContextReport& report) {
  if (!report.written.empty()) {
    int64_t bytes = 0;
    for (const ContextFile& file : report.written.front().files)
      bytes += file.sizeBytes;
    return report.written.front().files.empty() ? "nothing written" : fmt::format("written: {}", formatBytes(bytes));
  }
  if (!report.nodes.empty()) return counted(static_cast<int64_t>(report.nodes.size()), "context node", "context nodes");
  const auto kept = std::count_if(report.groups.begin(), report.groups.end(),
                                  [](const ContextGroup& group) { return group.canSave; });
  return kept == 0 ? "nothing to keep" : fmt::format("{} can be kept", counted(kept, "group", "groups"));
}

}  // namespace

std::string stageHeadline(const WalkReport& walk, Stage stage) {
  switch (stage) {
    case Stage::kLoad:
      return walk.load ? loadHeadline(*walk.load) : "";
    case Stage::kResolve:
      return walk.resolve ? resolveHeadline(walk) : "";
    case Stage::kOptimize:
      return walk.optimize ? optimizeHeadline(*walk.optimize) : "";
    case Stage::kPartition:
      return walk.partition ? partitionHeadline(*walk.partition,
                                                walk.optimize ? walk.optimize->nodesAfter
                                                              : static_cast<int64_t>(walk.partition->nodes.size()))
                            : "";
    case Stage::kSchedule:
      return walk.schedule ? scheduleHeadline(*walk.schedule) : "";
    case Stage::kAllocate:
      return walk.allocate ? allocateHeadline(*walk.allocate) : "";
    case Stage::kPattern:
      return walk.pattern ? patternHeadline(*walk.pattern) : "";
    case Stage::kRun:
      return walk.run ? runHeadline(*walk.run) : "";
    case Stage::kContext:
      return walk.context ? contextHeadline(*walk.context) : "";
  }
  return {};
}

std::string patternCacheText(const PatternCacheStatistics& cache) {
  if (cache.hits + cache.misses == 0) return {};
  return fmt::format("{}, {}, {}, {} held", counted(cache.hits, "hit", "hits"), counted(cache.misses, "miss", "misses"),
                     counted(cache.evictions, "eviction", "evictions"), formatCount(cache.entries));
}

}  // namespace cutaway
