// Rows of the order panel's tables.
#include "ui/panels/schedule/schedule_tables.h"

#include <algorithm>
#include <unordered_map>

#include "ui/base/format.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

using Walk = std::shared_ptr<const WalkReport>;
const QString kDash = QStringLiteral("\u2013");

// A step of any graph, in one list: main graph first.
struct StepPlace {
  const GraphSchedule* schedule;
  int step;
  const ScheduleStep& operator*() const { return schedule->steps[static_cast<size_t>(step)]; }
};

std::vector<StepPlace> listSteps(const ScheduleReport& report) {
  std::vector<StepPlace> steps;
  for (const GraphSchedule& schedule : report.graphs)
    for (size_t step = 0; step < schedule.steps.size(); ++step)
      steps.push_back({&schedule, static_cast<int>(step)});
  return steps;
}

const NodeReport& nodeOf(const Walk& walk, const GraphSchedule& schedule, int node) {
  return walk->partitionedGraphs->graphs[static_cast<size_t>(schedule.graph)].nodes[static_cast<size_t>(node)];
}

QString streamName(const GraphSchedule& schedule, int stream) {
  return stream >= 0 && stream < static_cast<int>(schedule.streams.size())
             ? text(schedule.streams[static_cast<size_t>(stream)])
             : QString();
}

int64_t liveAt(const StepPlace& place) {
  return place.step < static_cast<int>(place.schedule->liveBytes.size())
             ? place.schedule->liveBytes[static_cast<size_t>(place.step)]
             : -1;
}

}  // namespace

QString costText(int64_t cost, const std::string& unit) {
  if (unit == "flops") return workText(cost);
  if (unit == "ns") return timeText(cost);
  return cost == 1 ? QObject::tr("1 node") : QObject::tr("%1 nodes").arg(countText(cost));
}

ReportRows stepRows(const Walk& walk) {
  enum { kStep, kNode, kOperator, kCost, kSlack, kLive, kWorker, kEnd, kStream, kProvider, kGraph };
  const auto steps = std::make_shared<const std::vector<StepPlace>>(listSteps(*walk->schedule));
  const auto at = [walk, steps](int row) -> const StepPlace& { return (*steps)[static_cast<size_t>(row)]; };
  int64_t mostCost = 1, mostLive = 1;
  for (const StepPlace& place : *steps)
    mostCost = std::max(mostCost, (*place).cost), mostLive = std::max(mostLive, liveAt(place));
  return {
      .columns = {{QObject::tr("Step"), Column::kNumber},
                  {QObject::tr("Node")},
                  {QObject::tr("Operator")},
                  {QObject::tr("Cost"), Column::kNumber},
                  {QObject::tr("Slack"), Column::kNumber,
                   QObject::tr(
                       "How much later it may end before the whole takes longer; nothing: it is on the critical path")},
                  {QObject::tr("Live bytes"), Column::kNumber, QObject::tr("Activations alive while it runs")},
                  {QObject::tr("Worker"), Column::kNumber},
                  {QObject::tr("May run until"), Column::kNumber,
                   QObject::tr("The last step that may start before this one has ended")},
                  {QObject::tr("Stream")},
                  {QObject::tr("Provider")},
                  {QObject::tr("Graph")}},
      .rows = static_cast<int>(steps->size()),
      .cell = [walk, at](int row, int column) -> QString {
        const StepPlace& place = at(row);
        const ScheduleStep& step = *place;
        switch (column) {
          case kStep:
            return QString::number(place.step);
          case kNode:
            return nodeName(walk->partitionedGraphs.get(), place.schedule->graph, step.node);
          case kOperator:
            return text(nodeOf(walk, *place.schedule, step.node).opType);
          case kCost:
            return costText(step.cost, place.schedule->costUnit);
          case kSlack:
            return step.slack <= 0 ? QObject::tr("critical") : costText(step.slack, place.schedule->costUnit);
          case kLive:
            return liveAt(place) < 0 ? kDash : sizeText(liveAt(place));
          case kWorker:
            return QString::number(step.worker);
          case kEnd:
            return QString::number(step.endStep);
          case kStream:
            return streamName(*place.schedule, step.stream);
          case kProvider:
            return text(nodeOf(walk, *place.schedule, step.node).provider);
          default:
            return text(walk->partitionedGraphs->graphs[static_cast<size_t>(place.schedule->graph)].title);
        }
      },
      .sortKey =
          [at](int row, int column) {
            const StepPlace& place = at(row);
            switch (column) {
              case kStep:
                return QVariant(place.step);
              case kCost:
                return QVariant(qlonglong((*place).cost));
              case kSlack:
                return QVariant(qlonglong((*place).slack));
              case kLive:
                return QVariant(qlonglong(liveAt(place)));
              case kWorker:
                return QVariant((*place).worker);
              case kEnd:
                return QVariant((*place).endStep);
              default:
                return QVariant();
            }
          },
      .target =
          [at](int row) {
            return RowTarget{{GraphVersion::kPartitioned, at(row).schedule->graph, (*at(row)).node}, {}};
          },
      .share =
          [at, mostCost, mostLive](int row, int column) {
            const auto share = [](int64_t part, int64_t whole) {
              return QVariant(static_cast<double>(std::max<int64_t>(0, part)) / static_cast<double>(whole));
            };
            return column == kCost   ? share((*at(row)).cost, mostCost)
                   : column == kLive ? share(liveAt(at(row)), mostLive)
                                     : QVariant();
          }};
}

