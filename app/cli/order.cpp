// order: the steps in execution order, with the critical path.
#include <set>

#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"

namespace cutaway::cli {

namespace {

void printOrder(const WalkReport& walk) {
  for (const GraphSchedule& schedule : walk.schedule->graphs) {
    const GraphReport& graph = walk.partitionedGraphs->graphs[static_cast<size_t>(schedule.graph)];
    fmt::print("{}: {} steps, order {}, critical path {} nodes, at most {} at once\n", graph.title, formatCount(static_cast<int64_t>(schedule.steps.size())), walk.schedule->order, schedule.criticalPath.size(), schedule.width);
    const std::set<int32_t> critical(schedule.criticalPath.begin(), schedule.criticalPath.end());
    TextTable table({">step", "node", "operator", "provider", "stream", "critical"});
    int64_t number = 0;
    for (const ScheduleStep& step : schedule.steps) {
      const NodeReport& node = graph.nodes[static_cast<size_t>(step.node)];
      const bool named = static_cast<size_t>(step.stream) < schedule.streams.size();
      table.add({fmt::format("{}", number++), nodeLabel(graph, step.node), node.opType, node.provider, named ? schedule.streams[static_cast<size_t>(step.stream)] : "", critical.contains(step.node) ? "*" : ""});
    }
    table.print();
    fmt::print("\n");
  }
}

}  // namespace

Verb verb_order() {
  return {.name = "order",
          .help = "the execution order, step by step",
          .example = "cutaway-cli order model.onnx --order fifo",
          .declare = [](CLI::App& command) { return declareStageVerb(command, Stage::kSchedule, printOrder); }};
}

}  // namespace cutaway::cli
