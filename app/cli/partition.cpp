// partition: which provider took which node, why the others refused, which groups and copies came of it.
#include <map>

#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"

namespace cutaway::cli {

namespace {

void printProviders(const PartitionReport& report) {
  TextTable table({"provider", "device", ">claimed", ">refused", ">asked in", ">compiled in", "state"});
  for (const ProviderSummary& provider : report.providers) {
    table.add({provider.name, provider.device, formatCount(provider.claimedNodes), formatCount(provider.refusedNodes), formatTime(provider.askTimeNs), formatTime(provider.compileTimeNs),
               provider.usable ? "usable" : "not usable: " + provider.reason});
  }
  table.print();
}

void printRefusals(const WalkReport& walk) {
  std::map<std::tuple<std::string, std::string, std::string>, std::pair<int64_t, std::string>> byReason;
  for (const NodePlacement& node : walk.partition->nodes) {
    for (const ProviderAnswer& answer : node.answers) {
      if (answer.verdict == Verdict::kClaimed || answer.verdict == Verdict::kAlreadyTaken) continue;
      auto& [count, first] = byReason[{answer.provider, refusalCauseName(answer.cause), answer.reason}];
      if (count++ == 0) first = nodeLabel(walk.optimizedGraphs->graphs[static_cast<size_t>(node.graph)], node.node);
    }
  }
  if (byReason.empty()) return;
  TextTable table({"provider", "cause", ">nodes", "first node", "reason"});
  for (const auto& [key, value] : byReason) table.add({std::get<0>(key), std::get<1>(key), formatCount(value.first), value.second, std::get<2>(key)});
  fmt::print("\nrefusals\n");
  table.print(60, 100);
}

void printGroups(const PartitionReport& report) {
  TextTable table({"group", "provider", "kind", ">nodes", ">bytes in", ">bytes out"});
  int64_t number = 0;
  for (const GroupReport& group : report.groups) {
    table.add({group.name.empty() ? fmt::format("#{}", number) : group.name, group.provider, group.compiled ? "compiled" : "kernels", formatCount(static_cast<int64_t>(group.nodes.size())), formatBytes(group.inputBytes),
               formatBytes(group.outputBytes)});
    ++number;
  }
  fmt::print("\ngroups\n");
  table.print(40);
}

void printCopies(const PartitionReport& report) {
  if (report.copies.empty()) return;
  TextTable table({"value", "from", "to", ">bytes", "cause"});
  for (const CopyReport& copy : report.copies) table.add({copy.value, copy.from, copy.to, formatBytes(copy.sizeBytes), copy.cause});
  fmt::print("\ncopies\n");
  table.print(0, 90);
}

void printNodes(const WalkReport& walk) {
  TextTable table({"graph", "node", "operator", "provider", "answers"});
  for (const NodePlacement& node : walk.partition->nodes) {
    const GraphReport& graph = walk.optimizedGraphs->graphs[static_cast<size_t>(node.graph)];
    std::vector<std::string> answers;
    for (const ProviderAnswer& answer : node.answers) {
      answers.push_back(answer.verdict == Verdict::kClaimed ? answer.provider + " takes it" : fmt::format("{}: {}", answer.provider, answer.reason));
    }
    table.add({graph.title, nodeLabel(graph, node.node), graph.nodes[static_cast<size_t>(node.node)].opType, node.provider.empty() ? "nobody" : node.provider, fmt::format("{}", fmt::join(answers, "; "))});
  }
  fmt::print("\nnodes\n");
  table.print(0, 100);
}

}  // namespace

Verb verb_partition() {
  return {.name = "partition",
          .help = "who takes which node, why the others refused, groups and copies",
          .example = "cutaway-cli partition model.onnx --providers skeleton,cpu --nodes",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto shared = std::make_shared<SharedOptions>();
            auto nodes = std::make_shared<bool>(false);
            shared->declare(command);
            shared->declareJson(command);
            command.add_flag("--nodes", *nodes, "every node with every answer");
            return [shared, nodes] {
              return runStageVerb(*shared, Stage::kPartition, [&](const WalkReport& walk) {
                printProviders(*walk.partition);
                printRefusals(walk);
                printGroups(*walk.partition);
                printCopies(*walk.partition);
                if (*nodes) printNodes(walk);
              });
            };
          }};
}

}  // namespace cutaway::cli
