// Rows of the order panel's tables.
#include "ui/panels/schedule/schedule_tables.h"

#include <algorithm>

#include "ui/base/cost_text.h"
#include "ui/base/format.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

using Walk = std::shared_ptr<const WalkReport>;
const QString kDash = QStringLiteral("\u2013");

// A step of any graph, in one list: main graph first.
struct StepPlace {
  const GraphSchedule* schedule;
  int place;
  const ScheduleStep& step() const { return schedule->steps[static_cast<size_t>(place)]; }
  int64_t cost() const { return step().cost; }
  int64_t liveBytes() const {
    return place < static_cast<int>(schedule->liveBytes.size()) ? schedule->liveBytes[static_cast<size_t>(place)] : -1;
  }
  QString streamName() const {
    const int stream = step().stream;
    return stream >= 0 && stream < static_cast<int>(schedule->streams.size())
               ? text(schedule->streams[static_cast<size_t>(stream)])
               : QString();
  }
};

std::vector<StepPlace> listSteps(const ScheduleReport& report) {
  std::vector<StepPlace> steps;
  for (const GraphSchedule& schedule : report.graphs)
    for (size_t step = 0; step < schedule.steps.size(); ++step)
      steps.push_back({&schedule, static_cast<int>(step)});
  return steps;
}

double shareOf(int64_t part, int64_t whole) {
  return static_cast<double>(std::max<int64_t>(0, part)) / static_cast<double>(whole);
}

const NodeReport& nodeOf(const Walk& walk, const GraphSchedule& schedule, int node) {
  return walk->partitionedGraphs->graphs[static_cast<size_t>(schedule.graph)].nodes[static_cast<size_t>(node)];
}

QString titleOf(const Walk& walk, const GraphSchedule& schedule) {
  return text(walk->partitionedGraphs->graphs[static_cast<size_t>(schedule.graph)].title);
}

// What the figures of the column are.
QString costHelp(const Walk& walk) {
  if (!walk->schedule || walk->schedule->graphs.empty()) return {};
  const std::string& unit = walk->schedule->graphs.front().costUnit;
  if (unit == "ns") return QObject::tr("Time as measured");
  return unit == "work" ? workHelp() : QObject::tr("Sizes are open: every node counts the same");
}

}  // namespace

ReportRows stepRows(const Walk& walk) {
  using Steps = ColumnOf<StepPlace>;
  std::vector<StepPlace> steps = listSteps(*walk->schedule);
  int64_t mostCost = 1, mostLive = 1;
  for (const StepPlace& place : steps)
    mostCost = std::max(mostCost, place.cost()), mostLive = std::max(mostLive, place.liveBytes());
  std::vector<Steps> columns = {
      {.title = QObject::tr("Step"),
       .kind = Steps::kNumber,
       .text = [](const StepPlace& at) { return QString::number(at.place); },
       .key = &StepPlace::place},
      {.title = QObject::tr("Node"),
       .text =
           [walk](const StepPlace& at) {
             return nodeName(walk->partitionedGraphs.get(), at.schedule->graph, at.step().node);
           }},
      {.title = QObject::tr("Operator"),
       .text = [walk](const StepPlace& at) { return nodeOf(walk, *at.schedule, at.step().node).opType; }},
      {.title = QObject::tr("Cost"),
       .kind = Steps::kNumber,
       .help = costHelp(walk),
       .text = [](const StepPlace& at) { return costText(at.cost(), at.schedule->costUnit); },
       .key = &StepPlace::cost,
       .share = [mostCost](const StepPlace& at) { return shareOf(at.cost(), mostCost); }},
      {.title = QObject::tr("Slack"),
       .kind = Steps::kNumber,
       .help =
           QObject::tr("How much later it may end before the whole takes longer; nothing: it is on the critical path"),
       .text =
           [](const StepPlace& at) {
             return at.step().slack <= 0 ? QObject::tr("critical") : costText(at.step().slack, at.schedule->costUnit);
           },
       .key = [](const StepPlace& at) { return at.step().slack; }},
      {.title = QObject::tr("Live bytes"),
       .kind = Steps::kNumber,
       .help = QObject::tr("Activations alive while it runs"),
       .text = [](const StepPlace& at) { return at.liveBytes() < 0 ? kDash : sizeText(at.liveBytes()); },
       .key = &StepPlace::liveBytes,
       .share = [mostLive](const StepPlace& at) { return shareOf(at.liveBytes(), mostLive); }},
      {.title = QObject::tr("Worker"),
       .kind = Steps::kNumber,
       .text = [](const StepPlace& at) { return QString::number(at.step().worker); },
       .key = [](const StepPlace& at) { return at.step().worker; }},
      {.title = QObject::tr("May run until"),
       .kind = Steps::kNumber,
       .help = QObject::tr("The last step that may start before this one has ended"),
       .text = [](const StepPlace& at) { return QString::number(at.step().endStep); },
       .key = [](const StepPlace& at) { return at.step().endStep; }},
      {.title = QObject::tr("Stream"), .text = &StepPlace::streamName},
      {.title = QObject::tr("Provider"),
       .text = [walk](const StepPlace& at) { return nodeOf(walk, *at.schedule, at.step().node).provider; }},
      {.title = QObject::tr("Graph"), .text = [walk](const StepPlace& at) { return titleOf(walk, *at.schedule); }}};
  return rowsOf<StepPlace>(listOf(std::move(steps), walk), std::move(columns), [](const StepPlace& at) {
    return RowTarget{{GraphVersion::kPartitioned, at.schedule->graph, at.step().node}, {}};
  });
}

