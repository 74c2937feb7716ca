// Two profiles of one model. Nodes are matched by graph and name; unnamed ones, and names that stand for several nodes,
// by operator and place among their like.

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <unordered_map>

#include "engine/base/node_name.h"
#include "engine/profile/profiles.h"
#include "engine/profile/statistics.h"

namespace cutaway::profile {
namespace {

const NodeReport* nodeOf(const ModelGraphs& graphs, const NodeTiming& timing) {
  if (timing.graph < 0 || static_cast<size_t>(timing.graph) >= graphs.graphs.size()) return nullptr;
  const std::vector<NodeReport>& nodes = graphs.graphs[static_cast<size_t>(timing.graph)].nodes;
  return timing.node < 0 || static_cast<size_t>(timing.node) >= nodes.size() ? nullptr
                                                                             : &nodes[static_cast<size_t>(timing.node)];
}

struct Side {
  const RunReport& run;
  const ModelGraphs& graphs;
};

// Keys of a side's timings; equal keys mean the same node.
std::map<std::string, const NodeTiming*> byKey(const Side& side) {
  std::map<std::string, const NodeTiming*> keys;
  std::unordered_map<std::string, int> seen;
  std::vector<const NodeTiming*> inGraphOrder;
  for (const NodeTiming& timing : side.run.nodes)
    inGraphOrder.push_back(&timing);
  std::ranges::stable_sort(inGraphOrder, [](const NodeTiming* a, const NodeTiming* b) {
    return a->graph != b->graph ? a->graph < b->graph : a->node < b->node;
  });
  for (const NodeTiming* timing : inGraphOrder) {
    const NodeReport* node = nodeOf(side.graphs, *timing);
    if (node == nullptr) continue;
    const std::string name =
        std::to_string(timing->graph) + (node->name.empty() ? "/" + node->opType : ":" + node->name);
    keys.emplace(name + '\0' + std::to_string(seen[name]++), timing);
  }
  return keys;
}

Summary summaryOf(const NodeTiming& timing, const RunReport& run) {
  // Medians of normal times spread pi / 2 times as much as their means (in variance).
  return {static_cast<double>(timing.totalNs), timing.deviationNs * std::sqrt(std::numbers::pi / 2), run.runs};
}

NodeTimeDifference oneSided(const NodeTiming& timing, const ModelGraphs& graphs, bool isA) {
  const NodeReport& node = *nodeOf(graphs, timing);
  NodeTimeDifference difference;
  difference.name = nodeName(node.name, node.opType, static_cast<size_t>(timing.node));
  difference.opType = node.opType;
  difference.graph = timing.graph;
  (isA ? difference.nodeA : difference.nodeB) = timing.node;
  (isA ? difference.aNs : difference.bNs) = timing.totalNs;
  const double change = static_cast<double>(difference.bNs - difference.aNs);
  difference.lowNs = difference.highNs = change;
  return difference;
}

NodeTimeDifference bothSided(const NodeTiming& a, const NodeTiming& b, const Side& sideA, const Side& sideB) {
  NodeTimeDifference difference = oneSided(a, sideA.graphs, true);
  difference.nodeB = b.node;
  difference.bNs = b.totalNs;
  const Interval interval = welchInterval(summaryOf(a, sideA.run), summaryOf(b, sideB.run));
  const bool known = std::isfinite(interval.low) && std::isfinite(interval.high);
  const double change = static_cast<double>(b.totalNs - a.totalNs);
  difference.lowNs = known ? interval.low : change;
  difference.highNs = known ? interval.high : change;
  difference.significant = known && (interval.low > 0 || interval.high < 0);
  return difference;
}

void compareNodes(const Side& a, const Side& b, RunComparison& comparison) {
  const auto keysA = byKey(a);
  const auto keysB = byKey(b);
  for (const auto& [key, timing] : keysA) {
    const auto other = keysB.find(key);
    if (other == keysB.end()) {
      ++comparison.onlyA;
      comparison.nodes.push_back(oneSided(*timing, a.graphs, true));
    } else {
      comparison.nodes.push_back(bothSided(*timing, *other->second, a, b));
    }
  }
  for (const auto& [key, timing] : keysB) {
    if (keysA.contains(key)) continue;
    ++comparison.onlyB;
    comparison.nodes.push_back(oneSided(*timing, b.graphs, false));
  }
  std::ranges::stable_sort(comparison.nodes, [](const NodeTimeDifference& left, const NodeTimeDifference& right) {
    const int64_t changeLeft = std::abs(left.bNs - left.aNs);
    const int64_t changeRight = std::abs(right.bNs - right.aNs);
    if (changeLeft != changeRight) return changeLeft > changeRight;
    return left.graph != right.graph ? left.graph < right.graph : left.name < right.name;
  });
}

std::string titleOf(const RunReport& run) {
  if (!run.source.empty()) return run.source;
  return run.tag.empty()
             ? std::to_string(run.runs) + " runs, " + std::to_string(run.threads) + " threads, " + run.executor
             : run.tag;
}

void warn(const RunReport& a, const RunReport& b, std::vector<std::string>& warnings) {
  for (const auto& [run, side] : {std::pair{&a, "the first"}, std::pair{&b, "the second"}}) {
    if (run->runs < 6)
      warnings.push_back(std::string(side) + " profile has " + std::to_string(run->runs) +
                         (run->runs == 1 ? " run" : " runs") + ": fewer than 6 say little about what is chance");
    if (run->nodes.empty()) warnings.push_back(std::string(side) + " profile has no times of nodes");
  }
  if (a.threads != b.threads)
    warnings.push_back("the profiles used " + std::to_string(a.threads) + " and " + std::to_string(b.threads) +
                       " threads");
  if (a.executor != b.executor)
    warnings.push_back("the profiles ran on the " + a.executor + " and the " + b.executor + " executor");
  if (a.source.empty() != b.source.empty())
    warnings.push_back(
        "one profile was read from a trace, the other was made here: engines count different things as part of a node");
}

}  // namespace

RunComparison compareRuns(const RunReport& a, const ModelGraphs& graphsA, const RunReport& b,
                          const ModelGraphs& graphsB) {
  RunComparison comparison;
  comparison.titleA = titleOf(a);
  comparison.titleB = titleOf(b);
  comparison.medianAMs = a.medianMs;
  comparison.medianBMs = b.medianMs;
  const Interval shift = shiftInterval(a.runMs, b.runMs);
  comparison.lowMs = shift.low;
  comparison.highMs = shift.high;
  comparison.pValue = mannWhitneyP(a.runMs, b.runMs);
  comparison.significant = differBeyondChance(a.runMs, b.runMs);
  compareNodes({a, graphsA}, {b, graphsB}, comparison);
  warn(a, b, comparison.warnings);
  return comparison;
}

void leaveSimulatedOut(RunComparison& comparison, const SavedProfile& a, const SavedProfile& b) {
  for (const auto& [profile, side] : {std::pair{&a, "the first"}, std::pair{&b, "the second"}}) {
    for (const std::string& name : profile->simulated)
      comparison.warnings.push_back(std::string(side) + " profile has times of a simulator (" + name +
                                    "): they say nothing about its hardware, and are not compared");
  }
  if (a.simulated.empty() && b.simulated.empty()) return;
  comparison.significant = false;
  for (NodeTimeDifference& node : comparison.nodes)
    node.significant = false;
}

}  // namespace cutaway::profile
