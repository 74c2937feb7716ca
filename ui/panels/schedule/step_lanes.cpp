// From schedule to lanes.
#include "ui/panels/schedule/step_lanes.h"

#include <algorithm>

#include <QObject>
#include <QStringList>

#include "ui/base/cost_text.h"
#include "ui/base/format.h"
#include "ui/panels/schedule/schedule_tables.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

constexpr double kGap = 0.08;
constexpr int kColours = 6;

struct Source {
  std::shared_ptr<const WalkReport> walk;
  const GraphSchedule* schedule;
  const GraphReport& graph() const { return walk->partitionedGraphs->graphs[static_cast<size_t>(schedule->graph)]; }
  QString nodeText(int step) const {
    return nodeName(walk->partitionedGraphs.get(), schedule->graph, schedule->steps[static_cast<size_t>(step)].node);
  }
};

QString tipOf(const Source& source, int step) {
  const ScheduleStep& each = source.schedule->steps[static_cast<size_t>(step)];
  const std::string& unit = source.schedule->costUnit;
  QStringList lines = {
      source.nodeText(step),
      QObject::tr("step %1, %2").arg(step).arg(operatorText(source.graph().nodes[static_cast<size_t>(each.node)])),
      QObject::tr("cost %1").arg(costText(each.cost, unit))};
  lines << (each.slack <= 0 ? QObject::tr("on the critical path: no slack")
                            : QObject::tr("slack %1").arg(costText(each.slack, unit)));
  if (each.endStep > step) lines << QObject::tr("may still run when step %1 starts").arg(each.endStep);
  if (step < static_cast<int>(source.schedule->liveBytes.size()))
    lines << QObject::tr("live bytes %1").arg(sizeText(source.schedule->liveBytes[static_cast<size_t>(step)]));
  return lines.join(QLatin1Char('\n'));
}

QString shortTextOf(const Source& source, int step) {
  const ScheduleStep& each = source.schedule->steps[static_cast<size_t>(step)];
  QString words = QObject::tr("step %1 \u00b7 %2 \u00b7 %3")
                      .arg(step)
                      .arg(shortened(source.nodeText(step), 36), costText(each.cost, source.schedule->costUnit));
  return words + (each.slack <= 0
                      ? QObject::tr(" \u00b7 critical")
                      : QObject::tr(" \u00b7 slack %1").arg(costText(each.slack, source.schedule->costUnit)));
}

}  // namespace

bool usesWorkers(const GraphSchedule& schedule) {
  return std::any_of(schedule.steps.begin(), schedule.steps.end(),
                     [](const ScheduleStep& step) { return step.worker > 0; });
}

std::vector<double> stepStarts(const GraphSchedule& schedule, const GraphReport& graph, bool workers) {
  std::vector<double> starts(schedule.steps.size(), 0), endOfNode(graph.nodes.size(), 0), laneFree;
  double free = 0;  // without workers one thread runs all
  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    const ScheduleStep& step = schedule.steps[i];
    if (step.node < 0 || step.node >= static_cast<int32_t>(graph.nodes.size())) continue;
    const auto lane = static_cast<size_t>(std::max(0, step.worker));
    if (workers && lane >= laneFree.size()) laneFree.resize(lane + 1, 0);
    double start = workers ? laneFree[lane] : free;
    const NodeReport& node = graph.nodes[static_cast<size_t>(step.node)];
    for (const IndexList* values : {&node.inputs, &node.implicitInputs})
      for (const int32_t value : *values) {
        const int32_t producer = value < 0 || value >= static_cast<int32_t>(graph.values.size())
                                     ? kNone
                                     : graph.values[static_cast<size_t>(value)].producer;
        if (producer >= 0) start = std::max(start, endOfNode[static_cast<size_t>(producer)]);
      }
    starts[i] = start;
    const double end = start + static_cast<double>(std::max<int64_t>(0, step.cost));
    endOfNode[static_cast<size_t>(step.node)] = end;
    (workers ? laneFree[lane] : free) = end;
  }
  return starts;
}

