// The second half of a story: step, buffers, measured time, context.
#include <algorithm>

#include <QCoreApplication>

#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"
#include "ui/panels/story/story_of.h"

namespace cutaway::ui {
namespace {

constexpr size_t kMostOutputs = 3;

QString tr(const char* words) {
  return QCoreApplication::translate("cutaway::ui::Story", words);
}

const GraphAllocation* allocationOf(const WalkReport& walk, int graph) {
  if (!walk.allocate) return nullptr;
  for (const GraphAllocation& plan : walk.allocate->graphs)
    if (plan.graph == graph) return &plan;
  return nullptr;
}

QString lives(const ValueAllocation& value) {
  QStringList spans;
  for (size_t i = 0; i < value.starts.size() && i < value.ends.size() && i < 4; ++i)
    spans << QStringLiteral("%1\u2013%2").arg(value.starts[i]).arg(value.ends[i]);
  if (value.starts.size() > 4) spans << QStringLiteral("\u2026");
  return spans.join(QStringLiteral(", "));
}

void addStep(const Document& document, const NodeTarget& node, std::vector<Station>& stations) {
  const WalkReport& walk = *document.walk();
  if (!walk.schedule) return;
  for (const GraphSchedule& schedule : walk.schedule->graphs) {
    if (schedule.graph != node.graph) continue;
    for (size_t step = 0; step < schedule.steps.size(); ++step) {
      const ScheduleStep& it = schedule.steps[step];
      if (it.node != node.node) continue;
      Station station{.stage = Stage::kSchedule,
                      .title = tr("Step %1 of %2").arg(step).arg(schedule.steps.size()),
                      .target = {node, {}}};
      QStringList where;
      if (it.stream >= 0 && static_cast<size_t>(it.stream) < schedule.streams.size())
        where << tr("stream %1").arg(text(schedule.streams[static_cast<size_t>(it.stream)]));
      if (it.worker > 0) where << tr("worker %1").arg(it.worker);
      where << (it.slack <= 0 ? tr("on the critical path") : tr("not on the critical path"));
      station.lines.push_back({where.join(QStringLiteral(", ")), {}, StoryTone::kQuiet});
      stations.push_back(std::move(station));
      return;
    }
  }
}

// Where one value lives: by which rule, why, and where in the planned block.
void addBuffer(const Document& document, int graphIndex, int32_t value, std::vector<Station>& stations) {
  const WalkReport& walk = *document.walk();
  const GraphAllocation* plan = allocationOf(walk, graphIndex);
  if (!plan || value < 0 || static_cast<size_t>(value) >= plan->values.size()) return;
  const ValueAllocation& it = plan->values[static_cast<size_t>(value)];
  if (it.kind == AllocKind::kNotSet) return;
  const GraphReport& graph = walk.partitionedGraphs->graphs[static_cast<size_t>(graphIndex)];
  const auto name = [&](int32_t index) {
    return index >= 0 && static_cast<size_t>(index) < graph.values.size()
               ? text(graph.values[static_cast<size_t>(index)].name)
               : QString();
  };
  const ValueTarget self{graphIndex, name(value)};
  Station station{
      .stage = Stage::kAllocate,
      .title = tr("%1: %2").arg(shortened(name(value), 40), it.rule == AllocRule::kNone ? text(allocKindName(it.kind))
                                                                                        : text(allocRuleName(it.rule))),
      .target = {{}, self}};
  if (it.rootValue >= 0 && it.rootValue != value)
    station.lines.push_back(
        {tr("in the buffer of %1").arg(shortened(name(it.rootValue), 48)), {{}, {graphIndex, name(it.rootValue)}}});
  if (!it.reason.empty()) station.lines.push_back({told(it.reason), {}, StoryTone::kQuiet});
  QStringList facts;
  if (it.sizeBytes >= 0) facts << sizeText(it.sizeBytes);
  if (!it.starts.empty()) facts << tr("lives in steps %1").arg(lives(it));
  if (!facts.isEmpty()) station.lines.push_back({facts.join(QStringLiteral(", "))});
  stations.push_back(std::move(station));
  if (!walk.pattern) return;
  const int32_t root = it.rootValue >= 0 ? it.rootValue : value;
  for (const GraphPattern& pattern : walk.pattern->graphs) {
    if (pattern.graph != graphIndex) continue;
    for (const PatternBlock& block : pattern.blocks) {
      if (block.value != root) continue;
      Station place{
          .stage = Stage::kPattern,
          .title =
              tr("Offset %1 of the planned block").arg(countText(block.offset + std::max<int64_t>(0, it.partOffset))),
          .target = {{}, self}};
      place.lines.push_back({tr("%1 on %2").arg(sizeText(block.sizeBytes), text(pattern.device))});
      if (std::any_of(pattern.peak.begin(), pattern.peak.end(),
                      [&](const PeakPart& part) { return part.value == root; }))
        place.lines.push_back(
            {tr("Part of the peak (%1 at step %2)").arg(sizeText(pattern.peakBytes)).arg(pattern.peakStep),
             {},
             StoryTone::kStrong});
      stations.push_back(std::move(place));
      return;
    }
  }
}

void addMeasured(const Document& document, const NodeTarget& node, std::vector<Station>& stations) {
  const WalkReport& walk = *document.walk();
  if (!walk.run || !walk.run->profiled) return;
  int64_t all = 0;
  const NodeTiming* found = nullptr;
  for (const NodeTiming& timing : walk.run->nodes) {
    all += timing.totalNs;
    if (timing.graph == node.graph && timing.node == node.node) found = &timing;
  }
  if (!found) return;
  Station station{
      .stage = Stage::kRun,
      .title = tr("%1, %2 of the time in nodes")
                   .arg(timeText(found->totalNs),
                        percentText(all > 0 ? static_cast<double>(found->totalNs) / static_cast<double>(all) : 0)),
      .target = {node, {}}};
  QStringList facts = {found->thread == 0 ? tr("on the caller's thread") : tr("on worker %1").arg(found->thread)};
  if (found->calls > 1) facts << tr("%1 calls").arg(countText(found->calls));
  if (!found->variant.empty()) facts << text(found->variant);
  station.lines.push_back({facts.join(QStringLiteral(", "))});
  if (found->flops >= 0 && found->totalNs > 0)
    station.lines.push_back(
        {tr("%1 at %2 GFLOP/s")
             .arg(workText(found->flops))
             .arg(static_cast<double>(found->flops) * static_cast<double>(std::max<int64_t>(1, found->calls)) /
                      static_cast<double>(found->totalNs),
                  0, 'f', 1),
         {},
         StoryTone::kQuiet});
  stations.push_back(std::move(station));
}

}  // namespace

void addPlanStations(const Document& document, const NodeTarget& node, const QString& value,
                     std::vector<Station>& stations) {
  const WalkReport& walk = *document.walk();
  if (!node.valid()) {  // a fed value or a weight: no node makes it
    const GraphIndex* index = document.index(GraphVersion::kPartitioned);
    const int graph = document.selection().value().graph;
    if (index) addBuffer(document, graph, index->valueIndex(graph, value.toStdString()), stations);
    return;
  }
  addStep(document, node, stations);
  if (const NodeReport* report = document.node(node)) {
    const GraphReport& graph = walk.partitionedGraphs->graphs[static_cast<size_t>(node.graph)];
    size_t listed = 0;
    const bool named =
        !value.isEmpty() && std::any_of(report->outputs.begin(), report->outputs.end(), [&](int32_t output) {
          return output >= 0 && text(graph.values[static_cast<size_t>(output)].name) == value;
        });
    for (const int32_t output : report->outputs) {
      if (output < 0 || (named && text(graph.values[static_cast<size_t>(output)].name) != value) ||
          ++listed > kMostOutputs)
        continue;
      addBuffer(document, node.graph, output, stations);
    }
  }
  addMeasured(document, node, stations);
}

void addContextStation(const Document& document, const std::vector<NodeTarget>& optimized,
                       std::vector<Station>& stations) {
  const WalkReport& walk = *document.walk();
  if (!walk.context) return;
  const NodeTarget focus = document.selection().focusIn(GraphVersion::kLoaded);
  if (const ContextNodeReport* context = focus.valid() ? document.contextNode(focus) : nullptr) {
    Station station{.stage = Stage::kContext,
                    .title = tr("Inside context node %1").arg(text(context->name)),
                    .target = {{GraphVersion::kLoaded, context->graph, context->node}, {}}};
    station.lines.push_back({context->provider.empty() ? tr("no provider here can restore it")
                                                       : tr("restored by %1").arg(text(context->provider))});
    stations.push_back(std::move(station));
    return;
  }
  for (const ContextGroup& group : walk.context->groups)
    for (const NodeTarget& node : optimized) {
      if (group.graph != node.graph ||
          std::find(group.nodes.begin(), group.nodes.end(), node.node) == group.nodes.end())
        continue;
      Station station{.stage = Stage::kContext,
                      .title = group.canSave ? tr("Can be kept compiled") : tr("Stays as it is in an export"),
                      .target = {node, {}}};
      if (!group.name.empty())
        station.lines.push_back({tr("as context node %1, %2 nodes").arg(text(group.name)).arg(group.nodes.size())});
      if (!group.reason.empty()) station.lines.push_back({told(group.reason), {}, StoryTone::kQuiet});
      stations.push_back(std::move(station));
      return;
    }
}

}  // namespace cutaway::ui
