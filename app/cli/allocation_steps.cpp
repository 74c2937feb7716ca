#include "app/cli/allocation_steps.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/cli/node_label.h"
#include "app/cli/output.h"
#include "app/cli/text_table.h"
#include "engine/report/allocation_replay.h"

namespace cutaway::cli {
namespace {

using Json = nlohmann::json;

constexpr size_t kNamedBuffers = 6;

struct Replayed {
  const GraphReport& graph;
  const GraphAllocation& allocation;
  AllocationReplay replay;
};

std::vector<Replayed> replays(const WalkReport& walk) {
  std::vector<Replayed> all;
  for (const GraphAllocation& allocation : walk.allocate->graphs) {
    const auto schedule = std::find_if(walk.schedule->graphs.begin(), walk.schedule->graphs.end(),
                                       [&](const GraphSchedule& each) { return each.graph == allocation.graph; });
    if (schedule == walk.schedule->graphs.end()) continue;
    const GraphReport& graph = walk.partitionedGraphs->graphs[static_cast<size_t>(allocation.graph)];
    all.push_back({graph, allocation, replayAllocation(graph, *schedule, allocation)});
  }
  return all;
}

// "C: free buffer of A", "B: new buffer".
std::string placedText(const Replayed& replayed, int32_t value) {
  const ValueAllocation& placed = replayed.allocation.values[static_cast<size_t>(value)];
  const std::string of = placed.reusedValue == kNone ? "" : " of " + valueName(replayed.graph, placed.reusedValue);
  return fmt::format("{}: {}{}", valueName(replayed.graph, value), allocRuleName(placed.rule), of);
}

std::string usesText(const Replayed& replayed, const BufferUses& uses) {
  return fmt::format("{} {} > {} > {}", valueName(replayed.graph, uses.buffer), uses.before, uses.placed, uses.after);
}

// The newest first: the next to be taken.
std::string freeText(const Replayed& replayed, const std::vector<int32_t>& free) {
  std::vector<std::string> names;
  for (size_t i = free.size(); i-- > 0 && names.size() < kNamedBuffers;)
    names.push_back(valueName(replayed.graph, free[i]));
  const std::string rest =
      free.size() > kNamedBuffers ? fmt::format(" and {} more", free.size() - kNamedBuffers) : std::string();
  return fmt::format("{}{}", fmt::join(names, ", "), rest);
}

void printSteps(const Replayed& replayed) {
  TextTable table({">step", "node", "makes", "uses before > with outputs > after", "free behind it, newest first"});
  std::vector<int32_t> free;
  for (const ReplayStep& step : replayed.replay.steps) {
    step.changeFreeList(replayed.allocation, free);
    std::vector<std::string> made, uses;
    for (const int32_t value : step.placed)
      made.push_back(placedText(replayed, value));
    for (const BufferUses& each : step.uses)
      uses.push_back(usesText(replayed, each));
    table.add({fmt::format("{}", step.step), nodeLabel(replayed.graph, step.node),
               fmt::format("{}", fmt::join(made, "; ")), fmt::format("{}", fmt::join(uses, "; ")),
               freeText(replayed, free)});
  }
  put("\n{}, step by step\n", replayed.graph.title);
  table.print(0, 120);
}

}  // namespace

void printAllocationSteps(const WalkReport& walk) {
  for (const Replayed& replayed : replays(walk))
    printSteps(replayed);
  put("\nUses of a buffer are those of every value in it: readers, its definition, places among the outputs; one more "
      "for feeds and weights. At 0 it is free.\n");
}

Json allocationStepsToJson(const WalkReport& walk) {
  Json graphs = Json::array();
  for (const Replayed& replayed : replays(walk)) {
    Json steps = Json::array();
    for (const ReplayStep& step : replayed.replay.steps) {
      Json uses = Json::array();
      for (const BufferUses& each : step.uses)
        uses.push_back(
            {{"buffer", each.buffer}, {"before", each.before}, {"placed", each.placed}, {"after", each.after}});
      steps.push_back({{"step", step.step},
                       {"node", step.node},
                       {"placed", step.placed},
                       {"uses", std::move(uses)},
                       {"taken", step.taken},
                       {"freed", step.freed}});
    }
    graphs.push_back({{"graph", replayed.replay.graph}, {"steps", std::move(steps)}});
  }
  return graphs;
}

}  // namespace cutaway::cli
