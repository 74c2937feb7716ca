// order: the steps in execution order with their work and slack, the critical path, and what streams wait for.
#include <algorithm>
#include <set>

#include <CLI/CLI.hpp>

#include "app/cli/output.h"
#include "app/cli/plan_verb.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"

namespace cutaway::cli {

namespace {

std::string workText(int64_t cost, const std::string& unit) {
  if (unit == "ns") return formatTime(cost);
  return unit == "work" ? formatCount((cost + 999) / 1000) + " k" : formatCount(cost);
}

std::string commandText(const StreamCommand& command) {
  const std::string step = command.step == kNone ? "" : fmt::format(" {}", command.step);
  return fmt::format("{}{}{}", streamCommandName(command.kind), step,
                     command.notification == kNone ? "" : fmt::format(" #{}", command.notification));
}

// Launches of one device need no list of their own: the steps above are it.
void printStreams(const GraphSchedule& schedule) {
  if (schedule.streamPlans.size() < 2) return;
  constexpr size_t kShown = 60;
  for (const StreamReport& stream : schedule.streamPlans) {
    put("stream {}: ", stream.name);
    for (size_t i = 0; i < stream.commands.size() && i < kShown; ++i)
      put("{}{}", i > 0 ? ", " : "", commandText(stream.commands[i]));
    put("{}\n", stream.commands.size() > kShown ? fmt::format(" and {} more", stream.commands.size() - kShown) : "");
  }
}

void printGraph(const GraphReport& graph, const GraphSchedule& schedule, const ScheduleReport& report) {
  const bool weighed = schedule.costUnit != "nodes";
  put("{}: {} steps, order {}, critical path {} nodes{}, at most {} at once{}\n", graph.title,
      formatCount(static_cast<int64_t>(schedule.steps.size())), report.order, schedule.criticalPath.size(),
      weighed && schedule.totalCost > 0
          ? fmt::format(" with {:.0f} % of the work", 100.0 * static_cast<double>(schedule.criticalPathCost) /
                                                          static_cast<double>(schedule.totalCost))
          : "",
      schedule.width,
      schedule.peakBytes >= 0 ? fmt::format(", {} alive at most", formatBytes(schedule.peakBytes)) : "");
  const std::set<int32_t> critical(schedule.criticalPath.begin(), schedule.criticalPath.end());
  const bool lanes = std::any_of(schedule.steps.begin(), schedule.steps.end(),
                                 [](const ScheduleStep& step) { return step.worker > 0; });
  using Step = ScheduleStep;
  const auto placeOf = [&](const Step& step) { return static_cast<size_t>(&step - schedule.steps.data()); };
  const auto nodeOf = [&](const Step& step) -> const NodeReport& {
    return graph.nodes[static_cast<size_t>(step.node)];
  };
  const auto streamOf = [&](const Step& step) {
    const bool named = static_cast<size_t>(step.stream) < schedule.streams.size();
    return named ? schedule.streams[static_cast<size_t>(step.stream)] : std::string();
  };
  const TableOf<Step> table(
      {{">step", [&](const Step& step) { return fmt::format("{}", placeOf(step)); }},
       {"node", [&](const Step& step) { return nodeLabel(graph, step.node); }},
       {"operator", [&](const Step& step) { return nodeOf(step).opType; }},
       {"provider", [&](const Step& step) { return nodeOf(step).provider; }},
       lanes ? TextColumn<Step>{"worker", [](const Step& step) { return fmt::format("{}", step.worker); }}
             : TextColumn<Step>{"stream", streamOf},
       {">work", [&](const Step& step) { return workText(step.cost, schedule.costUnit); }},
       {">slack", [&](const Step& step) { return workText(step.slack, schedule.costUnit); }},
       {">alive",
        [&](const Step& step) {
          return placeOf(step) < schedule.liveBytes.size() ? formatBytes(schedule.liveBytes[placeOf(step)]) : "";
        }},
       {"critical", [&](const Step& step) { return critical.contains(step.node) ? "*" : ""; }}},
      schedule.steps);
  table.print();
  printStreams(schedule);
  put("\n");
}

void printOrder(const WalkReport& walk) {
  if (!walk.schedule->note.empty()) put("{}\n", walk.schedule->note);
  for (const GraphSchedule& schedule : walk.schedule->graphs)
    printGraph(walk.partitionedGraphs->graphs[static_cast<size_t>(schedule.graph)], schedule, *walk.schedule);
}

}  // namespace

Verb verb_order() {
  return {.name = "order",
          .help = "the execution order, step by step",
          .example =
              "cutaway-cli order model.onnx --order memory\n"
              "  cutaway-cli order model.onnx --compare-orders",
          .declare = [](CLI::App& command) { return declarePlanVerb(command, Stage::kSchedule, printOrder); }};
}

}  // namespace cutaway::cli
