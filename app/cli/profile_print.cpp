#include "app/cli/profile_print.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/device_print.h"
#include "app/cli/node_label.h"
#include "app/cli/output.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"
#include "engine/report/measured_time.h"
#include "engine/report/simulated_providers.h"
#include "engine/report/truth.h"

namespace cutaway::cli {

namespace {

constexpr size_t kNodes = 30;
constexpr size_t kOperators = 20;
constexpr size_t kPartNodes = 10;

std::string milliseconds(double ms) {
  return formatTime(static_cast<int64_t>(ms * 1e6));
}

// Work per time, in units of 10^9 a second; "" where it is not known.
std::string rate(int64_t amount, int64_t timeNs) {
  return amount <= 0 || timeNs <= 0 ? ""
                                    : fmt::format("{:.1f}", static_cast<double>(amount) / static_cast<double>(timeNs));
}

std::string percent(double part, double all) {
  return fmt::format("{:.1f} %", all > 0 ? 100 * part / all : 0);
}

const GraphReport& graphOf(const WalkReport& walk, const NodeTiming& timing) {
  return walk.partitionedGraphs->graphs[static_cast<size_t>(timing.graph)];
}

const NodeReport& nodeOf(const WalkReport& walk, const NodeTiming& timing) {
  return graphOf(walk, timing).nodes[static_cast<size_t>(timing.node)];
}

// A node with bodies counts what runs in them too: shares are of the main graph's time.
int64_t mainTime(const RunReport& run) {
  int64_t sum = 0;
  for (const NodeTiming& timing : run.nodes)
    sum += timing.graph == 0 ? timing.totalNs : 0;
  return sum;
}

void printRun(const WalkReport& walk) {
  const RunReport& run = *walk.run;
  // A tool that gives one time for all runs says nothing of their spread.
  const bool isSpread = run.runMs.size() > 1;
  put("{}", measuredText(measuredTime(run)));
  if (const auto dims = runDims(walk, run); !dims.empty()) put(", at {}", dimsSentence(dims));
  put("\n");
  if (isSpread || run.source.empty())
    put("p90 {}, p99 {}, deviation {}\n", milliseconds(run.p90Ms), milliseconds(run.p99Ms),
        milliseconds(run.deviationMs));
  if (!run.tag.empty()) put("tag: {}\n", run.tag);
  if (run.source.empty()) {
    put("executor: {}, {} {}, {} threads{}{}\n", run.executor, run.workers, run.workers == 1 ? "worker" : "workers",
        run.threads, run.executorReason.empty() ? "" : "; ", run.executorReason);
    if (run.engineNsPerNode >= 0)
      put("engine: {} a node beside kernels\n", formatTime(std::llround(run.engineNsPerNode)));
  } else {
    put("read from {}: {}\n", run.source, run.executorReason);
  }
  int64_t planned = 0;
  int64_t measured = 0;
  int64_t held = 0;
  for (const MemorySample& sample : run.memory) {
    planned = std::max(planned, sample.plannedBytes);
    measured = std::max(measured, sample.measuredBytes);
    held = std::max(held, sample.heldBytes);
  }
  if (!run.memory.empty())
    put("memory over the run: planned peak {}, measured {}, held {}; lower bound {}\n", formatBytes(planned),
        formatBytes(measured), formatBytes(held), formatBytes(run.lowerBoundBytes));
  const MemoryBreakdown& memory = run.breakdown;
  if (memory.weightsBytes > 0 || memory.activationsBytes > 0) {
    put("the session holds: weights {}, packed weights {}, activations {}, arena {}, workspace {}\n",
        formatBytes(memory.weightsBytes), formatBytes(memory.packedBytes), formatBytes(memory.activationsBytes),
        formatBytes(memory.arenaBytes), formatBytes(memory.workspaceBytes));
  }
  if (const std::string words = patternCacheText(run.patternCache); !words.empty())
    put("memory patterns by feed shapes: {}\n", words);
  put("\n");
}

void printByOperator(const WalkReport& walk, int64_t total) {
  struct Sum {
    int64_t timeNs = 0;
    int64_t nodes = 0;
    int64_t flops = 0;
  };
  std::map<std::string, Sum> sums;
  for (const NodeTiming& timing : walk.run->nodes) {
    Sum& sum = sums[nodeOf(walk, timing).opType];
    sum.timeNs += timing.totalNs;
    ++sum.nodes;
    if (timing.flops > 0) sum.flops += timing.flops * timing.calls;
  }
  std::vector<std::pair<std::string, Sum>> ordered(sums.begin(), sums.end());
  std::ranges::stable_sort(ordered, [](const auto& a, const auto& b) { return a.second.timeNs > b.second.timeNs; });
  TextTable table({"operator", ">nodes", ">time", ">share", ">GFLOP/s"});
  for (const auto& [name, sum] : ordered)
    table.add({name, formatCount(sum.nodes), formatTime(sum.timeNs),
               percent(static_cast<double>(sum.timeNs), static_cast<double>(total)), rate(sum.flops, sum.timeNs)});
  table.print(kOperators);
}

std::vector<const NodeTiming*> slowestFirst(const RunReport& run) {
  std::vector<const NodeTiming*> timings;
  for (const NodeTiming& timing : run.nodes)
    timings.push_back(&timing);
  std::ranges::stable_sort(timings, [](const NodeTiming* a, const NodeTiming* b) { return a->totalNs > b->totalNs; });
  return timings;
}

void printByNode(const WalkReport& walk, int64_t total) {
  TableOf<NodeTiming> table(
      {{"node", [&](const NodeTiming& timing) { return nodeLabel(graphOf(walk, timing), timing.node); }},
       {"operator", [&](const NodeTiming& timing) { return nodeOf(walk, timing).opType; }},
       {">time", written(&NodeTiming::totalNs, formatTime)},
       {">share",
        [=](const NodeTiming& timing) {
          return percent(static_cast<double>(timing.totalNs), static_cast<double>(total));
        }},
       {">+-", [](const NodeTiming& timing) { return formatTime(std::llround(timing.deviationNs)); }},
       {">calls", written(&NodeTiming::calls, formatCount)},
       {">GFLOP/s",
        [](const NodeTiming& timing) {
          return timing.flops > 0 ? rate(timing.flops * timing.calls, timing.totalNs) : "";
        }},
       {">GB/s",
        [](const NodeTiming& timing) {
          return rate((timing.inputBytes + timing.outputBytes) * timing.calls, timing.totalNs);
        }},
       {">lane", [](const NodeTiming& timing) { return std::to_string(timing.thread); }},
       {"variant", &NodeTiming::variant},
       {"output", [](const NodeTiming& timing) { return fmt::format("{}", fmt::join(timing.outputShapes, ", ")); }}});
  for (const NodeTiming* timing : slowestFirst(*walk.run))
    table.add(*timing);
  put("\n");
  table.print(kNodes, 56);
}

void printParts(const WalkReport& walk) {
  TextTable table({"node", "part", ">time", ">share of node", ">calls"});
  size_t nodes = 0;
  for (const NodeTiming* timing : slowestFirst(*walk.run)) {
    if (timing->subSteps.empty()) continue;
    if (++nodes > kPartNodes) break;
    std::string label = nodeLabel(graphOf(walk, *timing), timing->node);
    for (const SubStepTiming& part : timing->subSteps) {
      table.add({label, part.name, formatTime(part.totalNs),
                 percent(static_cast<double>(part.totalNs), static_cast<double>(timing->totalNs)),
                 formatCount(part.calls)});
      label.clear();
    }
  }
  if (table.empty()) return;
  put("\n");
  table.print(0, 56);
}

std::string signedTime(double ns) {
  return (ns < 0 ? "-" : "+") + formatTime(std::llround(std::abs(ns)));
}

}  // namespace

void printProfile(const WalkReport& walk) {
  const int64_t total = mainTime(*walk.run);
  printRun(walk);
  if (walk.run->source.empty()) putSimulated(simulatedProviders(walk));
  printByOperator(walk, total);
  printByNode(walk, total);
  printParts(walk);
  printDevices(*walk.run);
  printSegmentBreaks(walk);
}

void printComparison(const RunComparison& comparison, bool isSimulated) {
  put("A: {}, median {}\nB: {}, median {}\n", comparison.titleA, milliseconds(comparison.medianAMs), comparison.titleB,
      milliseconds(comparison.medianBMs));
  if (isSimulated) {
    put("no verdict: times of a simulator are not compared\n");
  } else {
    put("B - A: {} to {} (95 %), p {:.2g}: {}\n", signedTime(comparison.lowMs * 1e6),
        signedTime(comparison.highMs * 1e6), comparison.pValue,
        comparison.significant ? "the runs differ" : "no significant difference");
  }
  for (const std::string& warning : comparison.warnings)
    put("warning: {}\n", warning);
  using Difference = NodeTimeDifference;
  TableOf<Difference> table(
      {{"node", &Difference::name},
       {"operator", &Difference::opType},
       {">A", written(&Difference::aNs, formatTime)},
       {">B", written(&Difference::bNs, formatTime)},
       {">change", [](const Difference& node) { return signedTime(static_cast<double>(node.bNs - node.aNs)); }},
       {">95 % from", [](const Difference& node) { return signedTime(node.lowNs); }},
       {">to", [](const Difference& node) { return signedTime(node.highNs); }},
       {">B/A", [](const Difference& node) {
          return node.aNs > 0 ? fmt::format("{:.2f}", static_cast<double>(node.bNs) / static_cast<double>(node.aNs))
                              : "";
        }}});
  int64_t unchanged = 0;
  for (const NodeTimeDifference& node : comparison.nodes) {
    if (!node.significant) {
      unchanged += node.nodeA != kNone && node.nodeB != kNone ? 1 : 0;
      continue;
    }
    table.add(node);
  }
  put("\n");
  if (!table.empty()) table.print(kNodes, 56);
  put("{} nodes without a significant change; {} only in A, {} only in B\n", formatCount(unchanged),
      formatCount(comparison.onlyA), formatCount(comparison.onlyB));
}

}  // namespace cutaway::cli
