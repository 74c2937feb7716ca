#include "engine/stages/partition/describe.h"

#include <algorithm>

#include "engine/operators/cost/node_cost.h"
#include "engine/stages/partition/groups.h"
#include "engine/stages/partition/refusal_summary.h"
#include "engine/stages/resolve/resolve.h"

namespace cutaway::partition {

namespace {

// Providers that were asked again, or that gave a group back, answered late.
void sortByPriority(const std::vector<ProviderSummary>& providers, std::vector<ProviderAnswer>& answers) {
  const auto place = [&](const ProviderAnswer& answer) {
    return std::find_if(providers.begin(), providers.end(),
                        [&](const ProviderSummary& provider) { return provider.name == answer.provider; });
  };
  const auto earlier = [&](const ProviderAnswer& a, const ProviderAnswer& b) { return place(a) < place(b); };
  if (!std::is_sorted(answers.begin(), answers.end(), earlier))
    std::stable_sort(answers.begin(), answers.end(), earlier);
}

void describeGraph(GraphAssignment& assignment, int32_t graphIndex, PartitionReport& report) {
  const Graph& graph = *assignment.graph;
  std::vector<int32_t> position(graph.nodeSlots(), kNone);
  int32_t next = 0;
  std::vector<operators::NodeCost> costs(graph.nodeSlots());
  for (const NodeId id : graph.nodeIds()) {
    position[id.index()] = next++;
    costs[id.index()] = operators::nodeCost(graph, id);
  }
  GraphGroups groups = findGroups(assignment, position, costs, graphIndex);
  const int32_t firstGroup = static_cast<int32_t>(report.groups.size());
  for (GroupReport& group : groups.groups)
    report.groups.push_back(std::move(group));
  assignment.answers.resize(graph.nodeSlots());
  for (const NodeId id : graph.nodeIds()) {
    const int32_t group = groups.groupOfNode[id.index()];
    sortByPriority(report.providers, assignment.answers[id.index()]);
    const SharedText& provider = graph.node(id).provider;
    report.unassignedNodes += provider.empty() ? 1 : 0;
    const operators::NodeCost& cost = costs[id.index()];
    report.nodes.push_back({.graph = graphIndex,
                            .node = position[id.index()],
                            .provider = provider,
                            .group = group == kNone ? kNone : firstGroup + group,
                            .answers = std::move(assignment.answers[id.index()]),
                            .flops = cost.flops,
                            .movedBytes = cost.movedBytes,
                            .weightBytes = cost.weightBytes});
  }
}

// Each weight once for a provider, however many of its nodes read it; a body reads the weights of the graph around it.
void addWeights(const Graph& graph, std::vector<ProviderSummary>& providers) {
  for (ProviderSummary& provider : providers) {
    std::vector<bool> isCounted(graph.valueSlots(), false);
    for (const NodeId id : graph.nodeIds()) {
      if (graph.node(id).provider != provider.name) continue;
      for (const ValueId input : graph.node(id).inputs) {
        if (!input.valid() || isCounted[input.index()] || !graph.isConstant(input)) continue;
        isCounted[input.index()] = true;
        provider.weightBytes += graph.value(input).initializer->sizeBytes();
      }
    }
  }
}

void addToSummary(ProviderSummary& provider, const NodePlacement& node) {
  if (node.provider == provider.name) {
    ++provider.claimedNodes;
    provider.flops += std::max<int64_t>(node.flops, 0);
  }
  for (const ProviderAnswer& answer : node.answers) {
    if (answer.verdict == Verdict::kClaimed || answer.verdict == Verdict::kAlreadyTaken ||
        answer.provider != provider.name)
      continue;
    ++provider.refusedNodes;
    return;
  }
}

void summarizeProviders(std::span<const std::unique_ptr<ExecutionProvider>> providers, PartitionReport& report) {
  for (ProviderSummary& summary : report.providers) {
    summary.simulated = std::ranges::any_of(
        providers, [&](const auto& provider) { return provider->name() == summary.name && provider->simulated(); });
    for (const NodePlacement& node : report.nodes)
      addToSummary(summary, node);
    for (GroupReport& group : report.groups) {
      if (group.provider != summary.name) continue;
      ++summary.groups;
      group.simulated = summary.simulated;
    }
  }
}

// Providers say the same of many nodes.
void shareTexts(std::vector<NodePlacement>& nodes) {
  TextPool texts;
  for (NodePlacement& node : nodes) {
    texts.share(node.provider);
    node.answers.shrink_to_fit();
    for (ProviderAnswer& answer : node.answers)
      for (SharedText* text : {&answer.provider, &answer.reason, &answer.rule, &answer.seen, &answer.remedy})
        texts.share(*text);
  }
}

}  // namespace

std::unordered_map<const Graph*, int32_t> indexGraphs(const Model& model) {
  std::unordered_map<const Graph*, int32_t> index;
  const std::vector<const Graph*> graphs = resolve::graphsInReportOrder(model);
  for (size_t i = 0; i < graphs.size(); ++i)
    index[graphs[i]] = static_cast<int32_t>(i);
  return index;
}

void describeAssignments(const Model& model, std::vector<GraphAssignment>& assignments,
                         std::span<const std::unique_ptr<ExecutionProvider>> providers, PartitionReport& report) {
  const std::unordered_map<const Graph*, int32_t> index = indexGraphs(model);
  size_t nodes = 0;
  for (const GraphAssignment& assignment : assignments)
    nodes += assignment.graph->nodeCount();
  report.nodes.reserve(nodes);
  for (GraphAssignment& assignment : assignments) {
    describeGraph(assignment, index.at(assignment.graph), report);
    addWeights(*assignment.graph, report.providers);
  }
  std::sort(report.nodes.begin(), report.nodes.end(), [](const NodePlacement& a, const NodePlacement& b) {
    return std::pair(a.graph, a.node) < std::pair(b.graph, b.node);
  });
  summarizeProviders(providers, report);
  report.refusals = summarizeRefusals(report.providers, report.nodes);
  shareTexts(report.nodes);
}

}  // namespace cutaway::partition
