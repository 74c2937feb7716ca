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
}  // namespace

void addScheduleTables(const WalkReport& walk, std::vector<ReportTable>& tables) {
  if (!walk.schedule || !walk.partitionedGraphs) return;
  for (const GraphSchedule& schedule : walk.schedule->graphs) {
    const GraphReport& graph = planGraph(walk, schedule.graph);
    ReportTable table{fmt::format("order-{}", schedule.graph),
                      Stage::kSchedule,
                      "Order of " + graph.title,
                      {{"step", kCount},
                       {"node"},
                       {"operator"},
                       {"provider"},
                       {"stream"},
                       {"cost in " + schedule.costUnit, kCount},
                       {"slack", kCount},
                       {"live", kBytes}},
                      {},
                      "partitioned",
                      schedule.graph};
    for (size_t i = 0; i < schedule.steps.size(); ++i) {
      const ScheduleStep& step = schedule.steps[i];
      const NodeReport& node = graph.nodes[static_cast<size_t>(step.node)];
      const bool hasStream = step.stream >= 0 && static_cast<size_t>(step.stream) < schedule.streams.size();
      table.rows.push_back({static_cast<double>(i), reportNodeLabel(graph, step.node), node.opType, node.provider,
                            hasStream ? schedule.streams[static_cast<size_t>(step.stream)] : std::string(),
                            figure(step.cost), figure(step.slack),
                            figure(i < schedule.liveBytes.size() ? schedule.liveBytes[i] : -1)});
      table.nodes.push_back(step.node);
    }
    tables.push_back(std::move(table));
  }
}

void addAllocateTables(const WalkReport& walk, std::vector<ReportTable>& tables) {
  if (!walk.allocate || !walk.partitionedGraphs) return;
  for (const GraphAllocation& allocation : walk.allocate->graphs) {
    const GraphReport& graph = planGraph(walk, allocation.graph);
    ReportTable table{fmt::format("allocation-{}", allocation.graph),
                      Stage::kAllocate,
                      "Buffers of " + graph.title,
                      {{"value"},
                       {"kind"},
                       {"rule"},
                       {"buffer of"},
                       {"size", kBytes},
                       {"device"},
                       {"first step", kCount},
                       {"last step", kCount},
                       {"why"}},
                      {},
                      "partitioned",
                      allocation.graph};
    for (const ValueAllocation& value : allocation.values) {
      if (value.kind == AllocKind::kNotSet || value.kind == AllocKind::kAllocateStatically) continue;
      ReportCell size(figure(value.sizeBytes));
      if (value.sizeBytes < 0) size.text = value.sizeText;
      table.rows.push_back({reportValueName(graph, value.value), allocKindName(value.kind), allocRuleName(value.rule),
                            value.reusedValue == kNone ? std::string() : reportValueName(graph, value.rootValue), size,
                            value.device, figure(value.starts.empty() ? -1 : value.starts.front()),
                            figure(value.ends.empty() ? -1 : value.ends.back()), value.reason});
      table.nodes.push_back(graph.values[static_cast<size_t>(value.value)].producer);
    }
    tables.push_back(std::move(table));
  }
}

void addPatternTables(const WalkReport& walk, std::vector<ReportTable>& tables) {
  if (!walk.pattern || !walk.partitionedGraphs) return;
  for (size_t i = 0; i < walk.pattern->graphs.size(); ++i) {
    const GraphPattern& pattern = walk.pattern->graphs[i];
    const GraphReport& graph = planGraph(walk, pattern.graph);
    ReportTable peak{
        fmt::format("peak-{}", i),
        Stage::kPattern,
        fmt::format("What the peak of {} on {} at step {} is made of", graph.title, pattern.device, pattern.peakStep),
        {{"value"}, {"size", kBytes}, {"would save", kBytes}, {"made by"}, {"kept alive by"}, {"last step", kCount}},
        {},
        "partitioned",
        pattern.graph};
    for (const PeakPart& part : pattern.peak) {
      peak.rows.push_back({part.value != kNone ? reportValueName(graph, part.value) : "(its bodies)",
                           figure(part.sizeBytes), figure(part.savesBytes), reportNodeLabel(graph, part.producer),
                           reportNodeLabel(graph, part.keptAliveBy), figure(part.lastStep)});
      peak.nodes.push_back(part.producer);
    }
    tables.push_back(std::move(peak));
    ReportTable blocks{fmt::format("blocks-{}", i),
                       Stage::kPattern,
                       fmt::format("Blocks of {} on {}", graph.title, pattern.device),
                       {{"value"},
                        {"offset", kBytes},
                        {"size", kBytes},
                        {"needed", kBytes},
                        {"first step", kCount},
                        {"last step", kCount}},
                       {},
                       "partitioned",
                       pattern.graph};
    for (const PatternBlock& block : pattern.blocks) {
      blocks.rows.push_back({block.value != kNone ? reportValueName(graph, block.value)
                                                  : "bodies of " + reportNodeLabel(graph, block.node),
                             figure(block.offset), figure(block.sizeBytes), figure(block.neededBytes),
                             figure(block.firstStep), figure(block.lastStep)});
      blocks.nodes.push_back(block.value != kNone ? graph.values[static_cast<size_t>(block.value)].producer
                                                  : block.node);
    }
    tables.push_back(std::move(blocks));
  }
}

