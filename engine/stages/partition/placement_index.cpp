#include "engine/stages/partition/placement_index.h"

#include "engine/stages/partition/describe.h"

namespace cutaway::partition {

PlacementIndex::PlacementIndex(const Model& model, const PartitionReport& report) : m_report(report) {
  // Entries stand by graph, and within a graph in node order.
  std::unordered_map<int32_t, int32_t> firstOfGraph;
  for (size_t i = 0; i < report.nodes.size(); ++i)
    firstOfGraph.try_emplace(report.nodes[i].graph, static_cast<int32_t>(i));
  for (const auto& [graph, number] : indexGraphs(model)) {
    const auto first = firstOfGraph.find(number);
    if (first == firstOfGraph.end()) continue;
    std::vector<int32_t>& entries = m_entries[graph];
    entries.assign(graph->nodeSlots(), kNone);
    int32_t next = first->second;
    for (const NodeId id : graph->nodeIds())
      entries[id.index()] = next++;
  }
}

const NodePlacement* PlacementIndex::find(const Graph* graph, NodeId id) const {
  const auto entries = m_entries.find(graph);
  if (entries == m_entries.end() || id.index() >= entries->second.size() || entries->second[id.index()] == kNone)
    return nullptr;
  return &m_report.nodes[static_cast<size_t>(entries->second[id.index()])];
}

std::string PlacementIndex::refusal(const Graph* graph, NodeId id, const std::string& provider) const {
  const NodePlacement* placement = find(graph, id);
  if (placement == nullptr) return {};
  for (const ProviderAnswer& answer : placement->answers) {
    if (answer.provider == provider && answer.verdict != Verdict::kClaimed && answer.verdict != Verdict::kAlreadyTaken)
      return answer.reason;
  }
  return {};
}

}  // namespace cutaway::partition
