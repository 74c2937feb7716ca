#include "app/cli/partition_print.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "app/cli/node_label.h"
#include "app/cli/output.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"

namespace cutaway::cli {

namespace {

constexpr size_t kMostGroups = 40, kMostRefusals = 40, kMostCopies = 60;
constexpr size_t kWidest = 110;

int64_t sumOfFlops(const PartitionReport& report) {
  int64_t sum = 0;
  for (const NodePlacement& node : report.nodes)
    sum += std::max<int64_t>(node.flops, 0);
  return sum;
}

std::string share(int64_t part, int64_t whole) {
  return whole > 0 ? fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole)) : "-";
}

// The sum over its nodes; unknown when no node's figure is.
std::string flopsOf(const PartitionReport& report, const ProviderSummary& provider) {
  bool any = false, known = false;
  for (const NodePlacement& node : report.nodes) {
    any = any || node.provider == provider.name;
    known = known || (node.provider == provider.name && node.flops >= 0);
  }
  return any && !known ? "unknown" : formatFlops(provider.flops);
}

std::string totalBytes(const std::vector<CopyReport>& copies) {
  int64_t bytes = 0, unknown = 0;
  for (const CopyReport& copy : copies)
    (copy.sizeBytes < 0 ? unknown : bytes) += copy.sizeBytes < 0 ? 1 : copy.sizeBytes;
  if (unknown == 0) return formatBytes(bytes);
  return unknown == static_cast<int64_t>(copies.size())
             ? "sizes not known before running"
             : fmt::format("{} and {} of unknown size", formatBytes(bytes), formatCount(unknown));
}

void printProviders(const PartitionReport& report) {
  const int64_t allFlops = sumOfFlops(report);
  using Provider = ProviderSummary;
  TableOf<Provider> table(
      {{"priority", [&](const Provider& each) { return fmt::format("{}.", &each - report.providers.data() + 1); }},
       {"provider", &Provider::name},
       {"device", &Provider::device},
       {">claimed", written(&Provider::claimedNodes, formatCount)},
       {">of nodes",
        [&](const Provider& each) { return share(each.claimedNodes, static_cast<int64_t>(report.nodes.size())); }},
       {">groups", written(&Provider::groups, formatCount)},
       {">FLOPs", [&](const Provider& each) { return flopsOf(report, each); }},
       {">share", [&](const Provider& each) { return share(each.flops, allFlops); }},
       {">weights", written(&Provider::weightBytes, formatBytes)},
       {">refused", written(&Provider::refusedNodes, formatCount)},
       {">GetCapability", written(&Provider::askTimeNs, formatTime)},
       {">Compile", [](const Provider& each) { return each.compileTimeNs > 0 ? formatTime(each.compileTimeNs) : "-"; }},
       {"state",
        [](const Provider& each) { return !each.usable     ? each.reason
                                          : each.simulated ? "simulated"
                                                           : "usable"; }}},
      report.providers);
  table.print();
  if (report.unassignedNodes > 0) put("  {} nodes have no provider\n", formatCount(report.unassignedNodes));
}

