// Two partitions side by side: figures, nodes that changed hands, copies that only one side has.

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include <fmt/ranges.h>

#include "engine/base/node_name.h"
#include "engine/study/what_if/what_if.h"

namespace cutaway::study {
namespace {

void countProviders(const PartitionReport& report, PartitionFigures& figures) {
  std::unordered_map<std::string_view, size_t> place;
  for (const ProviderSummary& provider : report.providers) {
    place.emplace(provider.name, figures.providers.size());
    figures.providers.push_back({.provider = provider.name, .simulated = provider.simulated});
  }
  for (const NodePlacement& node : report.nodes) {
    const auto found = place.find(node.provider);
    if (found == place.end()) continue;
    ProviderFigures& provider = figures.providers[found->second];
    ++provider.nodes;
    provider.flops += std::max<int64_t>(node.flops, 0);
    provider.weightBytes += node.weightBytes;
  }
  for (const GroupReport& group : report.groups) {
    const auto found = place.find(group.provider);
    if (found != place.end()) ++figures.providers[found->second].groups;
    figures.compiledGroups += group.compiled ? 1 : 0;
  }
  for (const ProviderFigures& provider : figures.providers)
    figures.simulated = figures.simulated || (provider.simulated && provider.nodes > 0);
}

PartitionFigures figuresOf(const WalkReport& walk, const char* title) {
  PartitionFigures figures;
  figures.title = title;
  if (walk.partition == nullptr) return figures;
  const PartitionReport& report = *walk.partition;
  countProviders(report, figures);
  figures.unassignedNodes = report.unassignedNodes;
  figures.groups = static_cast<int64_t>(report.groups.size());
  for (const CopyReport& copy : report.copies) {
    ++(copy.kind == "cast" ? figures.casts : figures.copies);
    if (copy.sizeBytes < 0)
      ++figures.copiesOfUnknownSize;
    else
      figures.copiedBytes += copy.sizeBytes;
  }
  figures.warnings = report.warnings;
  const bool complete =
      walk.pattern != nullptr &&
      std::ranges::all_of(walk.pattern->graphs, [](const GraphPattern& graph) { return graph.unplanned.empty(); });
  if (complete) figures.plannedPeakBytes = walk.pattern->peakBytes;
  if (complete && figures.compiledGroups > 0)
    figures.warnings.emplace_back(
        "memory inside compiled groups is planned by their providers and is not in the planned peak");
  return figures;
}

const GraphReport* graphAt(const WalkReport& walk, int32_t index) {
  if (walk.optimizedGraphs == nullptr || index < 0 || static_cast<size_t>(index) >= walk.optimizedGraphs->graphs.size())
    return nullptr;
  return &walk.optimizedGraphs->graphs[static_cast<size_t>(index)];
}

// Put in by a change of layout alone ("channels last"); it is no node of the model.
bool isLayoutTranspose(const NodeReport& node) {
  return node.opType == "Transpose" && node.rewrite == "channels last";
}

// Finds a node of one side on the other. The graphs are the same ones, apart from functions that only one side inlined
// and nodes that only one side computes channels last, whose values have other names then: there the original nodes a
// node was made of are its identity, and its place among those of one operator that share them.
class NodeMatch {
 public:
  NodeMatch(const WalkReport& from, const WalkReport& to)
      : m_from(from), m_to(to), m_shared(from.optimizedGraphs == to.optimizedGraphs) {
    for (size_t i = 0; i < to.partition->nodes.size(); ++i)
      m_placements[{to.partition->nodes[i].graph, to.partition->nodes[i].node}] = i;
  }

  // nullptr: the other side has no such node.
  const NodePlacement* find(const NodePlacement& node) {
    const int32_t index = m_shared ? node.node : otherIndex(node);
    const auto found = m_placements.find({node.graph, index});
    return found == m_placements.end() ? nullptr : &m_to.partition->nodes[found->second];
  }

 private:
  static std::string_view firstOutput(const GraphReport& graph, const NodeReport& node) {
    for (const int32_t output : node.outputs)
      if (output != kNone) return graph.values[static_cast<size_t>(output)].name;
    return {};
  }

  int32_t otherIndex(const NodePlacement& placed) {
    const GraphReport* here = graphAt(m_from, placed.graph);
    const GraphReport* there = graphAt(m_to, placed.graph);
    if (here == nullptr || there == nullptr) return kNone;
    const auto index = static_cast<size_t>(placed.node);
    const NodeReport& node = here->nodes[index];
    const std::string_view output = firstOutput(*here, node);
    if (index < there->nodes.size() && there->nodes[index].opType == node.opType &&
        firstOutput(*there, there->nodes[index]) == output)
      return placed.node;
    auto& names = m_byOutput[placed.graph];
    if (names.empty()) {
      for (size_t i = 0; i < there->nodes.size(); ++i)
        names.emplace(firstOutput(*there, there->nodes[i]), static_cast<int32_t>(i));
    }
    const auto found = names.find(output);
    return found == names.end() || there->nodes[static_cast<size_t>(found->second)].opType != node.opType
               ? sameOrigins(placed)
               : found->second;
  }

  // Without those that the layout itself added.
  static std::string originKey(const NodeReport& node) {
    return node.origins.empty() || isLayoutTranspose(node)
               ? std::string()
               : fmt::format("{} {}", node.opType, fmt::join(node.origins, ","));
  }

