// Two partitions side by side.

#include <algorithm>
#include <map>
#include <tuple>

#include <spdlog/fmt/fmt.h>

#include "app/cli/output.h"
#include "app/cli/partition_print.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"
#include "engine/report/within_noise.h"

namespace cutaway::cli {

namespace {

constexpr size_t kMostMoved = 40, kMostCopies = 20;

std::string estimate(double ns) {
  return ns < 0 ? "unknown" : formatTime(static_cast<int64_t>(ns));
}
std::string measured(int64_t ns) {
  return ns < 0 ? "-" : formatTime(ns);
}
std::string orNobody(const std::string& provider) {
  return provider.empty() ? "nobody" : provider;
}

const ProviderFigures* find(const PartitionFigures& figures, const std::string& provider) {
  const auto found = std::ranges::find(figures.providers, provider, &ProviderFigures::provider);
  return found == figures.providers.end() ? nullptr : &*found;
}

void printFigures(const PartitionComparison& comparison) {
  const PartitionFigures &a = comparison.a, &b = comparison.b;
  TextTable table({"", ">" + a.title, ">" + b.title, ">change"});
  const auto count = [&](const char* title, int64_t left, int64_t right) {
    table.add({title, formatCount(left), formatCount(right),
               left == right ? "=" : fmt::format("{}{}", right > left ? "+" : "", formatCount(right - left))});
  };
  const auto change = [](double left, double right) -> std::string {
    if (left <= 0 || right < 0) return "";
    return left == right ? "=" : fmt::format("{:+.1f}%", 100.0 * (right - left) / left);
  };
  count("groups", a.groups, b.groups);
  count("compiled groups", a.compiledGroups, b.compiledGroups);
  count("copies", a.copies, b.copies);
  count("casts", a.casts, b.casts);
  table.add({"bytes copied", formatBytes(a.copiedBytes), formatBytes(b.copiedBytes),
             change(static_cast<double>(a.copiedBytes), static_cast<double>(b.copiedBytes))});
  if (a.copiesOfUnknownSize + b.copiesOfUnknownSize > 0)
    count("copies of unknown size", a.copiesOfUnknownSize, b.copiesOfUnknownSize);
  table.add({"planned peak", formatBytes(a.plannedPeakBytes), formatBytes(b.plannedPeakBytes),
             change(static_cast<double>(a.plannedPeakBytes), static_cast<double>(b.plannedPeakBytes))});
  table.add({"estimated time", estimate(a.estimatedNs), estimate(b.estimatedNs), change(a.estimatedNs, b.estimatedNs)});
  table.add({"  of it copies", estimate(a.estimatedCopyNs), estimate(b.estimatedCopyNs),
             change(a.estimatedCopyNs, b.estimatedCopyNs)});
  if (a.measuredNs >= 0 || b.measuredNs >= 0) {
    table.add({"measured time", measured(a.measuredNs) + (a.simulated ? " *" : ""),
               measured(b.measuredNs) + (b.simulated ? " *" : ""),
               !a.simulated && !b.simulated && !measuredWithinNoise(comparison)
                   ? change(static_cast<double>(a.measuredNs), static_cast<double>(b.measuredNs))
               : a.simulated || b.simulated ? "not compared"
                                            : "within noise"});
  }
  if (a.unassignedNodes + b.unassignedNodes > 0) count("nodes without provider", a.unassignedNodes, b.unassignedNodes);
  table.print();
  if ((a.simulated || b.simulated) && (a.measuredNs >= 0 || b.measuredNs >= 0))
    put("  * with simulated hardware: its nodes ran on the CPU\n");
}

void printProviders(const PartitionComparison& comparison) {
  const auto& a = comparison.a;
  const auto& b = comparison.b;
  std::vector<std::string> names;
  for (const ProviderFigures& each : b.providers)
    names.push_back(each.provider);
  for (const ProviderFigures& each : a.providers)
    if (find(b, each.provider) == nullptr) names.push_back(each.provider);
  TextTable table({"provider", ">nodes", ">", ">groups", ">", ">FLOPs", ">", ">estimated", ">", ""});
  for (const std::string& name : names) {
    const ProviderFigures *left = find(a, name), *right = find(b, name);
    const auto cell = [](const ProviderFigures* side, auto&& text) {
      return side == nullptr ? std::string("-") : text(*side);
    };
    const auto nodes = [](const ProviderFigures& side) { return formatCount(side.nodes); };
    const auto groups = [](const ProviderFigures& side) { return formatCount(side.groups); };
    const auto flops = [](const ProviderFigures& side) { return formatFlops(side.flops); };
    const auto time = [](const ProviderFigures& side) { return estimate(side.estimatedNs); };
    const bool simulated = (left != nullptr && left->simulated) || (right != nullptr && right->simulated);
    table.add({name, cell(left, nodes), "-> " + cell(right, nodes), cell(left, groups), "-> " + cell(right, groups),
               cell(left, flops), "-> " + cell(right, flops), cell(left, time), "-> " + cell(right, time),
               simulated ? "simulated" : ""});
  }
  put("\nproviders\n");
  table.print();
}

// Many moves are told by operator and reason, most work first; --json lists every node.
void printMovedByReason(const std::vector<MovedNode>& moved) {
  struct Sum {
    int64_t nodes = 0, flops = 0;
  };
  std::map<std::tuple<std::string, std::string, std::string, std::string>, Sum> sums;
  for (const MovedNode& node : moved) {
    Sum& sum = sums[{node.from, node.to, node.reason, node.opType}];
    ++sum.nodes;
    sum.flops += std::max<int64_t>(node.flops, 0);
  }
  std::vector<std::pair<decltype(sums)::key_type, Sum>> rows(sums.begin(), sums.end());
  std::ranges::stable_sort(rows, [](const auto& a, const auto& b) {
    return std::pair(a.second.flops, a.second.nodes) > std::pair(b.second.flops, b.second.nodes);
  });
  TextTable table({"operator", ">nodes", "from", "to", ">FLOPs", "reason"});
  for (const auto& [key, sum] : rows)
    table.add({std::get<3>(key), formatCount(sum.nodes), orNobody(std::get<0>(key)), orNobody(std::get<1>(key)),
               formatFlops(sum.flops), std::get<2>(key)});
  table.print(kMostMoved, 90);
}

void printMoved(const PartitionComparison& comparison) {
  put("\nnodes that move: {}\n", formatCount(static_cast<int64_t>(comparison.moved.size())));
  if (comparison.moved.empty()) return;
  if (comparison.moved.size() > kMostMoved) return printMovedByReason(comparison.moved);
  TextTable table({"node", "operator", "from", "to", ">FLOPs", "reason"});
  for (const MovedNode& moved : comparison.moved)
    table.add(
        {moved.name, moved.opType, orNobody(moved.from), orNobody(moved.to), formatFlops(moved.flops), moved.reason});
  table.print(kMostMoved, 90);
}

void printCopies(const std::string& title, const std::vector<CopyReport>& copies) {
  if (copies.empty()) return;
  TextTable table({"value", "kind", "from", "to", ">bytes", "cause"});
  for (const CopyReport& copy : copies)
    table.add({copy.value, copy.kind, copy.from, copy.to, formatBytes(copy.sizeBytes), copy.cause});
  put("\ncopies only in '{}': {}\n", title, formatCount(static_cast<int64_t>(copies.size())));
  table.print(kMostCopies, 90);
}

}  // namespace

void printComparison(const PartitionComparison& comparison) {
  printFigures(comparison);
  printProviders(comparison);
  printMoved(comparison);
  printCopies(comparison.a.title, comparison.copiesOnlyInA);
  printCopies(comparison.b.title, comparison.copiesOnlyInB);
  put("\nestimates\n");
  for (const std::string& line : comparison.estimateBasis)
    put("  {}\n", line);
  for (const PartitionFigures* side : {&comparison.a, &comparison.b})
    for (const std::string& warning : side->warnings)
      put("warning ({}): {}\n", side->title, warning);
}

}  // namespace cutaway::cli