std::string needs(const RefusalSummary& refusal) {
  std::vector<std::string> parts;
  if (!refusal.rule.empty()) parts.push_back("rule " + refusal.rule);
  if (!refusal.remedy.empty()) parts.push_back("to change it: " + refusal.remedy);
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string causeOf(const RefusalSummary& refusal) {
  return refusal.verdict == Verdict::kRefused
             ? refusalCauseName(refusal.cause)
             : fmt::format("{} ({})", refusalCauseName(refusal.cause), verdictName(refusal.verdict));
}

void printRefusals(const WalkReport& walk) {
  const PartitionReport& report = *walk.partition;
  if (report.refusals.empty()) return;
  const auto firstNode = [&](const RefusalSummary& refusal) -> std::string {
    if (refusal.nodes.empty()) return "-";
    const NodePlacement& node = report.nodes[static_cast<size_t>(refusal.nodes.front())];
    return nodeLabel(walk.optimizedGraphs->graphs[static_cast<size_t>(node.graph)], node.node);
  };
  TableOf<RefusalSummary> table(
      {{"provider", &RefusalSummary::provider},
       {"cause", causeOf},
       {">nodes",
        [](const RefusalSummary& refusal) { return formatCount(static_cast<int64_t>(refusal.nodes.size())); }},
       {">FLOPs", written(&RefusalSummary::flops, formatFlops)},
       {"first node", firstNode},
       {"reason", &RefusalSummary::reason}});
  size_t shown = 0;
  for (const RefusalSummary& refusal : report.refusals) {
    if (++shown > kMostRefusals) break;
    table.add(refusal);
    if (const std::string more = needs(refusal); !more.empty()) table.addBelow("  " + more);
  }
  put("\nrefusals by cause: what each would free\n");
  table.print(0, kWidest);
  if (report.refusals.size() > kMostRefusals) put("  ... and {} more causes\n", report.refusals.size() - kMostRefusals);
}

void printGroups(const PartitionReport& report) {
  using Group = GroupReport;
  const auto sizeOf = [](const auto& list) { return formatCount(static_cast<int64_t>(list.size())); };
  TableOf<Group> table({{"group",
                         [&](const Group& group) {
                           return group.name.empty() ? fmt::format("#{}", &group - report.groups.data()) : group.name;
                         }},
                        {"provider", &Group::provider},
                        {"kind",
                         [](const Group& group) {
                           return fmt::format("{}{}", group.compiled ? "compiled" : "kernels",
                                              group.simulated ? ", simulated" : "");
                         }},
                        {">nodes", [=](const Group& group) { return sizeOf(group.nodes); }},
                        {">in", [=](const Group& group) { return sizeOf(group.inputs); }},
                        {">bytes in", written(&Group::inputBytes, formatBytes)},
                        {">out", [=](const Group& group) { return sizeOf(group.outputs); }},
                        {">bytes out", written(&Group::outputBytes, formatBytes)},
                        {">FLOPs", written(&Group::flops, formatFlops)},
                        {">weights", written(&Group::weightBytes, formatBytes)}},
                       report.groups);
  put("\ngroups\n");
  table.print(kMostGroups, kWidest);
}

void printCopies(const std::vector<CopyReport>& copies) {
  TableOf<CopyReport> table({{"value", &CopyReport::value},
                             {"kind", &CopyReport::kind},
                             {"from", &CopyReport::from},
                             {"to", &CopyReport::to},
                             {">bytes", written(&CopyReport::sizeBytes, formatBytes)},
                             {"cause, and what would remove it", &CopyReport::cause}});
  size_t shown = 0;
  for (const CopyReport& copy : copies) {
    if (++shown > kMostCopies) break;
    table.add(copy);
    if (!copy.remedy.empty()) table.addBelow("  " + copy.remedy);
  }
  put("\ncopies: {}, {}\n", formatCount(static_cast<int64_t>(copies.size())), totalBytes(copies));
  table.print(0, kWidest);
  if (copies.size() > kMostCopies) put("  ... and {} more\n", copies.size() - kMostCopies);
}

const NodePlacement* findPlacement(const WalkReport& walk, const std::string& name) {
  for (const NodePlacement& node : walk.partition->nodes) {
    const GraphReport& graph = walk.optimizedGraphs->graphs[static_cast<size_t>(node.graph)];
    if (graph.nodes[static_cast<size_t>(node.node)].name == name || nodeLabel(graph, node.node) == name) return &node;
  }
  return nullptr;
}

std::string answersText(const NodePlacement& node) {
  std::vector<std::string> answers;
  for (const ProviderAnswer& answer : node.answers)
    answers.push_back(answer.verdict == Verdict::kClaimed ? answer.provider + " takes it"
                                                          : fmt::format("{}: {}", answer.provider, answer.reason));
  return fmt::format("{}", fmt::join(answers, "; "));
}

void printAnswer(const ProviderAnswer& answer) {
  const bool refused = answer.verdict != Verdict::kClaimed && answer.verdict != Verdict::kAlreadyTaken;
  put("\n  {}: {}{}\n", answer.provider, verdictName(answer.verdict),
      refused ? fmt::format(" ({})", refusalCauseName(answer.cause)) : "");
  const auto line = [](const char* title, const std::string& text) {
    if (!text.empty()) put("    {:<8}{}\n", title, text);
  };
  line("reason", answer.reason);
  line("rule", answer.rule);
  line("seen", answer.seen);
  line("remedy", answer.remedy);
}

}  // namespace