  int32_t sameOrigins(const NodePlacement& placed) {
    auto& [placesHere, nodesThere] = m_byOrigins[placed.graph];
    if (placesHere.empty()) {
      std::unordered_map<std::string, int32_t> seen;
      for (const NodeReport& node : graphAt(m_from, placed.graph)->nodes)
        placesHere.push_back(seen[originKey(node)]++);
      const std::vector<NodeReport>& nodes = graphAt(m_to, placed.graph)->nodes;
      for (size_t i = 0; i < nodes.size(); ++i)
        nodesThere[originKey(nodes[i])].push_back(static_cast<int32_t>(i));
    }
    const std::string key = originKey(graphAt(m_from, placed.graph)->nodes[static_cast<size_t>(placed.node)]);
    const auto found = nodesThere.find(key);
    const auto place = static_cast<size_t>(placesHere[static_cast<size_t>(placed.node)]);
    return key.empty() || found == nodesThere.end() || place >= found->second.size() ? kNone : found->second[place];
  }

  const WalkReport& m_from;
  const WalkReport& m_to;
  bool m_shared;
  std::map<std::pair<int32_t, int32_t>, size_t> m_placements;
  std::map<int32_t, std::unordered_map<std::string_view, int32_t>> m_byOutput;
  // By graph: the place of every node here among those of its key, and the nodes of every key there.
  std::map<int32_t, std::pair<std::vector<int32_t>, std::unordered_map<std::string, std::vector<int32_t>>>> m_byOrigins;
};

std::string whyMoved(const PartitionReport& b, const NodePlacement& before, const NodePlacement& after) {
  if (before.provider.empty()) return fmt::format("{} takes it now", after.provider);
  const auto listed = std::ranges::find(b.providers, before.provider.string(), &ProviderSummary::name);
  if (listed == b.providers.end()) return fmt::format("{} is not in the list of providers any more", before.provider);
  if (!listed->usable) return fmt::format("{} cannot be used: {}", before.provider, listed->reason);
  const auto answer = std::ranges::find_if(after.answers, [&](const ProviderAnswer& each) {
    return each.provider == before.provider && each.verdict != Verdict::kClaimed;
  });
  if (answer != after.answers.end() && answer->verdict != Verdict::kAlreadyTaken && !answer->reason.empty())
    return answer->reason;
  return after.provider.empty() ? fmt::format("{} was not asked", before.provider)
                                : fmt::format("{} comes first now and takes it", after.provider);
}

void addMoved(const WalkReport& a, const WalkReport& b, PartitionComparison& comparison) {
  NodeMatch match(a, b);
  int64_t missing = 0, turned = 0;
  for (const NodePlacement& before : a.partition->nodes) {
    const NodePlacement* after = match.find(before);
    if (after == nullptr) {
      const GraphReport* graph = graphAt(a, before.graph);
      const bool isTurn = graph != nullptr && isLayoutTranspose(graph->nodes[static_cast<size_t>(before.node)]);
      ++(isTurn ? turned : missing);
    }
    if (after == nullptr || after->provider == before.provider) continue;
    const GraphReport* graph = graphAt(a, before.graph);
    if (graph == nullptr) continue;
    const NodeReport& node = graph->nodes[static_cast<size_t>(before.node)];
    comparison.moved.push_back({.graph = before.graph,
                                .node = before.node,
                                .name = nodeName(node.name, node.opType, static_cast<size_t>(before.node)),
                                .opType = node.opType,
                                .from = before.provider,
                                .to = after->provider,
                                .reason = whyMoved(*b.partition, before, *after),
                                .flops = before.flops});
  }
  if (turned > 0)
    comparison.b.warnings.push_back(fmt::format(
        "{} of '{}' {} not in '{}': a Transpose to or from channels last, which a provider of '{}' asked for",
        turned == 1 ? "1 node" : fmt::format("{} nodes", turned), comparison.a.title, turned == 1 ? "is" : "are",
        comparison.b.title, comparison.a.title));
  if (missing == 0) return;
  const bool hasFunctions = a.load != nullptr && !a.load->functions.empty();
  comparison.b.warnings.push_back(fmt::format(
      "{} of '{}' {} not in '{}'{}", missing == 1 ? "1 node" : fmt::format("{} nodes", missing), comparison.a.title,
      missing == 1 ? "is" : "are", comparison.b.title,
      hasFunctions ? ": a function was taken whole on one side and inlined on the other"
                   : ": the sides rewrote the graph differently, and nothing is said about who takes them"));
}

// Copies of `from` without an equal one in `other`; equal ones pair off.
std::vector<CopyReport> copiesOnlyIn(const std::vector<CopyReport>& from, const std::vector<CopyReport>& other) {
  using Key = std::tuple<int32_t, std::string_view, std::string_view, std::string_view, std::string_view>;
  const auto keyOf = [](const CopyReport& copy) { return Key{copy.graph, copy.value, copy.from, copy.to, copy.kind}; };
  std::map<Key, int64_t> there;
  for (const CopyReport& copy : other)
    ++there[keyOf(copy)];
  std::vector<CopyReport> only;
  for (const CopyReport& copy : from) {
    const auto found = there.find(keyOf(copy));
    if (found != there.end() && found->second > 0)
      --found->second;
    else
      only.push_back(copy);
  }
  return only;
}

}  // namespace

PartitionComparison comparePartitions(const WalkReport& a, const WalkReport& b) {
  PartitionComparison comparison;
  comparison.a = figuresOf(a, "now");
  comparison.b = figuresOf(b, "what if");
  if (a.partition == nullptr || b.partition == nullptr) return comparison;
  addMoved(a, b, comparison);
  comparison.copiesOnlyInA = copiesOnlyIn(a.partition->copies, b.partition->copies);
  comparison.copiesOnlyInB = copiesOnlyIn(b.partition->copies, a.partition->copies);
  return comparison;
}

}  // namespace cutaway::study
