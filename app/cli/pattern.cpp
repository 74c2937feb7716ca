// pattern: offsets, peak and lower bound, what was tried, and what the peak is made of.
#include <algorithm>

#include <CLI/CLI.hpp>

#include "app/cli/formulas.h"
#include "app/cli/output.h"
#include "app/cli/plan_verb.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"

namespace cutaway::cli {

namespace {

// What a block holds: a value, or the frames of a node's bodies.
std::string contentName(const GraphReport& graph, int32_t value, int32_t node) {
  return value != kNone ? valueName(graph, value) : fmt::format("(bodies of {})", nodeLabel(graph, node));
}

std::string ratioText(int64_t bytes, int64_t bound) {
  return bound > 0 ? fmt::format("{:.3f}", static_cast<double>(bytes) / static_cast<double>(bound)) : "1.000";
}

void printStrategies(const GraphPattern& pattern) {
  using Strategy = StrategyResult;
  const TableOf<Strategy> table(
      {{"strategy", &Strategy::name},
       {">peak", written(&Strategy::peakBytes, formatBytes)},
       {">of bound", [&](const Strategy& each) { return ratioText(each.peakBytes, pattern.lowerBoundBytes); }},
       {">time", written(&Strategy::timeNs, formatTime)},
       {"", [](const Strategy& each) { return each.chosen ? "chosen" : ""; }}},
      pattern.strategies);
  put("\nstrategies tried, until one reaches the lower bound\n");
  table.print();
}

void printPeak(const GraphReport& graph, const GraphPattern& pattern, const char* what) {
  const TableOf<PeakPart> table(
      {{"value", [&](const PeakPart& part) { return contentName(graph, part.value, part.producer); }},
       {">size", written(&PeakPart::sizeBytes, formatBytes)},
       {">would save", written(&PeakPart::savesBytes, formatBytes)},
       {"made by", [&](const PeakPart& part) { return nodeLabel(graph, part.producer); }},
       {"kept alive by", [&](const PeakPart& part) { return nodeLabel(graph, part.keptAliveBy); }},
       {">until step", written(&PeakPart::lastStep, formatCount)}},
      pattern.peak);
  put("\n{} at step {}\n", what, pattern.peakStep);
  table.print(20);
}

std::string livesText(const PatternBlock& block) {
  std::string text;
  for (size_t i = 0; i < block.starts.size(); ++i) {
    if (i == 3) return text + fmt::format(", ... {}", block.lastStep);
    text += fmt::format("{}{}-{}", i == 0 ? "" : ", ", block.starts[i], block.ends[i]);
  }
  return text;
}

void printBlocks(const GraphReport& graph, const GraphPattern& pattern) {
  const TableOf<PatternBlock> table(
      {{"value", [&](const PatternBlock& block) { return contentName(graph, block.value, block.node); }},
       {">offset", written(&PatternBlock::offset, formatCount)},
       {">size", written(&PatternBlock::sizeBytes, formatCount)},
       {">steps", livesText}},
      pattern.blocks);
  put("\nblocks\n");
  table.print();
}

void printPattern(const WalkReport& walk) {
  const PatternReport& report = *walk.pattern;
  if (!report.eligible) put("no pattern for the whole graph: {}\n", report.reason);
  if (!report.strategy.empty()) put("strategy: {}\n", report.strategy);
  if (walk.allocate && !walk.allocate->note.empty()) put("plan: {}\n", walk.allocate->note);
  for (const GraphPattern& pattern : report.graphs) {
    const GraphReport& graph = walk.partitionedGraphs->graphs[static_cast<size_t>(pattern.graph)];
    if (!report.eligible) {
      const char* least = pattern.unplanned.empty() ? "" : "at least ";  // of the buffers whose size is known
      put("{} on {}: the arena would hold {}{} (simulated); most bytes alive {}{}, without sharing {}{}\n", graph.title,
          pattern.device, least, formatBytes(pattern.peakBytes), least, formatBytes(pattern.lowerBoundBytes), least,
          formatBytes(pattern.naiveBytes));
    } else if (pattern.unplanned.empty()) {
      put("{} on {}: peak {}, lower bound {} (ratio {}), without sharing {}, fragmentation {:.1f} %\n", graph.title,
          pattern.device, formatBytes(pattern.peakBytes), formatBytes(pattern.lowerBoundBytes),
          ratioText(pattern.peakBytes, pattern.lowerBoundBytes), formatBytes(pattern.naiveBytes),
          pattern.fragmentation * 100);
    } else {
      put("{} on {}: peak {}\n", graph.title, pattern.device,
          pattern.blocks.empty() ? "unknown, every size is open"
                                 : fmt::format("at least {}, of the {} buffers whose size is known",
                                               formatBytes(pattern.peakBytes), pattern.blocks.size()));
      put("{} values have no size before running; bind symbols with --dim NAME=VALUE\n", pattern.unplanned.size());
    }
    if (report.eligible && !pattern.strategies.empty()) printStrategies(pattern);
    if (!pattern.peak.empty()) printPeak(graph, pattern, report.eligible ? "peak" : "most bytes alive");
    if (!pattern.blocks.empty()) printBlocks(graph, pattern);
    put("\n");
  }
}

// What is not planned because its size depends on open dimensions.
Result<void> printOpenPlan(const SharedOptions& shared, const WalkReport& walk, const CancelToken& cancel) {
  if (std::ranges::all_of(walk.pattern->graphs, [](const GraphPattern& each) { return each.unplanned.empty(); }))
    return {};
  const Result<std::optional<study::ModelFormulas>> formulas = formulasOf(walk, shared, cancel);
  if (!formulas) return warnOfFormulas(formulas.error());
  if (*formulas) printPlanFormulas(walk, **formulas);
  return {};
}

}  // namespace

Verb verb_pattern() {
  return {.name = "pattern",
          .help =
              "memory pattern: offsets, peak, lower bound, strategies tried, what the peak is made of and what each "
              "value would save",
          .example =
              "cutaway-cli pattern model.onnx --json pattern.json\n"
              "  cutaway-cli pattern model.onnx --sweep batch=1,2,4,8",
          .declare = [](CLI::App& command) {
            return declarePlanVerb(command, Stage::kPattern, printPattern, {}, printOpenPlan);
          }};
}

}  // namespace cutaway::cli
