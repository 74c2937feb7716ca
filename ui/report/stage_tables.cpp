// Tables of load, resolve, optimize and partition.
#include <algorithm>

#include <spdlog/fmt/ranges.h>

#include "engine/base/format.h"
#include "ui/report/table_parts.h"

namespace cutaway::ui {

namespace {
using enum ColumnKind;
std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}
}  // namespace

void addLoadTables(const WalkReport& walk, std::vector<ReportTable>& tables) {
  if (!walk.load) return;
  const LoadReport& load = *walk.load;
  ReportTable facts{"model", Stage::kLoad, "Model", {{"fact"}, {"value"}}, {}};
  std::vector<std::string> opsets;
  for (const auto& [domain, version] : load.opsets)
    opsets.push_back(fmt::format("{} {}", domain, version));
  facts.rows = {{"file", load.path},
                {"format", load.format},
                {"size", formatBytes(load.fileBytes)},
                {"producer", load.producer},
                {"IR version", fmt::format("{}", load.irVersion)},
                {"opsets", joined(opsets)}};
  facts.rows.push_back(
      {"weights", fmt::format("{} in {} initializers, {} parameters", formatBytes(load.initializerBytes),
                              formatCount(load.initializerCount), formatCount(load.parameterCount))});
  if (!load.documentation.empty()) facts.rows.push_back({"documentation", load.documentation});
  for (const ExternalFileReport& file : load.externalFiles)
    facts.rows.push_back(
        {"external data", fmt::format("{}: {} of {} used by {} tensors", file.path, formatBytes(file.usedBytes),
                                      formatBytes(file.fileBytes), file.tensorCount)});
  for (const auto& [key, value] : load.metadata)
    facts.rows.push_back({"metadata " + key, value});
  for (const std::string& warning : load.warnings)
    facts.rows.push_back({"warning", warning});
  tables.push_back(std::move(facts));
  ReportTable operators{"operators", Stage::kLoad, "Operators", {{"operator"}, {"nodes", kCount}}, {}};
  for (const auto& [name, count] : load.operators)
    operators.rows.push_back({name, figure(count)});
  tables.push_back(std::move(operators));
}

void addResolveTables(const WalkReport& walk, std::vector<ReportTable>& tables) {
  if (!walk.resolve || !walk.loadedGraphs) return;
  ReportTable values{"inputs-outputs",
                     Stage::kResolve,
                     "Inputs and outputs, and the rule that made them so",
                     {{"graph"}, {"value"}, {"role"}, {"type"}, {"size", kBytes}, {"rule"}},
                     {}};
  for (const ValueRule& rule : walk.resolve->values) {
    if (rule.role == ValueRole::kIntermediate || rule.role == ValueRole::kConstant) continue;
    const GraphReport& graph = walk.loadedGraphs->graphs[static_cast<size_t>(rule.graph)];
    const ValueReport& value = graph.values[static_cast<size_t>(rule.value)];
    values.rows.push_back(
        {graph.title, value.name, valueRoleName(rule.role), value.type, figure(value.sizeBytes), rule.text});
  }
  tables.push_back(std::move(values));
  ReportTable warnings{"warnings", Stage::kResolve, "Warnings", {{"node"}, {"value"}, {"what"}}, {}};
  for (const ModelWarning& warning : walk.resolve->warnings)
    warnings.rows.push_back({warning.node, warning.value, warning.message});
  tables.push_back(std::move(warnings));
}

void addOptimizeTables(const WalkReport& walk, std::vector<ReportTable>& tables) {
  if (!walk.optimize) return;
  ReportTable passes{"passes",
                     Stage::kOptimize,
                     "Passes",
                     {{"pass"},
                      {"purpose"},
                      {"rewrites", kCount},
                      {"nodes before", kCount},
                      {"nodes after", kCount},
                      {"time", kTime},
                      {"state"}},
                     {}};
  for (const PassReport& pass : walk.optimize->passes)
    passes.rows.push_back({pass.name, pass.purpose, figure(pass.rewrites), figure(pass.nodesBefore),
                           figure(pass.nodesAfter), figure(pass.timeNs), pass.skipped ? "skipped" : "ran"});
  tables.push_back(std::move(passes));
  ReportTable rewrites{"rewrites", Stage::kOptimize, "Rewrites", {{"pass"}, {"removed"}, {"added"}, {"why"}}, {}};
  for (const RewriteReport& rewrite : walk.optimize->rewrites)
    rewrites.rows.push_back({rewrite.pass, joined(rewrite.removed), joined(rewrite.added), rewrite.note});
  tables.push_back(std::move(rewrites));
}

