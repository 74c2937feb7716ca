// Who takes which node, in two engines.
#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/format.h"
#include "engine/study/second_opinion/second_opinion.h"

namespace cutaway::study {

namespace {

struct Group {
  int64_t count = 0;
  std::string example;
  std::vector<std::string> values = {};
};

// A node and the graph it stands in.
struct Place {
  const GraphReport* graph = nullptr;
  const NodeReport* node = nullptr;
};

// Keys that stand for one node alone: what is said of two is no name.
class SingleNames {
 public:
  void add(const std::string& key, const Place& place) {
    if (key.empty()) return;
    const auto [found, isNew] = m_places.emplace(key, place);
    if (!isNew && found->second.node != place.node) found->second = {};
  }
  Place find(const std::string& key) const {
    const auto found = m_places.find(key);
    return found == m_places.end() ? Place{} : found->second;
  }

 private:
  std::map<std::string, Place> m_places;
};

// Nodes of a model by their names, and by the values that they make.
struct NodeIndex {
  explicit NodeIndex(const ModelGraphs& graphs) {
    for (const GraphReport& graph : graphs.graphs) {
      if (graph.isInside) continue;
      for (const NodeReport& node : graph.nodes) {
        names.add(node.name, {&graph, &node});
        for (const int32_t output : node.outputs)
          if (output >= 0) values.add(graph.values[static_cast<size_t>(output)].name, {&graph, &node});
      }
    }
  }
  SingleNames names, values;
};

// Whom the other engine speaks of, in the graph that this one partitioned. What a node makes says more than its name,
// which optimisers give anew; a node of the model that went into another one here is found by its origin.
class Matching {
 public:
  Matching(const OurEngine& ours, const OtherEngine& theirs) : m_here(*ours.walk->partitionedGraphs) {
    for (const OtherNode& node : theirs.assignment)
      ++m_recorded[node.name];
    for (const GraphReport& graph : ours.walk->partitionedGraphs->graphs)
      for (const NodeReport& node : graph.nodes)
        for (const int32_t origin : node.origins)
          m_byOrigin.emplace(origin, Place{&graph, &node});
    if (ours.walk->loadedGraphs) m_loaded.emplace(*ours.walk->loadedGraphs);
  }

  Place find(const OtherNode& node) const {
    for (const std::string& value : node.values) {
      if (const Place made = m_here.values.find(value); made.node != nullptr) return made;
      if (const Place became = m_loaded ? madeOf(m_loaded->values.find(value)) : Place{}; became.node != nullptr)
        return became;
    }
    const auto recorded = m_recorded.find(node.name);
    if (recorded != m_recorded.end() && recorded->second > 1) return {};
    const Place named = m_here.names.find(node.name);
    return named.node == nullptr && m_loaded ? madeOf(m_loaded->names.find(node.name)) : named;
  }

 private:
  // The node that a node of the model became, or went into.
  Place madeOf(const Place& loaded) const {
    if (loaded.node == nullptr) return {};
    for (const int32_t origin : loaded.node->origins)
      if (const auto found = m_byOrigin.find(origin); found != m_byOrigin.end()) return found->second;
    return {};
  }

