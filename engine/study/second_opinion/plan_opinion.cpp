// Order and memory of the same graph in two engines.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/format.h"
#include "engine/study/second_opinion/second_opinion.h"
#include "engine/study/second_opinion/type_words.h"

namespace cutaway::study {

namespace {

// Both were given the other engine's optimised model: figures of the walk itself are of another graph.
constexpr const char* kSameGraph = ", same graph";

std::vector<std::string> orderOf(const WalkReport& walk) {
  std::vector<std::string> names;
  const GraphReport& graph = walk.partitionedGraphs->graphs.front();
  for (const GraphSchedule& schedule : walk.schedule->graphs)
    if (schedule.graph == 0)
      for (const ScheduleStep& step : schedule.steps)
        names.push_back(graph.nodes[static_cast<size_t>(step.node)].name);
  return names;
}

std::vector<std::string> orderOf(const OtherEngine& theirs) {
  std::vector<std::string> names;
  for (const OtherEvent& event : theirs.events)
    names.push_back(event.node);
  return names;
}

std::string someOf(const std::vector<std::string>& names) {
  constexpr size_t kShown = 4;
  const std::vector<std::string> shown(names.begin(),
                                       names.begin() + static_cast<int64_t>(std::min(names.size(), kShown)));
  return names.empty() ? "none" : fmt::format("{}{}", fmt::join(shown, ", "), names.size() > kShown ? " ..." : "");
}

std::vector<std::string> onlyIn(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  const std::set<std::string> known(other.begin(), other.end());
  std::vector<std::string> only;
  for (const std::string& name : one)
    if (!known.contains(name)) only.push_back(name);
  return only;
}

// Of nodes that both run: the same order?
bool sameWhereCommon(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  const std::vector<std::string> onlyOne = onlyIn(one, other), onlyOther = onlyIn(other, one);
  const auto common = [](const std::vector<std::string>& all, const std::vector<std::string>& without) {
    const std::set<std::string> left(without.begin(), without.end());
    std::vector<std::string> kept;
    std::ranges::copy_if(all, std::back_inserter(kept), [&](const std::string& name) { return !left.contains(name); });
    return kept;
  };
  return common(one, onlyOne) == common(other, onlyOther);
}

std::string whyNot(const OurEngine& ours, const OtherEngine& theirs) {
  if (!theirs.graphProblem.empty()) return theirs.graphProblem;
  if (theirs.events.empty()) return theirs.name + " profiled no node of the same graph";
  if (!ours.sameGraph || !ours.sameGraph->schedule || !ours.sameGraph->partitionedGraphs)
    return "this engine did not plan the same graph: " + ours.sameGraphProblem;
  return {};
}

std::vector<std::string> unplannedValues(const WalkReport& walk) {
  std::vector<std::string> names;
  for (const GraphPattern& pattern : walk.pattern->graphs)
    for (const int32_t value : pattern.unplanned)
      if (pattern.graph == 0)
        names.push_back(walk.partitionedGraphs->graphs.front().values[static_cast<size_t>(value)].name);
  return names;
}

// The first outputs of nodes of the same graph; the other engine's own nodes are not among them.
std::vector<std::string> outputsOf(const WalkReport& walk, const std::vector<std::string>& nodes) {
  const std::set<std::string> wanted(nodes.begin(), nodes.end());
  const GraphReport& graph = walk.partitionedGraphs->graphs.front();
  std::vector<std::string> values;
  for (const NodeReport& node : graph.nodes)
    if (wanted.contains(node.name) && !node.outputs.empty() && node.outputs.front() >= 0)
      values.push_back(graph.values[static_cast<size_t>(node.outputs.front())].name);
  return values;
}

OpinionDifference blockDifference(const OurEngine& ours, const OtherEngine& theirs, int64_t block) {
  OpinionDifference difference{"planned block", formatBytes(block), formatBytes(theirs.blockBytes), "", ""};
  const std::vector<std::string> here = orderOf(*ours.sameGraph), there = orderOf(theirs);
  if (std::set<std::string>(here.begin(), here.end()) != std::set<std::string>(there.begin(), there.end())) {
    difference.rule = "other nodes";
    difference.explanation =
        fmt::format("only here: {}; only there: {}", someOf(onlyIn(here, there)), someOf(onlyIn(there, here)));
    difference.values = outputsOf(*ours.sameGraph, onlyIn(here, there));
    return difference;
  }
  // A size that is known before running decides who may take whose buffer, and what is in the block at all.
  const std::map<std::string, std::string> known(theirs.inferred.begin(), theirs.inferred.end());
  std::vector<std::string> others;
  for (const ValueReport& value : ours.sameGraph->partitionedGraphs->graphs.front().values)
    if (const auto told = known.find(value.name); told != known.end() && value.producer >= 0)
      if (!tellTheSame(wordsOf(value.type), wordsOf(told->second))) {
        difference.values.push_back(value.name);
        others.push_back(fmt::format("'{}' is {} here and {} there", value.name, value.type, told->second));
      }
  if (!others.empty()) {
    difference.rule = "unknown size";
    difference.explanation = fmt::format("shape inference differs for {} values: {}",
                                         formatCount(static_cast<int64_t>(others.size())), others.front());
  }
  return difference;
}

}  // namespace

int64_t plannedBlock(const WalkReport& walk) {
  if (!walk.pattern) return 0;
  int64_t block = 0;
  for (const GraphPattern& pattern : walk.pattern->graphs)
    if (pattern.graph == 0) block += pattern.peakBytes;
  return !unplannedValues(walk).empty() && walk.run ? walk.run->plannedPeakBytes : block;
}

StageOpinion compareOrder(const OurEngine& ours, const OtherEngine& theirs) {
  StageOpinion stage{.stage = OpinionStage::kOrder};
  stage.problem = whyNot(ours, theirs);
  if (!stage.problem.empty()) return stage;
  const std::vector<std::string> here = orderOf(*ours.sameGraph), there = orderOf(theirs);
  stage.ours = fmt::format("{} steps{}", formatCount(std::ssize(here)), kSameGraph);
  stage.theirs = fmt::format("{} steps{}", formatCount(std::ssize(there)), kSameGraph);
  const auto [first, second] = std::ranges::mismatch(here, there);
  const auto common = static_cast<int64_t>(first - here.begin());
  stage.rows.push_back({"steps of the same graph", stage.ours, stage.theirs});
  stage.rows.push_back({"steps that are the same from the start", formatCount(common), formatCount(common)});
  if (here == there) return stage;
  const std::vector<std::string> onlyHere = onlyIn(here, there), onlyThere = onlyIn(there, here);
  OpinionDifference difference{fmt::format("order from step {}", formatCount(common)), someOf({first, here.end()}),
                               someOf({second, there.end()}), "", ""};
  if ((!onlyHere.empty() || !onlyThere.empty()) && sameWhereCommon(here, there)) {
    difference.rule = "other nodes";
    difference.explanation = fmt::format("only here: {}; only there: {}", someOf(onlyHere), someOf(onlyThere));
  }
  // Where they part: the nodes that only one has, or the step of each.
  std::vector<std::string> parting = onlyHere;
  if (parting.empty() && first != here.end()) parting.push_back(*first);
  if (onlyHere.empty() && second != there.end()) parting.push_back(*second);
  difference.values = outputsOf(*ours.sameGraph, parting);
  stage.differences.push_back(std::move(difference));
  return stage;
}

StageOpinion compareMemory(const OurEngine& ours, const OtherEngine& theirs) {
  StageOpinion stage{.stage = OpinionStage::kMemory};
  stage.problem = whyNot(ours, theirs);
  if (stage.problem.empty() && !ours.sameGraph->pattern) stage.problem = "this engine planned no block";
  if (!stage.problem.empty()) return stage;
  const int64_t block = plannedBlock(*ours.sameGraph);
  stage.ours = fmt::format("block {}{}", formatBytes(block), kSameGraph);
  stage.theirs = theirs.blockBytes < 0 ? std::string("block not told")
                                       : fmt::format("block {}{}", formatBytes(theirs.blockBytes), kSameGraph);
  stage.rows.push_back({"block of the memory pattern, same graph, by onnxruntime's rules", formatBytes(block),
                        theirs.blockBytes < 0 ? "not told (from 1.31 on)" : formatBytes(theirs.blockBytes)});
  if (ours.walk->pattern && ours.walk->pattern->eligible)
    stage.rows.push_back({"block as this engine plans the model", formatBytes(ours.walk->pattern->peakBytes), "-"});
  if (ours.sameGraph->run)
    stage.rows.push_back(
        {"most memory of values in a run", formatBytes(ours.sameGraph->run->measuredPeakBytes), "-", "measured once"});
  for (const auto& [name, value] : theirs.memory)
    if (name == "InUse" || name == "MaxInUse" || name == "TotalAllocated") {
      int64_t bytes = 0;
      for (const char c : value)
        if (c >= '0' && c <= '9' && bytes < (int64_t{1} << 58)) bytes = bytes * 10 + (c - '0');
      stage.rows.push_back({"arena, " + name, "-", formatBytes(bytes), "measured after the runs"});
    }
  if (theirs.blockBytes < 0) stage.problem = theirs.name + " does not tell its block (from 1.31 on)";
  if (theirs.blockBytes >= 0 && block != theirs.blockBytes)
    stage.differences.push_back(blockDifference(ours, theirs, block));
  return stage;
}

}  // namespace cutaway::study