namespace {

ReportTable providersTable(const PartitionReport& partition) {
  ReportTable table{"providers",
                    Stage::kPartition,
                    "Providers, in asking order",
                    {{"provider"},
                     {"device"},
                     {"claimed", kCount},
                     {"refused", kCount},
                     {"groups", kCount},
                     {"FLOPs", kCount},
                     {"weights", kBytes},
                     {"asking", kTime},
                     {"compiling", kTime},
                     {"state"}},
                    {}};
  for (const ProviderSummary& provider : partition.providers) {
    const std::string state = provider.usable ? provider.simulated ? "usable, simulated" : "usable" : provider.reason;
    table.rows.push_back({provider.name, provider.device, figure(provider.claimedNodes), figure(provider.refusedNodes),
                          figure(provider.groups), figure(provider.flops), figure(provider.weightBytes),
                          figure(provider.askTimeNs), figure(provider.compileTimeNs), state});
  }
  return table;
}

ReportTable placementTable(const PartitionReport& partition, const ModelGraphs& graphs) {
  ReportTable table{"placement",
                    Stage::kPartition,
                    "Nodes and answers",
                    {{"node"},
                     {"operator"},
                     {"provider"},
                     {"FLOPs", kCount},
                     {"moved", kBytes},
                     {"weights", kBytes},
                     {"first refusal"}},
                    {},
                    "optimized"};
  for (const NodePlacement& placed : partition.nodes) {
    const GraphReport& graph = graphs.graphs[static_cast<size_t>(placed.graph)];
    const auto refusal = std::find_if(placed.answers.begin(), placed.answers.end(), [](const ProviderAnswer& answer) {
      return answer.verdict != Verdict::kClaimed && answer.verdict != Verdict::kAlreadyTaken;
    });
    table.rows.push_back(
        {reportNodeLabel(graph, placed.node), graph.nodes[static_cast<size_t>(placed.node)].opType, placed.provider,
         figure(placed.flops), figure(placed.movedBytes), figure(placed.weightBytes),
         refusal == placed.answers.end() ? std::string() : fmt::format("{}: {}", refusal->provider, refusal->reason)});
    table.nodes.push_back(placed.graph == 0 ? placed.node : kNone);
  }
  return table;
}

}  // namespace

void addPartitionTables(const WalkReport& walk, std::vector<ReportTable>& tables) {
  if (!walk.partition || !walk.optimizedGraphs) return;
  const PartitionReport& partition = *walk.partition;
  tables.push_back(providersTable(partition));
  ReportTable refusals{
      "refusals",
      Stage::kPartition,
      "Refusals by cause",
      {{"provider"}, {"answer"}, {"cause"}, {"nodes", kCount}, {"FLOPs", kCount}, {"reason"}, {"what would help"}},
      {},
      "optimized"};
  for (const RefusalSummary& refusal : partition.refusals) {
    refusals.rows.push_back({refusal.provider, verdictName(refusal.verdict), refusalCauseName(refusal.cause),
                             figure(static_cast<int64_t>(refusal.nodes.size())), figure(refusal.flops), refusal.reason,
                             refusal.remedy});
    const NodePlacement* first =
        refusal.nodes.empty() ? nullptr : &partition.nodes[static_cast<size_t>(refusal.nodes.front())];
    refusals.nodes.push_back(first && first->graph == 0 ? first->node : kNone);
  }
  tables.push_back(std::move(refusals));
  ReportTable copies{"copies",
                     Stage::kPartition,
                     "Copy ledger",
                     {{"value"}, {"kind"}, {"from"}, {"to"}, {"bytes", kBytes}, {"cause"}, {"what removes it"}},
                     {},
                     "partitioned"};
  for (const CopyReport& copy : partition.copies) {
    copies.rows.push_back({copy.value, copy.kind, copy.from, copy.to, figure(copy.sizeBytes), copy.cause, copy.remedy});
    copies.nodes.push_back(copy.graph == 0 ? copy.causeNode : kNone);
  }
  tables.push_back(std::move(copies));
  ReportTable groups{
      "groups",
      Stage::kPartition,
      "Groups",
      {{"group"}, {"provider"}, {"nodes", kCount}, {"in", kBytes}, {"out", kBytes}, {"FLOPs", kCount}, {"compiled"}},
      {},
      "optimized"};
  for (const GroupReport& group : partition.groups) {
    groups.rows.push_back({group.name.empty() ? "(kernels)" : group.name, group.provider,
                           figure(static_cast<int64_t>(group.nodes.size())), figure(group.inputBytes),
                           figure(group.outputBytes), figure(group.flops), group.compiled ? "yes" : "no"});
    groups.nodes.push_back(group.graph == 0 && !group.nodes.empty() ? group.nodes.front() : kNone);
  }
  tables.push_back(std::move(groups));
  tables.push_back(placementTable(partition, *walk.optimizedGraphs));
}

}  // namespace cutaway::ui