  NodeIndex m_here;
  std::optional<NodeIndex> m_loaded;
  std::map<int32_t, Place> m_byOrigin;
  std::map<std::string, int64_t> m_recorded;  // how often a name was recorded
};

bool standsFor(const OurEngine& ours, const std::string& provider, const std::string& other) {
  const auto names = ours.otherNames.find(provider);
  return names != ours.otherNames.end() && std::ranges::find(names->second, other) != names->second.end();
}

}  // namespace

int64_t unmatchedNodes(const OurEngine& ours, const OtherEngine& theirs) {
  if (!ours.walk->partitionedGraphs) return 0;
  const Matching matching(ours, theirs);
  return std::ranges::count_if(theirs.assignment,
                               [&](const OtherNode& node) { return matching.find(node).node == nullptr; });
}

StageOpinion compareAssignment(const OurEngine& ours, const OtherEngine& theirs) {
  StageOpinion stage{.stage = OpinionStage::kPartition};
  const WalkReport& walk = *ours.walk;
  if (!walk.partitionedGraphs || theirs.assignment.empty()) {
    stage.problem =
        theirs.assignment.empty() ? "the other engine recorded no assignment" : "this engine did not partition";
    return stage;
  }
  std::map<std::string, int64_t> countHere, countAsked, countThere;
  for (const NodeReport& node : walk.partitionedGraphs->graphs.front().nodes)
    ++countHere[node.provider];
  if (walk.partition)
    for (const NodePlacement& node : walk.partition->nodes)
      if (node.graph == 0) ++countAsked[node.provider];
  for (const OtherNode& node : theirs.assignment)
    ++countThere[node.provider];
  const auto listed = [](const std::map<std::string, int64_t>& counts) {
    std::vector<std::string> texts;
    for (const auto& [name, count] : counts)
      texts.push_back(fmt::format("{} {}", formatCount(count), name.empty() ? "nobody" : name));
    return fmt::format("{}", fmt::join(texts, ", "));
  };
  // The other engine records the nodes that providers were asked about, before anything was fused.
  stage.ours = listed(countAsked.empty() ? countHere : countAsked);
  stage.theirs = listed(countThere);
  stage.rows.push_back({"nodes by provider", stage.ours, stage.theirs});
  const Matching matching(ours, theirs);
  int64_t matched = 0;
  bool isOpen = false;  // a node that was not matched could be somebody else's here
  std::map<std::pair<std::string, std::string>, Group> other;
  for (const OtherNode& node : theirs.assignment) {
    const Place found = matching.find(node);
    if (found.node == nullptr) {
      isOpen = isOpen || !std::ranges::all_of(
                             countHere, [&](const auto& each) { return standsFor(ours, each.first, node.provider); });
      continue;
    }
    ++matched;
    if (standsFor(ours, found.node->provider, node.provider)) continue;
    Group& group = other[{found.node->provider, node.provider}];
    if (!found.node->outputs.empty() && found.node->outputs.front() >= 0)
      group.values.push_back(found.graph->values[static_cast<size_t>(found.node->outputs.front())].name);
    if (group.count++ == 0)
      group.example = !node.name.empty() ? node.name : node.values.empty() ? node.opType : node.values.front();
  }
  const auto recorded = static_cast<int64_t>(theirs.assignment.size());
  const std::string share = fmt::format("{} of {}", formatCount(matched), formatCount(recorded));
  stage.rows.push_back({"nodes matched by name or by what they make", share, share});
  if (matched == 0 || isOpen) stage.problem = fmt::format("unknown: {} nodes matched", share);
  for (const auto& [providers, group] : other) {
    const auto names = ours.otherNames.find(providers.first);
    const bool asked =
        names != ours.otherNames.end() && std::ranges::any_of(names->second, [&](const std::string& name) {
          return std::ranges::find(theirs.providers, name) != theirs.providers.end();
        });
    stage.differences.push_back(
        {fmt::format("{} nodes such as '{}'", formatCount(group.count), group.example), providers.first,
         providers.second, asked ? "" : "other providers",
         asked ? "" : fmt::format("its session has no provider that stands for {}", providers.first), group.values});
  }
  const auto copiesHere = static_cast<int64_t>(walk.partition ? walk.partition->copies.size() : 0);
  const auto copiesThere = static_cast<int64_t>(theirs.copies.size());
  stage.rows.push_back({"copies between devices", formatCount(copiesHere), formatCount(copiesThere)});
  if (copiesHere != copiesThere)
    stage.differences.push_back({"copies between devices", formatCount(copiesHere), formatCount(copiesThere),
                                 other.empty() ? "" : "other providers",
                                 other.empty() ? "" : "who takes a node decides where its values lie"});
  return stage;
}

}  // namespace cutaway::study
