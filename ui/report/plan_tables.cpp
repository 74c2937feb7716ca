// Tables of order, allocation, pattern, run and context.
#include <algorithm>

#include <spdlog/fmt/ranges.h>

#include "engine/base/format.h"
#include "ui/report/table_parts.h"

namespace cutaway::ui {

namespace {
using enum ColumnKind;
const GraphReport& planGraph(const WalkReport& walk, int32_t graph) {
  return walk.partitionedGraphs->graphs[static_cast<size_t>(graph)];
}
const NodeReport& nodeOf(const GraphReport& graph, int32_t node) {
  return graph.nodes[static_cast<size_t>(node)];
}
}  // namespace

void addScheduleTables(const WalkReport& walk, std::vector<ReportTable>& tables) {
  if (!walk.schedule || !walk.partitionedGraphs) return;
  for (const GraphSchedule& schedule : walk.schedule->graphs) {
    const GraphReport& graph = planGraph(walk, schedule.graph);
    const auto placeOf = [&](const ScheduleStep& step) { return static_cast<size_t>(&step - schedule.steps.data()); };
    tables.push_back(tableOf<ScheduleStep>(
        {.id = fmt::format("order-{}", schedule.graph),
         .stage = Stage::kSchedule,
         .title = "Order of " + graph.title,
         .version = "partitioned",
         .graph = schedule.graph},
        schedule.steps,
        {{"step", kCount, placeOf},
         {"node", kText, [&](const ScheduleStep& step) { return reportNodeLabel(graph, step.node); }},
         {"operator", kText, [&](const ScheduleStep& step) { return nodeOf(graph, step.node).opType; }},
         {"provider", kText, [&](const ScheduleStep& step) { return nodeOf(graph, step.node).provider; }},
         {"stream", kText,
          [&](const ScheduleStep& step) {
            const bool hasStream = step.stream >= 0 && static_cast<size_t>(step.stream) < schedule.streams.size();
            return hasStream ? schedule.streams[static_cast<size_t>(step.stream)] : std::string();
          }},
         {"cost in " + schedule.costUnit, kCount, &ScheduleStep::cost},
         {"slack", kCount, &ScheduleStep::slack},
         {"live", kBytes,
          [&](const ScheduleStep& step) {
            return placeOf(step) < schedule.liveBytes.size() ? schedule.liveBytes[placeOf(step)] : -1;
          }}},
        &ScheduleStep::node));
  }
}

namespace {

ReportCell sizeCell(const ValueAllocation& value) {
  ReportCell size(value.sizeBytes);
  if (value.sizeBytes < 0) size.text = value.sizeText;
  return size;
}

// Values that have a place of their own or share one.
std::vector<ValueAllocation> placedValues(const GraphAllocation& allocation) {
  std::vector<ValueAllocation> placed;
  for (const ValueAllocation& value : allocation.values)
    if (value.kind != AllocKind::kNotSet && value.kind != AllocKind::kAllocateStatically) placed.push_back(value);
  return placed;
}

}  // namespace

void addAllocateTables(const WalkReport& walk, std::vector<ReportTable>& tables) {
  if (!walk.allocate || !walk.partitionedGraphs) return;
  for (const GraphAllocation& allocation : walk.allocate->graphs) {
    const GraphReport& graph = planGraph(walk, allocation.graph);
    tables.push_back(tableOf<ValueAllocation>(
        {.id = fmt::format("allocation-{}", allocation.graph),
         .stage = Stage::kAllocate,
         .title = "Buffers of " + graph.title,
         .version = "partitioned",
         .graph = allocation.graph},
        placedValues(allocation),
        {{"value", kText, [&](const ValueAllocation& value) { return reportValueName(graph, value.value); }},
         {"kind", kText, [](const ValueAllocation& value) { return allocKindName(value.kind); }},
         {"rule", kText, [](const ValueAllocation& value) { return allocRuleName(value.rule); }},
         {"buffer of", kText,
          [&](const ValueAllocation& value) {
            return value.reusedValue == kNone ? std::string() : reportValueName(graph, value.rootValue);
          }},
         {"size", kBytes, sizeCell},
         {"device", kText, &ValueAllocation::device},
         {"first step", kCount,
          [](const ValueAllocation& value) { return value.starts.empty() ? -1 : value.starts.front(); }},
         {"last step", kCount,
          [](const ValueAllocation& value) { return value.ends.empty() ? -1 : value.ends.back(); }},
         {"why", kText, &ValueAllocation::reason}},
        [&](const ValueAllocation& value) { return graph.values[static_cast<size_t>(value.value)].producer; }));
  }
}

namespace {

ReportTable peakTable(const GraphReport& graph, const GraphPattern& pattern, size_t place) {
  return tableOf<PeakPart>(
      {.id = fmt::format("peak-{}", place),
       .stage = Stage::kPattern,
       .title = fmt::format("What the peak of {} on {} at step {} is made of", graph.title, pattern.device,
                            pattern.peakStep),
       .version = "partitioned",
       .graph = pattern.graph},
      pattern.peak,
      {{"value", kText,
        [&](const PeakPart& part) {
          return part.value != kNone ? reportValueName(graph, part.value) : "(its bodies)";
        }},
       {"size", kBytes, &PeakPart::sizeBytes},
       {"would save", kBytes, &PeakPart::savesBytes},
       {"producer", kText, [&](const PeakPart& part) { return reportNodeLabel(graph, part.producer); }},
       {"kept alive by", kText, [&](const PeakPart& part) { return reportNodeLabel(graph, part.keptAliveBy); }},
       {"last step", kCount, &PeakPart::lastStep}},
      &PeakPart::producer);
}

ReportTable blocksTable(const GraphReport& graph, const GraphPattern& pattern, size_t place) {
  return tableOf<PatternBlock>({.id = fmt::format("blocks-{}", place),
                                .stage = Stage::kPattern,
                                .title = fmt::format("Blocks of {} on {}", graph.title, pattern.device),
                                .version = "partitioned",
                                .graph = pattern.graph},
                               pattern.blocks,
                               {{"value", kText,
                                 [&](const PatternBlock& block) {
                                   return block.value != kNone ? reportValueName(graph, block.value)
                                                               : "bodies of " + reportNodeLabel(graph, block.node);
                                 }},
                                {"offset", kBytes, &PatternBlock::offset},
                                {"size", kBytes, &PatternBlock::sizeBytes},
                                {"needed", kBytes, &PatternBlock::neededBytes},
                                {"first step", kCount, &PatternBlock::firstStep},
                                {"last step", kCount, &PatternBlock::lastStep}},
                               [&](const PatternBlock& block) {
                                 return block.value != kNone ? graph.values[static_cast<size_t>(block.value)].producer
                                                             : block.node;
                               });
}

}  // namespace

void addPatternTables(const WalkReport& walk, std::vector<ReportTable>& tables) {
  if (!walk.pattern || !walk.partitionedGraphs) return;
  for (size_t i = 0; i < walk.pattern->graphs.size(); ++i) {
    const GraphPattern& pattern = walk.pattern->graphs[i];
    const GraphReport& graph = planGraph(walk, pattern.graph);
    tables.push_back(peakTable(graph, pattern, i));
    tables.push_back(blocksTable(graph, pattern, i));
  }
}

namespace {

// Timed nodes that are in the graphs, slowest first.
std::vector<NodeTiming> slowestFirst(const WalkReport& walk) {
  std::vector<NodeTiming> timings = walk.run->nodes;
  std::erase_if(timings, [&](const NodeTiming& timing) {
    return timing.node == kNone || static_cast<size_t>(timing.graph) >= walk.partitionedGraphs->graphs.size();
  });
  std::stable_sort(timings.begin(), timings.end(),
                   [](const NodeTiming& a, const NodeTiming& b) { return a.totalNs > b.totalNs; });
  return timings;
}

double speedOf(const NodeTiming& timing) {
  return timing.flops > 0 && timing.totalNs > 0
             ? static_cast<double>(timing.flops) * static_cast<double>(timing.calls) /
                   static_cast<double>(timing.totalNs)
             : std::numeric_limits<double>::quiet_NaN();
}

std::string partsOf(const NodeTiming& timing) {
  std::vector<std::string> parts;
  for (const SubStepTiming& part : timing.subSteps)
    parts.push_back(fmt::format("{} {}", part.name, formatTime(part.totalNs)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

ReportTable timesTable(const WalkReport& walk) {
  int64_t total = 0;
  for (const NodeTiming& timing : walk.run->nodes)
    total += timing.graph == 0 ? timing.totalNs : 0;
  const auto graphOf = [&](const NodeTiming& timing) -> const GraphReport& { return planGraph(walk, timing.graph); };
  return tableOf<NodeTiming>(
      {.id = "times", .stage = Stage::kRun, .title = "Times of nodes, median of the runs", .version = "partitioned"},
      slowestFirst(walk),
      {{"node", kText, [&](const NodeTiming& timing) { return reportNodeLabel(graphOf(timing), timing.node); }},
       {"operator", kText, [&](const NodeTiming& timing) { return nodeOf(graphOf(timing), timing.node).opType; }},
       {"provider", kText, &NodeTiming::provider},
       {"time", kTime, &NodeTiming::totalNs},
       {"share", kPercent,
        [=](const NodeTiming& timing) {
          return total > 0 ? 100.0 * static_cast<double>(timing.totalNs) / static_cast<double>(total)
                           : std::numeric_limits<double>::quiet_NaN();
        }},
       {"shortest", kTime, &NodeTiming::minNs},
       {"longest", kTime, &NodeTiming::maxNs},
       {"GFLOP/s", kReal, speedOf},
       {"lane", kCount, &NodeTiming::thread},
       {"variant", kText, &NodeTiming::variant},
       {"parts", kText, partsOf},
       {"output", kText,
        [](const NodeTiming& timing) { return fmt::format("{}", fmt::join(timing.outputShapes, ", ")); }}},
      [](const NodeTiming& timing) { return timing.graph == 0 ? timing.node : kNone; });
}

}  // namespace

void addRunTables(const WalkReport& walk, std::vector<ReportTable>& tables) {
  if (!walk.run || !walk.partitionedGraphs) return;
  tables.push_back(timesTable(walk));
  tables.push_back(tableOf<TensorSummary>(
      {.id = "outputs", .stage = Stage::kRun, .title = "Outputs"}, walk.run->outputs,
      {{"output", kText, &TensorSummary::name},
       {"type", kText, &TensorSummary::type},
       {"smallest", kReal, &TensorSummary::minimum},
       {"largest", kReal, &TensorSummary::maximum},
       {"mean", kReal, &TensorSummary::mean},
       {"not finite", kCount, [](const TensorSummary& tensor) { return tensor.nanCount + tensor.infCount; }},
       {"first values", kText, &TensorSummary::preview}}));
}

namespace {

std::string checksOf(const ContextNodeReport& node) {
  std::vector<std::string> checks;
  for (const ContextCheck& check : node.checks)
    checks.push_back(fmt::format("{} {}", check.name, checkStateName(check.state)));
  return fmt::format("{}", fmt::join(checks, ", "));
}

}  // namespace

void addContextTables(const WalkReport& walk, std::vector<ReportTable>& tables) {
  if (!walk.context) return;
  tables.push_back(tableOf<ContextGroup>(
      {.id = "context-groups",
       .stage = Stage::kContext,
       .title = "What an export would keep compiled",
       .version = "optimized"},
      walk.context->groups,
      {{"group", kText, [](const ContextGroup& group) { return group.name.empty() ? "(kernels)" : group.name; }},
       {"provider", kText, &ContextGroup::provider},
       {"nodes", kCount, [](const ContextGroup& group) { return group.nodes.size(); }},
       {"kept", kText,
        [](const ContextGroup& group) { return !group.canSave        ? "no"
                                               : group.isPlaceholder ? "placeholder"
                                                                     : "yes"; }},
       {"weights", kBytes, &ContextGroup::weightBytes},
       {"estimated", kBytes, &ContextGroup::estimatedBytes},
       {"why", kText, &ContextGroup::reason}},
      [](const ContextGroup& group) {
        return group.graph == 0 && !group.nodes.empty() ? group.nodes.front() : kNone;
      }));
  tables.push_back(tableOf<ContextNodeReport>(
      {.id = "context-nodes", .stage = Stage::kContext, .title = "EPContext nodes of this model", .version = "loaded"},
      walk.context->nodes,
      {{"node", kText, &ContextNodeReport::name},
       {"source", kText,
        [](const ContextNodeReport& node) { return node.sourceTitle.empty() ? node.source : node.sourceTitle; }},
       {"restored by", kText, &ContextNodeReport::provider},
       {"main", kText, [](const ContextNodeReport& node) { return node.isMain ? "yes" : "no"; }},
       {"file", kText, [](const ContextNodeReport& node) { return node.isEmbedded ? "embedded" : node.file; }},
       {"bytes", kBytes, &ContextNodeReport::fileBytes},
       {"format", kText, &ContextNodeReport::format},
       {"nodes inside", kCount, &ContextNodeReport::insideNodes},
       {"checks", kText, checksOf}},
      [](const ContextNodeReport& node) { return node.graph == 0 ? node.node : kNone; }));
}

}  // namespace cutaway::ui
