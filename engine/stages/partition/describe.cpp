#include "engine/stages/partition/describe.h"

#include <algorithm>

#include "engine/stages/partition/groups.h"
#include "engine/stages/resolve/resolve.h"

namespace cutaway {

namespace {

// Providers that were asked again, or that gave a group back, answered late.
void sortInAskingOrder(const std::vector<ProviderSummary>& providers, std::vector<ProviderAnswer>& answers) {
  const auto place = [&](const ProviderAnswer& answer) { return std::find_if(providers.begin(), providers.end(), [&](const ProviderSummary& provider) { return provider.name == answer.provider; }); };
  const auto earlier = [&](const ProviderAnswer& a, const ProviderAnswer& b) { return place(a) < place(b); };
  if (!std::is_sorted(answers.begin(), answers.end(), earlier)) std::stable_sort(answers.begin(), answers.end(), earlier);
}

void describeGraph(GraphAssignment& assignment, int32_t graphIndex, PartitionReport& report) {
  const Graph& graph = *assignment.graph;
  std::vector<int32_t> position(graph.nodeSlots(), kNone);
  int32_t next = 0;
  for (const NodeId id : graph.nodeIds()) position[id.index()] = next++;
  GraphGroups groups = findGroups(assignment, position, graphIndex);
  const int32_t firstGroup = static_cast<int32_t>(report.groups.size());
  for (GroupReport& group : groups.groups) report.groups.push_back(std::move(group));
  assignment.answers.resize(graph.nodeSlots());
  for (const NodeId id : graph.nodeIds()) {
    const int32_t group = groups.groupOfNode[id.index()];
    sortInAskingOrder(report.providers, assignment.answers[id.index()]);
    const std::string& provider = graph.node(id).provider;
    report.unassignedNodes += provider.empty() ? 1 : 0;
    report.nodes.push_back(
        {.graph = graphIndex, .node = position[id.index()], .provider = provider, .group = group == kNone ? kNone : firstGroup + group, .answers = std::move(assignment.answers[id.index()])});
  }
}

void countAnswers(PartitionReport& report) {
  for (ProviderSummary& provider : report.providers) {
    for (const NodePlacement& node : report.nodes) {
      provider.claimedNodes += node.provider == provider.name ? 1 : 0;
      provider.refusedNodes += std::any_of(node.answers.begin(), node.answers.end(), [&](const ProviderAnswer& answer) {
        return answer.provider == provider.name && answer.verdict != Verdict::kClaimed && answer.verdict != Verdict::kAlreadyTaken;
      });
    }
  }
}

}  // namespace

std::unordered_map<const Graph*, int32_t> indexGraphs(const Model& model) {
  std::unordered_map<const Graph*, int32_t> index;
  const std::vector<const Graph*> graphs = graphsInReportOrder(model);
  for (size_t i = 0; i < graphs.size(); ++i) index[graphs[i]] = static_cast<int32_t>(i);
  return index;
}

void describeAssignments(const Model& model, std::vector<GraphAssignment>& assignments, std::span<const std::unique_ptr<ExecutionProvider>> /*providers*/, PartitionReport& report) {
  const std::unordered_map<const Graph*, int32_t> index = indexGraphs(model);
  for (GraphAssignment& assignment : assignments) describeGraph(assignment, index.at(assignment.graph), report);
  std::sort(report.nodes.begin(), report.nodes.end(), [](const NodePlacement& a, const NodePlacement& b) { return std::pair(a.graph, a.node) < std::pair(b.graph, b.node); });
  countAnswers(report);
}

}  // namespace cutaway
