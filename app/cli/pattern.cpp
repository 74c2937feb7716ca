// pattern: offsets, peak and lower bound, and what the peak is made of.
#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"

namespace cutaway::cli {

namespace {

void printPeak(const GraphReport& graph, const GraphPattern& pattern) {
  TextTable table({"value", ">size", "made by", "kept alive by"});
  for (const PeakPart& part : pattern.peak) table.add({valueName(graph, part.value), formatBytes(part.sizeBytes), nodeLabel(graph, part.producer), nodeLabel(graph, part.keptAliveBy)});
  fmt::print("\npeak at step {}\n", pattern.peakStep);
  table.print(20);
}

void printBlocks(const GraphReport& graph, const GraphPattern& pattern) {
  TextTable table({"value", ">offset", ">size", ">steps"});
  for (const PatternBlock& block : pattern.blocks) table.add({valueName(graph, block.value), formatCount(block.offset), formatCount(block.sizeBytes), fmt::format("{}-{}", block.firstStep, block.lastStep)});
  fmt::print("\nblocks\n");
  table.print();
}

void printPattern(const WalkReport& walk) {
  const PatternReport& report = *walk.pattern;
  if (!report.eligible) fmt::print("no pattern for the whole graph: {}\n", report.reason);
  for (const GraphPattern& pattern : report.graphs) {
    const GraphReport& graph = walk.partitionedGraphs->graphs[static_cast<size_t>(pattern.graph)];
    fmt::print("{} on {}: peak {}, lower bound {}, without sharing {}, fragmentation {:.1f} % ({})\n", graph.title, pattern.device, formatBytes(pattern.peakBytes), formatBytes(pattern.lowerBoundBytes), formatBytes(pattern.naiveBytes),
               pattern.fragmentation * 100, report.strategy);
    if (!pattern.unplanned.empty()) fmt::print("{} values have no size before running; bind symbols with --dim NAME=VALUE\n", pattern.unplanned.size());
    if (!pattern.peak.empty()) printPeak(graph, pattern);
    if (!pattern.blocks.empty()) printBlocks(graph, pattern);
    fmt::print("\n");
  }
}

}  // namespace

Verb verb_pattern() {
  return {.name = "pattern",
          .help = "memory pattern: offsets, peak, lower bound, what the peak is made of",
          .example = "cutaway-cli pattern model.onnx --json pattern.json",
          .declare = [](CLI::App& command) { return declareStageVerb(command, Stage::kPattern, printPattern); }};
}

}  // namespace cutaway::cli