LifeChartData stepLanes(const std::shared_ptr<const WalkReport>& walk, int which, TimelineAxis axis) {
  LifeChartData data;
  data.empty = QObject::tr("There are no steps.");
  if (!walk->schedule || !walk->partitionedGraphs || which < 0 ||
      which >= static_cast<int>(walk->schedule->graphs.size()))
    return data;
  const GraphSchedule& schedule = walk->schedule->graphs[static_cast<size_t>(which)];
  const Source source{walk, &schedule};
  const bool workers = usesWorkers(schedule), byCost = axis == TimelineAxis::kCost;
  const std::vector<double> starts = byCost ? stepStarts(schedule, source.graph(), workers) : std::vector<double>();
  int lanes = std::max<int>(1, workers ? 1 : static_cast<int>(schedule.streams.size()));
  for (const ScheduleStep& step : schedule.steps)
    lanes = std::max(lanes, (workers ? step.worker : step.stream) + 1);
  std::vector<bool> critical(source.graph().nodes.size());
  for (const int32_t node : schedule.criticalPath)
    if (node >= 0 && static_cast<size_t>(node) < critical.size()) critical[static_cast<size_t>(node)] = true;
  data.graph = schedule.graph;
  data.high = lanes;
  data.played = which == 0;
  data.width = 1;
  data.itemOfNode.assign(source.graph().nodes.size(), kNone);
  data.blocks.reserve(schedule.steps.size());
  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    const ScheduleStep& step = schedule.steps[i];
    if (step.node < 0 || step.node >= static_cast<int32_t>(critical.size())) continue;
    const int lane = std::max(0, workers ? step.worker : step.stream);
    LifeBlock block;
    block.item = static_cast<int32_t>(i);
    block.begin = byCost ? starts[i] : static_cast<double>(i);
    block.end = byCost ? starts[i] + static_cast<double>(std::max<int64_t>(0, step.cost))
                       : std::max<double>(static_cast<double>(i), step.endStep) + 1;
    block.from = lanes - lane - 1 + kGap;
    block.to = lanes - lane - kGap;
    block.category = static_cast<int16_t>(lane % kColours);
    block.emphasised = critical[static_cast<size_t>(step.node)];
    data.width = std::max(data.width, block.end);
    data.itemOfNode[static_cast<size_t>(step.node)] = block.item;
    data.blocks.push_back(block);
  }
  if (byCost)
    for (size_t i = 0; i < schedule.steps.size(); ++i)
      data.stepBegins.push_back(starts[i]),
          data.stepEnds.push_back(starts[i] + static_cast<double>(std::max<int64_t>(0, schedule.steps[i].cost)));
  for (int lane = 0; lane < lanes; ++lane)
    data.laneNames.push_back(workers ? QObject::tr("worker %1").arg(lane)
                             : lane < static_cast<int>(schedule.streams.size())
                                 ? text(schedule.streams[static_cast<size_t>(lane)])
                                 : QObject::tr("stream %1").arg(lane));
  data.legend = {{QObject::tr("critical path"), 0, BlockShape::kPlain, true},
                 {QObject::tr("has slack"), 0, BlockShape::kPlain, false}};
  data.axis = !byCost                       ? QObject::tr("step")
              : schedule.costUnit == "work" ? QObject::tr("estimated work: max(FLOP, 8 \u00d7 bytes)")
                                            : QObject::tr("time, if every node takes its cost");
  data.summary = QObject::tr("%1 steps on %2 lanes, critical path of %3 nodes")
                     .arg(schedule.steps.size())
                     .arg(lanes)
                     .arg(schedule.criticalPath.size());
  data.label = [source](int step) { return shortName(source.nodeText(step).toStdString()); };
  data.toolTip = [source](int step) { return tipOf(source, step); };
  data.target = [source](int step) {
    return RowTarget{
        {GraphVersion::kPartitioned, source.schedule->graph, source.schedule->steps[static_cast<size_t>(step)].node},
        {}};
  };
  if (byCost)
    data.axisText = [unit = schedule.costUnit](double at) { return costText(static_cast<int64_t>(at), unit); };
  data.stepText = [source, byCost, starts](double at) {
    size_t step = static_cast<size_t>(std::max(0.0, at));
    if (byCost)  // what started last before; with several lanes starts are not in order
      for (size_t i = step = 0; i < starts.size(); ++i)
        if (starts[i] <= at && starts[i] >= starts[step]) step = i;
    return step < source.schedule->steps.size() ? shortTextOf(source, static_cast<int>(step)) : QString();
  };
  return data;
}

}  // namespace cutaway::ui