void addRunTables(const WalkReport& walk, std::vector<ReportTable>& tables) {
  if (!walk.run || !walk.partitionedGraphs) return;
  std::vector<NodeTiming> timings = walk.run->nodes;
  std::stable_sort(timings.begin(), timings.end(),
                   [](const NodeTiming& a, const NodeTiming& b) { return a.totalNs > b.totalNs; });
  int64_t total = 0;
  for (const NodeTiming& timing : timings)
    total += timing.graph == 0 ? timing.totalNs : 0;
  ReportTable table{"times",
                    Stage::kRun,
                    "Times of nodes, mean per run",
                    {{"node"},
                     {"operator"},
                     {"provider"},
                     {"time", kTime},
                     {"share", kPercent},
                     {"shortest", kTime},
                     {"longest", kTime},
                     {"GFLOP/s", kReal},
                     {"lane", kCount},
                     {"variant"},
                     {"parts"},
                     {"output"}},
                    {},
                    "partitioned"};
  for (const NodeTiming& timing : timings) {
    if (timing.node == kNone || static_cast<size_t>(timing.graph) >= walk.partitionedGraphs->graphs.size()) continue;
    const GraphReport& graph = planGraph(walk, timing.graph);
    std::vector<std::string> parts;
    for (const SubStepTiming& part : timing.subSteps)
      parts.push_back(fmt::format("{} {}", part.name, formatTime(part.totalNs)));
    const double share =
        total > 0 ? 100.0 * static_cast<double>(timing.totalNs) / static_cast<double>(total) : figure(-1);
    const double speed = timing.flops > 0 && timing.totalNs > 0
                             ? static_cast<double>(timing.flops) * static_cast<double>(timing.calls) /
                                   static_cast<double>(timing.totalNs)
                             : figure(-1);
    table.rows.push_back({reportNodeLabel(graph, timing.node), graph.nodes[static_cast<size_t>(timing.node)].opType,
                          timing.provider, figure(timing.totalNs), share, figure(timing.minNs), figure(timing.maxNs),
                          speed, figure(timing.thread), timing.variant, fmt::format("{}", fmt::join(parts, ", ")),
                          fmt::format("{}", fmt::join(timing.outputShapes, ", "))});
    table.nodes.push_back(timing.graph == 0 ? timing.node : kNone);
  }
  tables.push_back(std::move(table));
  ReportTable outputs{"outputs",
                      Stage::kRun,
                      "Outputs",
                      {{"output"},
                       {"type"},
                       {"smallest", kReal},
                       {"largest", kReal},
                       {"mean", kReal},
                       {"not finite", kCount},
                       {"first values"}},
                      {}};
  for (const TensorSummary& tensor : walk.run->outputs)
    outputs.rows.push_back({tensor.name, tensor.type, tensor.minimum, tensor.maximum, tensor.mean,
                            figure(tensor.nanCount + tensor.infCount), tensor.preview});
  tables.push_back(std::move(outputs));
}

void addContextTables(const WalkReport& walk, std::vector<ReportTable>& tables) {
  if (!walk.context) return;
  ReportTable groups{
      "context-groups",
      Stage::kContext,
      "What an export would keep compiled",
      {{"group"}, {"provider"}, {"nodes", kCount}, {"kept"}, {"weights", kBytes}, {"estimated", kBytes}, {"why"}},
      {},
      "optimized"};
  for (const ContextGroup& group : walk.context->groups) {
    groups.rows.push_back({group.name.empty() ? "(kernels)" : group.name, group.provider,
                           figure(static_cast<int64_t>(group.nodes.size())),
                           group.canSave ? group.isPlaceholder ? "placeholder" : "yes" : "no",
                           figure(group.weightBytes), figure(group.estimatedBytes), group.reason});
    groups.nodes.push_back(group.graph == 0 && !group.nodes.empty() ? group.nodes.front() : kNone);
  }
  tables.push_back(std::move(groups));
  ReportTable nodes{"context-nodes",
                    Stage::kContext,
                    "EPContext nodes of this model",
                    {{"node"},
                     {"source"},
                     {"restored by"},
                     {"main"},
                     {"file"},
                     {"bytes", kBytes},
                     {"format"},
                     {"nodes inside", kCount},
                     {"checks"}},
                    {},
                    "loaded"};
  for (const ContextNodeReport& node : walk.context->nodes) {
    std::vector<std::string> checks;
    for (const ContextCheck& check : node.checks)
      checks.push_back(fmt::format("{} {}", check.name, checkStateName(check.state)));
    nodes.rows.push_back({node.name, node.sourceTitle.empty() ? node.source : node.sourceTitle, node.provider,
                          node.isMain ? "yes" : "no", node.isEmbedded ? "embedded" : node.file, figure(node.fileBytes),
                          node.format, figure(node.insideNodes), fmt::format("{}", fmt::join(checks, ", "))});
    nodes.nodes.push_back(node.graph == 0 ? node.node : kNone);
  }
  tables.push_back(std::move(nodes));
}

}  // namespace cutaway::ui
