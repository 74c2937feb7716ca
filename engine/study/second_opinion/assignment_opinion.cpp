// Who takes which node, in two engines.
#include <algorithm>
#include <map>

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

}  // namespace

StageOpinion compareAssignment(const OurEngine& ours, const OtherEngine& theirs) {
  StageOpinion stage{.stage = OpinionStage::kPartition};
  const WalkReport& walk = *ours.walk;
  if (!walk.partitionedGraphs || theirs.assignment.empty()) {
    stage.problem =
        theirs.assignment.empty() ? "the other engine recorded no assignment" : "this engine did not partition";
    return stage;
  }
  std::map<std::string, int64_t> countHere, countThere;
  const GraphReport& graph = walk.partitionedGraphs->graphs.front();
  std::map<std::string, const NodeReport*> byName;
  for (const NodeReport& node : graph.nodes) {
    ++countHere[node.provider];
    if (!node.name.empty()) byName.emplace(node.name, &node);
  }
  for (const OtherNode& node : theirs.assignment)
    ++countThere[node.provider];
  const auto listed = [](const std::map<std::string, int64_t>& counts) {
    std::vector<std::string> texts;
    for (const auto& [name, count] : counts)
      texts.push_back(fmt::format("{} {}", formatCount(count), name.empty() ? "nobody" : name));
    return fmt::format("{}", fmt::join(texts, ", "));
  };
  stage.ours = listed(countHere);
  stage.theirs = listed(countThere);
  stage.rows.push_back({"nodes by provider", stage.ours, stage.theirs});
  int64_t matched = 0;
  std::map<std::pair<std::string, std::string>, Group> other;
  for (const OtherNode& node : theirs.assignment) {
    const auto found = byName.find(node.name);
    if (found == byName.end()) continue;
    ++matched;
    const auto names = ours.otherNames.find(found->second->provider);
    if (names != ours.otherNames.end() && std::ranges::find(names->second, node.provider) != names->second.end())
      continue;
    Group& group = other[{found->second->provider, node.provider}];
    if (!found->second->outputs.empty() && found->second->outputs.front() >= 0)
      group.values.push_back(graph.values[static_cast<size_t>(found->second->outputs.front())].name);
    if (group.count++ == 0) group.example = node.name;
  }
  const auto recorded = static_cast<int64_t>(theirs.assignment.size());
  stage.rows.push_back({"nodes matched by name", formatCount(matched), fmt::format("of {}", formatCount(recorded))});
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
