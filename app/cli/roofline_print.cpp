#include "app/cli/roofline_print.h"

#include <array>

#include <nlohmann/json.hpp>

#include "app/cli/node_label.h"
#include "app/cli/output.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"

namespace cutaway::cli {

namespace {

constexpr size_t kMostFarNodes = 15;

struct Spent {
  const char* key;
  const char* words;
  int64_t RooflineReport::* timeNs;
};
constexpr std::array<Spent, 5> kSpent = {{
    {"roof_ns", "what operations and bytes take at the least", &RooflineReport::roofNs},
    {"above_work_ns", "more than that, where operations are the limit", &RooflineReport::aboveWorkNs},
    {"above_memory_ns", "more than that, where bytes are the limit", &RooflineReport::aboveMemoryNs},
    {"unrated_ns", "nodes of other devices, and those whose operations nobody counts", &RooflineReport::unratedNs},
    {"engine_ns", "outside of nodes: the engine, and other programs on its cores", &RooflineReport::engineNs},
}};

double giga(double perSecond) {
  return perSecond / 1e9;
}

std::string percent(double part, double all) {
  return fmt::format("{:.1f} %", all > 0 ? 100 * part / all : 0);
}

const char* nameOf(RooflineLimit limit) {
  return limit == RooflineLimit::kWork ? "operations" : limit == RooflineLimit::kMemory ? "bytes" : "unknown";
}

void printShare(const RooflineReport& report) {
  const RooflineBasis& basis = report.basis;
  put("\nroofline: {:.1f} % of this machine's peak", 100 * report.peakShare);
  if (report.flops > 0) put("; {:.4g} GFLOP", static_cast<double>(report.flops) / 1e9);
  if (report.byteOperations > 0) put("; {:.4g} GOP on bytes", static_cast<double>(report.byteOperations) / 1e9);
  put("\nmeasured here, {} {}: {:.0f} GFLOP/s", basis.threads, basis.threads == 1 ? "thread" : "threads",
      giga(basis.flopsPerSecond));
  if (basis.byteOperationsPerSecond > 0) put(", {:.0f} GOP/s on bytes", giga(basis.byteOperationsPerSecond));
  for (const RooflineBasis::MemorySpeed& speed : basis.memory)
    put(", {:.0f} GB/s over {}", giga(speed.bytesPerSecond), formatBytes(speed.bytes));
  put("\n");
}

void printSpent(const RooflineReport& report) {
  double all = 0;
  for (const Spent& spent : kSpent)
    all += static_cast<double>(report.*spent.timeNs);
  TextTable table({"the run was spent on", ">time", ">share"});
  for (const Spent& spent : kSpent) {
    const int64_t took = report.*spent.timeNs;
    table.add({spent.words, formatTime(took), percent(static_cast<double>(took), all)});
  }
  table.print();
}

void printFar(const WalkReport& walk, const RooflineReport& report) {
  TextTable table({"far below its roof", "operator", ">time", ">roof", ">reached", "limit", "variant", "output"});
  for (size_t i = 0; i < report.nodes.size(); ++i) {
    const NodeRoofline& node = report.nodes[i];
    if (!node.isFar) continue;
    const NodeTiming& timing = walk.run->nodes[i];
    const GraphReport& graph = walk.partitionedGraphs->graphs[static_cast<size_t>(timing.graph)];
    table.add({nodeLabel(graph, timing.node), graph.nodes[static_cast<size_t>(timing.node)].opType,
               formatTime(timing.totalNs), formatTime(node.boundNs),
               percent(static_cast<double>(node.boundNs), static_cast<double>(timing.totalNs)), nameOf(node.limit),
               timing.variant, timing.outputShapes.empty() ? "" : timing.outputShapes.front()});
  }
  if (table.empty()) return put("no kernel that matters is far below its roof\n");
  put("\n");
  table.print(kMostFarNodes, 48);
}

}  // namespace

void printRoofline(const WalkReport& walk, const RooflineReport& report) {
  if (!report.problem.empty()) return put("\nno roofline: {}\n", report.problem);
  printShare(report);
  printSpent(report);
  printFar(walk, report);
}

nlohmann::json rooflineToJson(const WalkReport& walk, const RooflineReport& report) {
  nlohmann::json memory = nlohmann::json::array(), nodes = nlohmann::json::array();
  for (const RooflineBasis::MemorySpeed& speed : report.basis.memory)
    memory.push_back({{"bytes", speed.bytes}, {"bytes_per_second", speed.bytesPerSecond}});
  for (size_t i = 0; i < report.nodes.size(); ++i) {
    const NodeRoofline& node = report.nodes[i];
    const NodeTiming& timing = walk.run->nodes[i];
    nodes.push_back({{"graph", timing.graph},
                     {"node", timing.node},
                     {"roof_ns", node.boundNs},
                     {"limit", nameOf(node.limit)},
                     {"is_far", node.isFar}});
  }
  nlohmann::json json = {{"problem", report.problem},
                         {"threads", report.basis.threads},
                         {"flops_per_second", report.basis.flopsPerSecond},
                         {"byte_operations_per_second", report.basis.byteOperationsPerSecond},
                         {"memory", std::move(memory)},
                         {"launch_ns", report.basis.launchNs},
                         {"flops", report.flops},
                         {"byte_operations", report.byteOperations},
                         {"peak_share", report.peakShare},
                         {"run_ns", report.runNs},
                         {"nodes", std::move(nodes)}};
  for (const Spent& spent : kSpent)
    json[spent.key] = report.*spent.timeNs;
  return json;
}

}  // namespace cutaway::cli
