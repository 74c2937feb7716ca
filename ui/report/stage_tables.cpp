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
  ReportTable facts{
      .id = "model", .stage = Stage::kLoad, .title = "Model", .columns = {{"fact"}, {"value"}}, .rows = {}};
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
  using Operator = std::pair<std::string, int64_t>;
  tables.push_back(tableOf<Operator>({.id = "operators", .stage = Stage::kLoad, .title = "Operators"}, load.operators,
                                     {{"operator", kText, &Operator::first}, {"nodes", kCount, &Operator::second}}));
}

void addResolveTables(const WalkReport& walk, std::vector<ReportTable>& tables) {
  if (!walk.resolve || !walk.loadedGraphs) return;
  const auto graphOf = [&](const ValueRule& rule) -> const GraphReport& {
    return walk.loadedGraphs->graphs[static_cast<size_t>(rule.graph)];
  };
  const auto valueOf = [=](const ValueRule& rule) -> const ValueReport& {
    return graphOf(rule).values[static_cast<size_t>(rule.value)];
  };
  std::vector<ValueRule> rules = walk.resolve->values;
  std::erase_if(rules, [](const ValueRule& rule) {
    return rule.role == ValueRole::kIntermediate || rule.role == ValueRole::kConstant;
  });
  tables.push_back(tableOf<ValueRule>({.id = "inputs-outputs",
                                       .stage = Stage::kResolve,
                                       .title = "Inputs and outputs, and the rules that decided them"},
                                      rules,
                                      {{"graph", kText, [=](const ValueRule& rule) { return graphOf(rule).title; }},
                                       {"value", kText, [=](const ValueRule& rule) { return valueOf(rule).name; }},
                                       {"role", kText, [](const ValueRule& rule) { return valueRoleName(rule.role); }},
                                       {"type", kText, [=](const ValueRule& rule) { return valueOf(rule).type; }},
                                       {"size", kBytes, [=](const ValueRule& rule) { return valueOf(rule).sizeBytes; }},
                                       {"rule", kText, &ValueRule::text}}));
  tables.push_back(tableOf<ModelWarning>({.id = "warnings", .stage = Stage::kResolve, .title = "Warnings"},
                                         walk.resolve->warnings,
                                         {{"node", kText, &ModelWarning::node},
                                          {"value", kText, &ModelWarning::value},
                                          {"what", kText, &ModelWarning::message}}));
}

void addOptimizeTables(const WalkReport& walk, std::vector<ReportTable>& tables) {
  if (!walk.optimize) return;
  tables.push_back(
      tableOf<PassReport>({.id = "passes", .stage = Stage::kOptimize, .title = "Passes"}, walk.optimize->passes,
                          {{"pass", kText, &PassReport::name},
                           {"purpose", kText, &PassReport::purpose},
                           {"rewrites", kCount, &PassReport::rewrites},
                           {"nodes before", kCount, &PassReport::nodesBefore},
                           {"nodes after", kCount, &PassReport::nodesAfter},
                           {"time", kTime, &PassReport::timeNs},
                           {"state", kText, [](const PassReport& pass) { return pass.skipped ? "skipped" : "ran"; }}}));
  tables.push_back(tableOf<RewriteReport>(
      {.id = "rewrites", .stage = Stage::kOptimize, .title = "Rewrites"}, walk.optimize->rewrites,
      {{"pass", kText, &RewriteReport::pass},
       {"removed", kText, [](const RewriteReport& rewrite) { return joined(rewrite.removed); }},
       {"added", kText, [](const RewriteReport& rewrite) { return joined(rewrite.added); }},
       {"why", kText, &RewriteReport::note}}));
}