namespace {

// A node of the critical path of the main graph.
struct PathPlace {
  int place;
  int node;
  int step;  // kNone: the plan does not have it
  int64_t cost;
};

std::vector<PathPlace> listPath(const GraphSchedule& main) {
  std::vector<int32_t> stepOf;  // by node
  for (size_t i = 0; i < main.steps.size(); ++i) {
    const auto node = static_cast<size_t>(std::max(0, main.steps[i].node));
    if (node >= stepOf.size()) stepOf.resize(std::max(node + 1, main.steps.size()), kNone);
    stepOf[node] = static_cast<int32_t>(i);
  }
  std::vector<PathPlace> path;
  for (const int32_t node : main.criticalPath) {
    const int step = node >= 0 && static_cast<size_t>(node) < stepOf.size() ? stepOf[static_cast<size_t>(node)] : kNone;
    path.push_back({static_cast<int>(path.size()), node, step,
                    step < 0 ? int64_t{0} : main.steps[static_cast<size_t>(step)].cost});
  }
  return path;
}

}  // namespace

ReportRows criticalPathRows(const Walk& walk) {
  using Path = ColumnOf<PathPlace>;
  if (walk->schedule->graphs.empty()) return {};
  const GraphSchedule* main = &walk->schedule->graphs[0];
  std::vector<PathPlace> path = listPath(*main);
  int64_t most = 1;
  for (const PathPlace& at : path)
    most = std::max(most, at.cost);
  std::vector<Path> columns = {
      {.title = QObject::tr("Place"),
       .kind = Path::kNumber,
       .text = [](const PathPlace& at) { return QString::number(at.place + 1); },
       .key = &PathPlace::place},
      {.title = QObject::tr("Node"),
       .text = [walk,
                main](const PathPlace& at) { return nodeName(walk->partitionedGraphs.get(), main->graph, at.node); }},
      {.title = QObject::tr("Operator"),
       .text = [walk, main](const PathPlace& at) { return nodeOf(walk, *main, at.node).opType; }},
      {.title = QObject::tr("Cost"),
       .kind = Path::kNumber,
       .help = costHelp(walk),
       .text = [main](const PathPlace& at) { return costText(at.cost, main->costUnit); },
       .key = &PathPlace::cost,
       .share = [most](const PathPlace& at) { return static_cast<double>(at.cost) / static_cast<double>(most); }},
      {.title = QObject::tr("Of the path"),
       .kind = Path::kNumber,
       .text =
           [main](const PathPlace& at) {
             return percentText(main->criticalPathCost > 0
                                    ? static_cast<double>(at.cost) / static_cast<double>(main->criticalPathCost)
                                    : 0);
           },
       .key = &PathPlace::cost},
      {.title = QObject::tr("Step"),
       .kind = Path::kNumber,
       .text = [](const PathPlace& at) { return QString::number(at.step); },
       .key = &PathPlace::step}};
  return rowsOf<PathPlace>(listOf(std::move(path), walk), std::move(columns), [main](const PathPlace& at) {
    return RowTarget{{GraphVersion::kPartitioned, main->graph, at.node}, {}};
  });
}

namespace {

// A command of a stream.
struct CommandPlace {
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

std::vector<CommandPlace> listCommands(const ScheduleReport& report) {
  std::vector<CommandPlace> places;
  for (const GraphSchedule& schedule : report.graphs)
    for (size_t stream = 0; stream < schedule.streamPlans.size(); ++stream)
      for (size_t place = 0; place < schedule.streamPlans[stream].commands.size(); ++place)
        places.push_back({&schedule, static_cast<int>(stream), static_cast<int>(place)});
  return places;
}

}  // namespace

ReportRows commandRows(const Walk& walk) {
  using Commands = ColumnOf<CommandPlace>;
  std::vector<Commands> columns = {
      {.title = QObject::tr("Stream"),
       .text = [](const CommandPlace& at) { return at.schedule->streamPlans[static_cast<size_t>(at.stream)].name; }},
      {.title = QObject::tr("Place"),
       .kind = Commands::kNumber,
       .text = [](const CommandPlace& at) { return QString::number(at.place); },
       .key = &CommandPlace::place},
      {.title = QObject::tr("Command"),
       .text = [](const CommandPlace& at) { return streamCommandName(at.command().kind); }},
      {.title = QObject::tr("Node"),
       .help = QObject::tr("Launched; held back by a barrier or a wait; followed by a notification"),
       .text =
           [walk](const CommandPlace& at) {
             return at.node() < 0 ? kDash : nodeName(walk->partitionedGraphs.get(), at.schedule->graph, at.node());
           }},
      {.title = QObject::tr("Step"),
       .kind = Commands::kNumber,
       .text =
           [](const CommandPlace& at) { return at.command().step < 0 ? kDash : QString::number(at.command().step); },
       .key = [](const CommandPlace& at) { return at.command().step; }},
      {.title = QObject::tr("Notification"),
       .kind = Commands::kNumber,
       .text =
           [](const CommandPlace& at) {
             return at.command().notification < 0 ? QString() : QString::number(at.command().notification);
           },
       .key = [](const CommandPlace& at) { return at.command().notification; }},
      {.title = QObject::tr("Graph"), .text = [walk](const CommandPlace& at) { return titleOf(walk, *at.schedule); }}};
  return rowsOf<CommandPlace>(listOf(listCommands(*walk->schedule), walk), std::move(columns),
                              [](const CommandPlace& at) {
                                return RowTarget{{GraphVersion::kPartitioned, at.schedule->graph, at.node()}, {}};
                              });
}

}  // namespace cutaway::ui
