#include "engine/report/headline.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/format.h"

namespace cutaway {

namespace {

using Parts = std::vector<HeadlinePart>;

std::string counted(int64_t count, const char* singular, const char* plural) {
  return fmt::format("{} {}", formatCount(count), count == 1 ? singular : plural);
}

HeadlinePart countPart(int64_t count, const char* singular, const char* plural) {
  return {count == 1 ? singular : plural, {formatCount(count)}};
}

Parts loadHeadline(const LoadReport& load) {
  return {countPart(load.nodeCount, "%1 node", "%1 nodes"),
          {"%1", {formatBytes(load.initializerBytes > 0 ? load.initializerBytes : load.fileBytes)}}};
}

Parts resolveHeadline(const WalkReport& walk) {
  if (!walk.loadedGraphs || walk.loadedGraphs->graphs.empty()) return {};
  const GraphReport& main = walk.loadedGraphs->graphs.front();
  const auto required = std::count_if(main.inputs.begin(), main.inputs.end(), [&](int32_t input) {
    return !main.values[static_cast<size_t>(input)].isInitializer;
  });
  return {countPart(required, "%1 input", "%1 inputs"),
          countPart(static_cast<int64_t>(main.outputs.size()), "%1 output", "%1 outputs")};
}

Parts optimizeHeadline(const OptimizeReport& report) {
  return {{"%1 -> %2 nodes", {formatCount(report.nodesBefore), formatCount(report.nodesAfter)}}};
}

// optimizedNodes: that the stage before left.
Parts partitionHeadline(const PartitionReport& report, int64_t optimizedNodes) {
  std::set<std::string> used;
  for (const NodePlacement& node : report.nodes) {
    if (!node.provider.empty()) used.insert(node.provider);
  }
  Parts parts = {countPart(static_cast<int64_t>(used.size()), "%1 provider", "%1 providers"),
                 countPart(static_cast<int64_t>(report.groups.size()), "%1 group", "%1 groups")};
  if (report.unassignedNodes > 0) parts.push_back({"%1 unassigned", {formatCount(report.unassignedNodes)}});
  // Functions that were inlined and Transposes for another layout: said, so that the stages' counts agree.
  if (const auto asked = static_cast<int64_t>(report.nodes.size()); asked != optimizedNodes)
    parts.push_back(countPart(asked, "%1 node", "%1 nodes"));
  return parts;
}

Parts scheduleHeadline(const ScheduleReport& report) {
  if (report.graphs.empty()) return {};
  const GraphSchedule& main = report.graphs.front();
  return {countPart(static_cast<int64_t>(main.steps.size()), "%1 step", "%1 steps"),
          {"path %1", {formatCount(static_cast<int64_t>(main.criticalPath.size()))}}};
}

Parts allocateHeadline(const AllocateReport& report) {
  return {{"%1 new", {formatCount(report.allocated)}}, {"%1 reused", {formatCount(report.reused)}}};
}

Parts patternHeadline(const PatternReport& report) {
  if (!report.eligible)
    return report.peakBytes > 0 ? Parts{{"arena %1", {formatBytes(report.peakBytes)}}} : Parts{{"not planned", {}}};
  // Nothing has a size yet: a peak of 0 would read as a result.
  const bool open = std::any_of(report.graphs.begin(), report.graphs.end(),
                                [](const GraphPattern& graph) { return !graph.unplanned.empty(); });
  if (report.peakBytes == 0 && open) return {{"unknown (dynamic shapes)", {}}};
  // The ribbon's cells are narrow: the bound is said only where the peak is above it, its unit only where it is another
  // one.
  const std::string peak = formatBytes(report.peakBytes);
  if (open) return {{">= %1", {peak}}, {"dynamic shapes", {}}};
  std::string bound = formatBytes(report.lowerBoundBytes);
  if (report.peakBytes <= report.lowerBoundBytes) return {{"%1", {peak}}, {"at bound", {}}};
  const size_t unit = peak.find(' ');
  if (unit != std::string::npos && bound.ends_with(peak.substr(unit)))
    bound.resize(bound.size() - (peak.size() - unit));
  return {{"%1", {peak}}, {"bound %1", {bound}}};
}

Parts runHeadline(const RunReport& report) {
  return {{"median %1", {formatTime(static_cast<int64_t>(report.medianMs * 1e6))}}};
}

// What was written; else what the model brings; else what could be kept.
Parts contextHeadline(const ContextReport& report) {
  if (!report.written.empty()) {
    int64_t bytes = 0;
    for (const ContextFile& file : report.written.front().files)
      bytes += file.sizeBytes;
    return report.written.front().files.empty() ? Parts{{"nothing written", {}}}
                                                : Parts{{"written: %1", {formatBytes(bytes)}}};
  }
  if (!report.nodes.empty())
    return {countPart(static_cast<int64_t>(report.nodes.size()), "%1 context node", "%1 context nodes")};
  const auto kept = std::count_if(report.groups.begin(), report.groups.end(),
                                  [](const ContextGroup& group) { return group.canSave; });
  return kept == 0 ? Parts{{"nothing to keep", {}}}
                   : Parts{countPart(kept, "%1 group can be kept", "%1 groups can be kept")};
}

std::string filledIn(const HeadlinePart& part) {
  std::string words = part.phrase;
  for (size_t i = part.figures.size(); i > 0; --i)
    if (const size_t at = words.find(fmt::format("%{}", i)); at != std::string::npos)
      words.replace(at, 2, part.figures[i - 1]);
  return words;
}

}  // namespace

std::vector<HeadlinePart> stageHeadlineParts(const WalkReport& walk, Stage stage) {
  switch (stage) {
    case Stage::kLoad:
      return walk.load ? loadHeadline(*walk.load) : Parts();
    case Stage::kResolve:
      return walk.resolve ? resolveHeadline(walk) : Parts();
    case Stage::kOptimize:
      return walk.optimize ? optimizeHeadline(*walk.optimize) : Parts();
    case Stage::kPartition:
      return walk.partition ? partitionHeadline(*walk.partition,
                                                walk.optimize ? walk.optimize->nodesAfter
                                                              : static_cast<int64_t>(walk.partition->nodes.size()))
                            : Parts();
    case Stage::kSchedule:
      return walk.schedule ? scheduleHeadline(*walk.schedule) : Parts();
    case Stage::kAllocate:
      return walk.allocate ? allocateHeadline(*walk.allocate) : Parts();
    case Stage::kPattern:
      return walk.pattern ? patternHeadline(*walk.pattern) : Parts();
    case Stage::kRun:
      return walk.run ? runHeadline(*walk.run) : Parts();
    case Stage::kContext:
      return walk.context ? contextHeadline(*walk.context) : Parts();
  }
  return {};
}

std::string stageHeadline(const WalkReport& walk, Stage stage) {
  std::vector<std::string> words;
  for (const HeadlinePart& part : stageHeadlineParts(walk, stage))
    words.push_back(filledIn(part));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string patternCacheText(const PatternCacheStatistics& cache) {
  if (cache.hits + cache.misses == 0) return {};
  return fmt::format("{}, {}, {}, {} held", counted(cache.hits, "hit", "hits"), counted(cache.misses, "miss", "misses"),
                     counted(cache.evictions, "eviction", "evictions"), formatCount(cache.entries));
}

}  // namespace cutaway
