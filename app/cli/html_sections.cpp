#include "app/cli/html_sections.h"

#include <algorithm>
#include <map>

#include "app/cli/stage_verb.h"

namespace cutaway::cli {

namespace {

using Rows = std::vector<std::vector<std::string>>;

const GraphReport& planGraph(const WalkReport& walk, int32_t graph) { return walk.partitionedGraphs->graphs[static_cast<size_t>(graph)]; }

std::string sizeText(int64_t sizeBytes) { return sizeBytes < 0 ? "open" : formatBytes(sizeBytes); }

}  // namespace

void writeLoad(HtmlWriter& html, const WalkReport& walk) {
  if (!walk.load) return;
  const LoadReport& load = *walk.load;
  html.section("load", stageTitle(Stage::kLoad), stageHeadline(walk, Stage::kLoad));
  std::vector<std::string> opsets;
  for (const auto& [domain, version] : load.opsets) opsets.push_back(fmt::format("{} {}", domain, version));
  Rows facts{{"file", load.path}, {"size", formatBytes(load.fileBytes)}, {"producer", load.producer}, {"IR version", fmt::format("{}", load.irVersion)}, {"opsets", fmt::format("{}", fmt::join(opsets, ", "))}};
  facts.push_back({"weights", fmt::format("{} in {} initializers, {} parameters", formatBytes(load.initializerBytes), formatCount(load.initializerCount), formatCount(load.parameterCount))});
  for (const ExternalFileReport& file : load.externalFiles) facts.push_back({"external data", fmt::format("{}: {} of {} used by {} tensors", file.path, formatBytes(file.usedBytes), formatBytes(file.fileBytes), file.tensorCount)});
  for (const auto& [key, value] : load.metadata) facts.push_back({"metadata " + key, value});
  html.table({"", ""}, facts);
  Rows operators;
  for (const auto& [name, count] : load.operators) operators.push_back({name, formatCount(count)});
  html.heading("Operators");
  html.table({"operator", ">nodes"}, operators);
  html.endSection();
}

void writeInputs(HtmlWriter& html, const WalkReport& walk) {
  if (!walk.resolve || !walk.loadedGraphs) return;
  html.section("inputs", stageTitle(Stage::kResolve), stageHeadline(walk, Stage::kResolve));
  Rows rows;
  for (const ValueRule& rule : walk.resolve->values) {
    if (rule.role == ValueRole::kIntermediate || rule.role == ValueRole::kConstant) continue;
    const GraphReport& graph = walk.loadedGraphs->graphs[static_cast<size_t>(rule.graph)];
    const ValueReport& value = graph.values[static_cast<size_t>(rule.value)];
    rows.push_back({graph.title, value.name, valueRoleName(rule.role), value.type, sizeText(value.sizeBytes), rule.text});
  }
  html.table({"graph", "value", "role", "type", ">size", "rule"}, rows);
  for (const ModelWarning& warning : walk.resolve->warnings) html.paragraph("Warning: " + warning.message + (warning.node.empty() ? "" : " (node " + warning.node + ")"));
  html.endSection();
}

void writeOptimize(HtmlWriter& html, const WalkReport& walk) {
  if (!walk.optimize) return;
  html.section("optimize", stageTitle(Stage::kOptimize), stageHeadline(walk, Stage::kOptimize));
  Rows passes;
  for (const PassReport& pass : walk.optimize->passes) {
    passes.push_back({pass.name, pass.purpose, pass.skipped ? "skipped" : formatCount(pass.rewrites), fmt::format("{} to {}", pass.nodesBefore, pass.nodesAfter), formatTime(pass.timeNs)});
  }
  html.table({"pass", "purpose", ">rewrites", ">nodes", ">time"}, passes);
  Rows rewrites;
  for (const RewriteReport& rewrite : walk.optimize->rewrites) rewrites.push_back({rewrite.pass, fmt::format("{}", fmt::join(rewrite.removed, ", ")), fmt::format("{}", fmt::join(rewrite.added, ", ")), rewrite.note});
  html.heading("Rewrites");
  html.table({"pass", "removed", "added", "why"}, rewrites);
  html.endSection();
}

void writePartition(HtmlWriter& html, const WalkReport& walk) {
  if (!walk.partition || !walk.optimizedGraphs) return;
  html.section("partition", stageTitle(Stage::kPartition), stageHeadline(walk, Stage::kPartition));
  Rows providers;
  for (const ProviderSummary& provider : walk.partition->providers) {
    providers.push_back({provider.name, provider.device, formatCount(provider.claimedNodes), formatCount(provider.refusedNodes), formatTime(provider.askTimeNs + provider.compileTimeNs), provider.usable ? "usable" : provider.reason});
  }
  html.table({"provider", "device", ">claimed", ">refused", ">time", "state"}, providers);

  std::map<std::tuple<std::string, std::string, std::string>, int64_t> refusals;
  for (const NodePlacement& node : walk.partition->nodes) {
    for (const ProviderAnswer& answer : node.answers) {
      if (answer.verdict != Verdict::kClaimed && answer.verdict != Verdict::kAlreadyTaken) ++refusals[{answer.provider, refusalCauseName(answer.cause), answer.reason}];
    }
  }
  Rows reasons;
  for (const auto& [key, count] : refusals) reasons.push_back({std::get<0>(key), std::get<1>(key), formatCount(count), std::get<2>(key)});
  html.heading("Refusals by reason");
  html.table({"provider", "cause", ">nodes", "reason"}, reasons);

  Rows copies;
  for (const CopyReport& copy : walk.partition->copies) copies.push_back({copy.value, copy.from + " to " + copy.to, sizeText(copy.sizeBytes), copy.cause});
  html.heading("Copies between devices");
  html.table({"value", "way", ">bytes", "cause"}, copies);
  html.endSection();
}

void writeOrder(HtmlWriter& html, const WalkReport& walk) {
  if (!walk.schedule || !walk.partitionedGraphs) return;
  html.section("order", stageTitle(Stage::kSchedule), stageHeadline(walk, Stage::kSchedule));
  for (const GraphSchedule& schedule : walk.schedule->graphs) {
    const GraphReport& graph = planGraph(walk, schedule.graph);
    Rows rows;
    for (const ScheduleStep& step : schedule.steps) {
      const NodeReport& node = graph.nodes[static_cast<size_t>(step.node)];
      rows.push_back({fmt::format("{}", rows.size()), nodeLabel(graph, step.node), node.opType, node.provider});
    }
    html.heading(graph.title);
    html.table({">step", "node", "operator", "provider"}, rows);
  }
  html.endSection();
}

void writeAllocation(HtmlWriter& html, const WalkReport& walk) {
  if (!walk.allocate || !walk.partitionedGraphs) return;
  html.section("allocation", stageTitle(Stage::kAllocate), stageHeadline(walk, Stage::kAllocate));
  for (const GraphAllocation& allocation : walk.allocate->graphs) {
    const GraphReport& graph = planGraph(walk, allocation.graph);
    Rows rows;
    for (const ValueAllocation& value : allocation.values) {
      if (value.kind == AllocKind::kNotSet || value.kind == AllocKind::kAllocateStatically) continue;
      rows.push_back({valueName(graph, value.value), allocKindName(value.kind), value.reusedValue == kNone ? "" : valueName(graph, value.rootValue), value.sizeBytes < 0 ? value.sizeText : formatBytes(value.sizeBytes), value.reason});
    }
    html.heading(graph.title);
    html.table({"value", "kind", "buffer of", ">size", "why"}, rows);
  }
  html.endSection();
}

void writePattern(HtmlWriter& html, const WalkReport& walk) {
  if (!walk.pattern || !walk.partitionedGraphs) return;
  html.section("pattern", stageTitle(Stage::kPattern), stageHeadline(walk, Stage::kPattern));
  if (!walk.pattern->reason.empty()) html.paragraph(walk.pattern->reason);
  for (const GraphPattern& pattern : walk.pattern->graphs) {
    const GraphReport& graph = planGraph(walk, pattern.graph);
    if (pattern.blocks.empty()) continue;
    html.heading(fmt::format("{} on {}: peak {}, lower bound {}, without sharing {}", graph.title, pattern.device, formatBytes(pattern.peakBytes), formatBytes(pattern.lowerBoundBytes), formatBytes(pattern.naiveBytes)));
    html.raw(memoryChartSvg(graph, pattern));
    Rows parts;
    for (const PeakPart& part : pattern.peak) parts.push_back({part.value != kNone ? valueName(graph, part.value) : "(its bodies)", formatBytes(part.sizeBytes), formatBytes(part.savesBytes), nodeLabel(graph, part.producer), nodeLabel(graph, part.keptAliveBy)});
    html.heading(fmt::format("What the peak at step {} is made of", pattern.peakStep));
    html.table({"value", ">size", ">would save", "made by", "kept alive by"}, parts, 40);
  }
  html.endSection();
}

void writeRun(HtmlWriter& html, const WalkReport& walk) {
  if (!walk.run || !walk.partitionedGraphs) return;
  html.section("run", stageTitle(Stage::kRun), stageHeadline(walk, Stage::kRun));
  std::vector<NodeTiming> timings = walk.run->nodes;
  std::stable_sort(timings.begin(), timings.end(), [](const NodeTiming& a, const NodeTiming& b) { return a.totalNs > b.totalNs; });
  html.paragraph(fmt::format("Median of {} runs {}, 95 % sure between {} and {}; {}; measured memory {} of {} planned.", walk.run->runs, formatTime(static_cast<int64_t>(walk.run->medianMs * 1e6)),
                             formatTime(static_cast<int64_t>(walk.run->medianLowMs * 1e6)), formatTime(static_cast<int64_t>(walk.run->medianHighMs * 1e6)), walk.run->executor, formatBytes(walk.run->measuredPeakBytes), formatBytes(walk.run->plannedPeakBytes)));
  int64_t total = 0;
  for (const NodeTiming& timing : timings) total += timing.graph == 0 ? timing.totalNs : 0;
  Rows rows;
  for (const NodeTiming& timing : timings) {
    const GraphReport& graph = planGraph(walk, timing.graph);
    std::vector<std::string> parts;
    for (const SubStepTiming& part : timing.subSteps) parts.push_back(fmt::format("{} {}", part.name, formatTime(part.totalNs)));
    const double speed = timing.flops > 0 && timing.totalNs > 0 ? static_cast<double>(timing.flops * timing.calls) / static_cast<double>(timing.totalNs) : 0;
    rows.push_back({nodeLabel(graph, timing.node), graph.nodes[static_cast<size_t>(timing.node)].opType, formatTime(timing.totalNs), total > 0 ? fmt::format("{:.1f} %", 100.0 * static_cast<double>(timing.totalNs) / static_cast<double>(total)) : "",
                    speed > 0 ? fmt::format("{:.1f}", speed) : "", std::to_string(timing.thread), timing.variant, fmt::format("{}", fmt::join(parts, ", ")), fmt::format("{}", fmt::join(timing.outputShapes, ", "))});
  }
  html.table({"node", "operator", ">time", ">share", ">GFLOP/s", ">lane", "variant", "parts", "output"}, rows, 200);
  Rows outputs;
  for (const TensorSummary& tensor : walk.run->outputs) outputs.push_back({tensor.name, tensor.type, fmt::format("{:.4g} to {:.4g}", tensor.minimum, tensor.maximum), tensor.preview});
  html.heading("Outputs");
  html.table({"output", "type", "range", "first values"}, outputs);
  html.endSection();
}

}  // namespace cutaway::cli
