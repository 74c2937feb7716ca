// Groups of a few nodes on a device cost two copies each: left to the provider of last resort they cost none.
#include <algorithm>
#include <map>
#include <set>

#include "engine/study/advise/advisor.h"

namespace cutaway::study {
namespace {

constexpr int64_t kSmall = 8;  // nodes; above this a group is worth its copies
constexpr size_t kMostOperators = 4;

// Sizes of groups that would go: a limit between two sizes is the same as the next size.
std::set<int64_t> limits(const AdviceContext& context) {
  std::set<int64_t> result;
  for (const GroupReport& group : context.walk.partition->groups) {
    const auto size = static_cast<int64_t>(group.nodes.size());
    if (group.compiled && size < kSmall && size >= context.options.minimumGroupNodes) result.insert(size + 1);
  }
  return result;
}

// Operators that stand in small groups of other providers, most groups first.
std::vector<std::string> operators(const AdviceContext& context) {
  std::map<std::string, int64_t> groups;
  for (const GroupReport& group : context.walk.partition->groups) {
    if (group.provider == context.last || static_cast<int64_t>(group.nodes.size()) >= kSmall) continue;
    std::set<std::string> types;
    const GraphReport& graph = context.walk.optimizedGraphs->graphs[static_cast<size_t>(group.graph)];
    for (const int32_t node : group.nodes)
      types.insert(graph.nodes[static_cast<size_t>(node)].opType);
    for (const std::string& type : types)
      ++groups[type];
  }
  std::vector<std::string> names;
  for (const auto& [name, count] : groups)
    names.push_back(name);
  std::ranges::stable_sort(names, [&](const auto& a, const auto& b) { return groups[a] > groups[b]; });
  names.resize(std::min(names.size(), kMostOperators));
  return names;
}

std::vector<Suggestion> suggest(const AdviceContext& context) {
  std::vector<Suggestion> suggestions;
  if (!context.othersAsked || context.walk.partition->copies.empty()) return suggestions;
  const std::vector<AdviceMeasure> aims = {AdviceMeasure::kCopies, AdviceMeasure::kCopiedBytes};
  for (const int64_t limit : limits(context)) {
    suggestions.push_back({.title = fmt::format("no groups below {} nodes", limit),
                           .reason = "small groups cost copies in and out",
                           .consequence = fmt::format("{} runs their nodes", context.last),
                           .change = {},
                           .aims = aims});
    suggestions.back().change.minimumGroupNodes = limit;
  }
  for (const std::string& type : operators(context)) {
    suggestions.push_back({.title = fmt::format("{} on {}", type, context.last),
                           .reason = fmt::format("small groups of {} cost copies in and out", type),
                           .consequence = fmt::format("{} runs them", context.last),
                           .change = {},
                           .aims = aims});
    std::vector<NodePin> pins = context.options.pins;
    pins.push_back({NodePin::Kind::kOperator, type, context.last});
    suggestions.back().change.pins = std::move(pins);
  }
  return suggestions;
}

constexpr Advisor kAdvisor{.name = "small groups",
                           .purpose = "leaves groups of a few nodes to the provider of last resort",
                           .alternatives = true,
                           .suggest = suggest};

}  // namespace

const Advisor& advisor_small_groups() {
  return kAdvisor;
}

}  // namespace cutaway::study