namespace {

std::string stateOf(const ProviderSummary& provider) {
  return !provider.usable ? provider.reason : provider.simulated ? "usable, simulated" : "usable";
}

ReportTable providersTable(const PartitionReport& partition) {
  return tableOf<ProviderSummary>({.id = "providers", .stage = Stage::kPartition, .title = "Providers, by priority"},
                                  partition.providers,
                                  {{"provider", kText, &ProviderSummary::name},
                                   {"device", kText, &ProviderSummary::device},
                                   {"claimed", kCount, &ProviderSummary::claimedNodes},
                                   {"refused", kCount, &ProviderSummary::refusedNodes},
                                   {"groups", kCount, &ProviderSummary::groups},
                                   {"FLOPs", kCount, &ProviderSummary::flops},
                                   {"weights", kBytes, &ProviderSummary::weightBytes},
                                   {"asking", kTime, &ProviderSummary::askTimeNs},
                                   {"compiling", kTime, &ProviderSummary::compileTimeNs},
                                   {"state", kText, stateOf}});
}

ReportTable refusalsTable(const PartitionReport& partition) {
  return tableOf<RefusalSummary>(
      {.id = "refusals", .stage = Stage::kPartition, .title = "Refusals by cause", .version = "optimized"},
      partition.refusals,
      {{"provider", kText, &RefusalSummary::provider},
       {"answer", kText, [](const RefusalSummary& refusal) { return verdictName(refusal.verdict); }},
       {"cause", kText, [](const RefusalSummary& refusal) { return refusalCauseName(refusal.cause); }},
       {"nodes", kCount, [](const RefusalSummary& refusal) { return refusal.nodes.size(); }},
       {"FLOPs", kCount, &RefusalSummary::flops},
       {"reason", kText, &RefusalSummary::reason},
       {"what would help", kText, &RefusalSummary::remedy}},
      [&](const RefusalSummary& refusal) {
        const NodePlacement* first =
            refusal.nodes.empty() ? nullptr : &partition.nodes[static_cast<size_t>(refusal.nodes.front())];
        return first && first->graph == 0 ? first->node : kNone;
      });
}

ReportTable copiesTable(const PartitionReport& partition) {
  return tableOf<CopyReport>(
      {.id = "copies", .stage = Stage::kPartition, .title = "Copy ledger", .version = "partitioned"}, partition.copies,
      {{"value", kText, &CopyReport::value},
       {"kind", kText, &CopyReport::kind},
       {"from", kText, &CopyReport::from},
       {"to", kText, &CopyReport::to},
       {"bytes", kBytes, &CopyReport::sizeBytes},
       {"cause", kText, &CopyReport::cause},
       {"what removes it", kText, &CopyReport::remedy}},
      [](const CopyReport& copy) { return copy.graph == 0 ? copy.causeNode : kNone; });
}

ReportTable groupsTable(const PartitionReport& partition) {
  return tableOf<GroupReport>(
      {.id = "groups", .stage = Stage::kPartition, .title = "Groups", .version = "optimized"}, partition.groups,
      {{"group", kText, [](const GroupReport& group) { return group.name.empty() ? "(kernels)" : group.name; }},
       {"provider", kText, &GroupReport::provider},
       {"nodes", kCount, [](const GroupReport& group) { return group.nodes.size(); }},
       {"in", kBytes, &GroupReport::inputBytes},
       {"out", kBytes, &GroupReport::outputBytes},
       {"FLOPs", kCount, &GroupReport::flops},
       {"compiled", kText, [](const GroupReport& group) { return group.compiled ? "yes" : "no"; }}},
      [](const GroupReport& group) { return group.graph == 0 && !group.nodes.empty() ? group.nodes.front() : kNone; });
}

std::string firstRefusal(const NodePlacement& placed) {
  const auto refusal = std::find_if(placed.answers.begin(), placed.answers.end(), [](const ProviderAnswer& answer) {
    return answer.verdict != Verdict::kClaimed && answer.verdict != Verdict::kAlreadyTaken;
  });
  return refusal == placed.answers.end() ? std::string() : fmt::format("{}: {}", refusal->provider, refusal->reason);
}

ReportTable placementTable(const PartitionReport& partition, const ModelGraphs& graphs) {
  const auto graphOf = [&](const NodePlacement& placed) -> const GraphReport& {
    return graphs.graphs[static_cast<size_t>(placed.graph)];
  };
  return tableOf<NodePlacement>(
      {.id = "placement", .stage = Stage::kPartition, .title = "Nodes and answers", .version = "optimized"},
      partition.nodes,
      {{"node", kText, [=](const NodePlacement& placed) { return reportNodeLabel(graphOf(placed), placed.node); }},
       {"operator", kText,
        [=](const NodePlacement& placed) { return graphOf(placed).nodes[static_cast<size_t>(placed.node)].opType; }},
       {"provider", kText, &NodePlacement::provider},
       {"FLOPs", kCount, &NodePlacement::flops},
       {"moved", kBytes, &NodePlacement::movedBytes},
       {"weights", kBytes, &NodePlacement::weightBytes},
       {"first refusal", kText, firstRefusal}},
      [](const NodePlacement& placed) { return placed.graph == 0 ? placed.node : kNone; });
}

}  // namespace

void addPartitionTables(const WalkReport& walk, std::vector<ReportTable>& tables) {
  if (!walk.partition || !walk.optimizedGraphs) return;
  const PartitionReport& partition = *walk.partition;
  tables.push_back(providersTable(partition));
  tables.push_back(refusalsTable(partition));
  tables.push_back(copiesTable(partition));
  tables.push_back(groupsTable(partition));
  tables.push_back(placementTable(partition, *walk.optimizedGraphs));
}

}  // namespace cutaway::ui