std::string formatFlops(int64_t flops) {
  if (flops < 0) return "unknown";
  constexpr const char* kUnits[] = {"", "k", "M", "G", "T", "P", "E"};
  double value = static_cast<double>(flops);
  size_t unit = 0;
  while (value >= 999.5 && unit + 1 < std::size(kUnits))
    value /= 1000, ++unit;
  return unit == 0 ? fmt::format("{}", flops)
                   : fmt::format("{:.{}f} {}", value,
                                 value < 9.95   ? 2
                                 : value < 99.5 ? 1
                                                : 0,
                                 kUnits[unit]);
}

void printPartition(const WalkReport& walk) {
  printProviders(*walk.partition);
  printRefusals(walk);
  printGroups(*walk.partition);
  if (!walk.partition->copies.empty()) printCopies(walk.partition->copies);
  const std::vector<std::string> notes = walk.choice ? walk.choice->notes : std::vector<std::string>();
  for (const std::string& note : notes)
    put("\nnote: {}", note);
  for (const std::string& warning : walk.partition->warnings)
    put("\nwarning: {}", warning);
  if (!walk.partition->warnings.empty() || !notes.empty()) put("\n");
}

void printPlacements(const WalkReport& walk) {
  const auto graphOf = [&](const NodePlacement& node) -> const GraphReport& {
    return walk.optimizedGraphs->graphs[static_cast<size_t>(node.graph)];
  };
  const TableOf<NodePlacement> table(
      {{"graph", [=](const NodePlacement& node) { return graphOf(node).title; }},
       {"node", [=](const NodePlacement& node) { return nodeLabel(graphOf(node), node.node); }},
       {"operator",
        [=](const NodePlacement& node) { return graphOf(node).nodes[static_cast<size_t>(node.node)].opType; }},
       {"provider", [](const NodePlacement& node) { return node.provider.empty() ? "nobody" : node.provider; }},
       {">FLOPs", written(&NodePlacement::flops, formatFlops)},
       {"answers", answersText}},
      walk.partition->nodes);
  put("\nnodes\n");
  table.print(0, 100);
  if (walk.partition->providerRewrites.empty()) return;
  put("\nwhat became of nodes behind their providers\n");
  for (const std::string& rewrite : walk.partition->providerRewrites)
    put("  {}\n", rewrite);
}

Result<void> printRefusalInspector(const WalkReport& walk, const std::string& name) {
  const NodePlacement* node = findPlacement(walk, name);
  if (node == nullptr)
    return fail(ErrorCode::kInvalidArgument,
                "there is no node '{}' in the partitioned graph; --nodes lists them all (the optimizer may have fused "
                "or folded it: see "
                "--opt-level)",
                name);
  const GraphReport& graph = walk.optimizedGraphs->graphs[static_cast<size_t>(node->graph)];
  const NodeReport& report = graph.nodes[static_cast<size_t>(node->node)];
  put("{} ({}{}, version {}) in {}\n", nodeLabel(graph, node->node), report.domain.empty() ? "" : report.domain + ":",
      report.opType, report.sinceVersion, graph.title);
  const auto values = [&](const char* title, std::span<const int32_t> all) {
    for (const int32_t value : all) {
      if (value == kNone) continue;
      const ValueReport& each = graph.values[static_cast<size_t>(value)];
      put("  {:<8}{}: {}{}\n", title, each.name, each.type, each.isInitializer ? ", constant" : "");
    }
  };
  values("input", report.inputs);
  values("output", report.outputs);
  for (const AttributeReport& attribute : report.attributes)
    put("  {:<8}{} = {}\n", "has", attribute.name, attribute.text);
  put("  {:<8}{} FLOPs, {} moved, {} of weights\n", "costs", formatFlops(node->flops), formatBytes(node->movedBytes),
      formatBytes(node->weightBytes));
  put("  {:<8}{}\n", "runs on", node->provider.empty() ? "no provider" : node->provider);
  for (const ProviderAnswer& answer : node->answers)
    printAnswer(answer);
  return {};
}

}  // namespace cutaway::cli