ReportRows criticalPathRows(const Walk& walk) {
  enum { kPlace, kNode, kOperator, kCost, kShare, kStep };
  if (walk->schedule->graphs.empty()) return {};
  const GraphSchedule* main = &walk->schedule->graphs[0];
  const auto steps = std::make_shared<std::unordered_map<int32_t, int32_t>>();
  for (size_t i = 0; i < main->steps.size(); ++i)
    steps->emplace(main->steps[i].node, static_cast<int32_t>(i));
  const auto node = [main](int row) { return main->criticalPath[static_cast<size_t>(row)]; };
  const auto step = [steps, node](int row) {
    const auto found = steps->find(node(row));
    return found == steps->end() ? kNone : found->second;
  };
  const auto cost = [main, step](int row) {
    return step(row) < 0 ? int64_t{0} : main->steps[static_cast<size_t>(step(row))].cost;
  };
  int64_t most = 1;
  for (int row = 0; row < static_cast<int>(main->criticalPath.size()); ++row)
    most = std::max(most, cost(row));
  return {
      .columns = {{QObject::tr("Place"), Column::kNumber},
                  {QObject::tr("Node")},
                  {QObject::tr("Operator")},
                  {QObject::tr("Cost"), Column::kNumber},
                  {QObject::tr("Of the path"), Column::kNumber},
                  {QObject::tr("Step"), Column::kNumber}},
      .rows = static_cast<int>(main->criticalPath.size()),
      .cell = [walk, main, node, step, cost](int row, int column) -> QString {
        switch (column) {
          case kPlace:
            return QString::number(row + 1);
          case kNode:
            return nodeName(walk->partitionedGraphs.get(), main->graph, node(row));
          case kOperator:
            return text(nodeOf(walk, *main, node(row)).opType);
          case kCost:
            return costText(cost(row), main->costUnit);
          case kShare:
            return percentText(main->criticalPathCost > 0
                                   ? static_cast<double>(cost(row)) / static_cast<double>(main->criticalPathCost)
                                   : 0);
          default:
            return QString::number(step(row));
        }
      },
      .sortKey =
          [step, cost](int row, int column) {
            return column == kPlace                      ? QVariant(row)
                   : column == kCost || column == kShare ? QVariant(qlonglong(cost(row)))
                   : column == kStep                     ? QVariant(step(row))
                                                         : QVariant();
          },
      .target = [main, node](int row) { return RowTarget{{GraphVersion::kPartitioned, main->graph, node(row)}, {}}; },
      .share =
          [cost, most](int row, int column) {
            return column == kCost ? QVariant(static_cast<double>(cost(row)) / static_cast<double>(most)) : QVariant();
          }};
}

ReportRows commandRows(const Walk& walk) {
  enum { kStream, kPlace, kCommand, kNode, kStep, kNumber, kGraph };
  struct Place {
    const GraphSchedule* schedule;
    int stream;
    int place;
    const StreamCommand& command() const {
      return schedule->streamPlans[static_cast<size_t>(stream)].commands[static_cast<size_t>(place)];
    }
    int node() const {
      return command().step >= 0 && command().step < static_cast<int>(schedule->steps.size())
                 ? schedule->steps[static_cast<size_t>(command().step)].node
                 : kNone;
    }
  };
  const auto places = std::make_shared<std::vector<Place>>();
  for (const GraphSchedule& schedule : walk->schedule->graphs)
    for (size_t stream = 0; stream < schedule.streamPlans.size(); ++stream)
      for (size_t place = 0; place < schedule.streamPlans[stream].commands.size(); ++place)
        places->push_back({&schedule, static_cast<int>(stream), static_cast<int>(place)});
  const auto at = [walk, places](int row) -> const Place& { return (*places)[static_cast<size_t>(row)]; };
  return {.columns = {{QObject::tr("Stream")},
                      {QObject::tr("Place"), Column::kNumber},
                      {QObject::tr("Command")},
                      {QObject::tr("Node"), Column::kText,
                       QObject::tr("Launched; held back by a barrier or a wait; followed by a notification")},
                      {QObject::tr("Step"), Column::kNumber},
                      {QObject::tr("Notification"), Column::kNumber},
                      {QObject::tr("Graph")}},
          .rows = static_cast<int>(places->size()),
          .cell = [walk, at](int row, int column) -> QString {
            const Place& place = at(row);
            switch (column) {
              case kStream:
                return text(place.schedule->streamPlans[static_cast<size_t>(place.stream)].name);
              case kPlace:
                return QString::number(place.place);
              case kCommand:
                return text(streamCommandName(place.command().kind));
              case kNode:
                return place.node() < 0 ? kDash
                                        : nodeName(walk->partitionedGraphs.get(), place.schedule->graph, place.node());
              case kStep:
                return place.command().step < 0 ? kDash : QString::number(place.command().step);
              case kNumber:
                return place.command().notification < 0 ? QString() : QString::number(place.command().notification);
              default:
                return text(walk->partitionedGraphs->graphs[static_cast<size_t>(place.schedule->graph)].title);
            }
          },
          .sortKey =
              [at](int row, int column) {
                return column == kPlace    ? QVariant(at(row).place)
                       : column == kStep   ? QVariant(at(row).command().step)
                       : column == kNumber ? QVariant(at(row).command().notification)
                                           : QVariant();
              },
          .target =
              [at](int row) {
                return RowTarget{{GraphVersion::kPartitioned, at(row).schedule->graph, at(row).node()}, {}};
              }};
}

}  // namespace cutaway::ui
