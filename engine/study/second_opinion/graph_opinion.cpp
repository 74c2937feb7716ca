// Optimised graphs and assignments of two engines.
#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/format.h"
#include "engine/operators/traits/operator_traits.h"
#include "engine/study/difference/diff_models.h"
#include "engine/study/operator_family.h"
#include "engine/study/second_opinion/second_opinion.h"

namespace cutaway::study {

namespace {

struct Reason {
  std::string rule;
  std::string explanation;
};

// Operators that only an optimiser writes.
bool isMadeByOptimiser(const NodeReport& node) {
  return node.domain == "com.microsoft" || node.domain == "com.cutaway" || node.opType.starts_with("Fused");
}
bool isOfLayout(const NodeReport& node) {
  return node.domain == "com.microsoft.nchwc" || node.domain == "com.ms.internal.nhwc" || node.opType == "Transpose" ||
         node.opType.starts_with("Reorder");
}
// Operators that change nothing for some attributes or inputs, so that an optimiser may drop them: x + 0, a cast to the
// same type, a transposition that another undoes. Those that compute element by element, and those that only move data.
bool mayChangeNothing(const NodeReport& node) {
  static const std::set<std::string> kOfShapes = {"Shape", "Size", "ConstantOfShape"};
  if (kOfShapes.contains(node.opType)) return true;
  const operators::OperatorTraits* traits = operators::findTraits(node.opType, node.domain);
  if (traits == nullptr) return false;
  switch (traits->relation) {
    case operators::Relation::kElementwise:
    case operators::Relation::kBroadcast:
    case operators::Relation::kView:
    case operators::Relation::kJoin:
    case operators::Relation::kSplit:
    case operators::Relation::kMovement:
      return true;
    default:
      return false;
  }
}
bool isOfQuantisation(const NodeReport& node) {
  return node.opType == "QuantizeLinear" || node.opType == "DequantizeLinear" || node.opType.starts_with("QLinear") ||
         node.opType.ends_with("Integer") || node.opType.starts_with("DynamicQuantize");
}

// One graph as the other is looked up in it: by the names of its values.
class Names {
 public:
  explicit Names(const GraphReport& graph) : m_graph(graph) {
    for (size_t i = 0; i < graph.values.size(); ++i)
      m_values.emplace(graph.values[i].name, static_cast<int32_t>(i));
  }
  const ValueReport* value(const std::string& name) const {
    const auto found = m_values.find(name);
    return found == m_values.end() ? nullptr : &m_graph.values[static_cast<size_t>(found->second)];
  }
  const NodeReport* producer(const ValueReport& value) const {
    return value.producer < 0 ? nullptr : &m_graph.nodes[static_cast<size_t>(value.producer)];
  }

 private:
  const GraphReport& m_graph;
  std::map<std::string, int32_t> m_values;
};

using Families = std::set<OperatorFamily>;

// Families of the operators that only one side has.
Families familiesOf(const GraphReport& graph, const std::vector<int32_t>& nodes) {
  Families families;
  for (const int32_t index : nodes) {
    const NodeReport& node = graph.nodes[static_cast<size_t>(index)];
    if (const auto family = operatorFamilyOf(node.opType)) families.insert(*family);
    // QGemm, MatMulIntegerToFloat ...: products that only an optimiser writes.
    const auto holds = [&](const char* part) { return node.opType.find(part) != std::string::npos; };
    if (isMadeByOptimiser(node) && (holds("Gemm") || holds("MatMul") || holds("Conv")))
      families.insert(OperatorFamily::kProduct);
  }
  return families;
}

// Why a node of `graph` has no counterpart among the nodes of `other`. Follows the node's result down to the next value
// that both graphs know, because a fusion keeps the name of its last result.
Reason reasonOf(const GraphReport& graph, int32_t at, const Names& other, const Families& onlyThere) {
  const NodeReport& node = graph.nodes[static_cast<size_t>(at)];
  if (isOfLayout(node) && node.domain != "" && node.domain != "ai.onnx")
    return {"layout", "operators of another memory layout"};
  if (isMadeByOptimiser(node)) return {"other fusion", "the operator is written by an optimiser, out of several nodes"};
  std::set<int32_t> seen;
  std::vector<int32_t> todo = {at};
  bool read = false;
  while (!todo.empty() && seen.size() < 64) {
    const int32_t index = todo.back();
    todo.pop_back();
    if (!seen.insert(index).second) continue;
    for (const int32_t output : graph.nodes[static_cast<size_t>(index)].outputs) {
      if (output < 0) continue;
      const ValueReport& value = graph.values[static_cast<size_t>(output)];
      read |= !value.consumers.empty() || value.isOutput;
      const ValueReport* known = other.value(value.name);
      // A name that is only typed there, as optimisers leave them behind, says nothing.
      if (known == nullptr || (known->producer < 0 && !known->isInitializer && known->role != ValueRole::kInput)) {
        todo.insert(todo.end(), value.consumers.begin(), value.consumers.end());
        continue;
      }
      const NodeReport* maker = other.producer(*known);
      if (maker == nullptr && known->isInitializer)
        return {"folded", "its result is an initializer in the other graph"};
      if (maker == nullptr) continue;
      if (isMadeByOptimiser(*maker) || maker->opType != graph.nodes[static_cast<size_t>(index)].opType)
        return {"other fusion", fmt::format("{} of the other graph computes it", maker->opType)};
      if (index != at && isOfLayout(node)) return {"layout", "moves data between layouts on one side only"};
      if (index != at && mayChangeNothing(node))
        return {"removed", fmt::format("it stands before {} on one side only", maker->opType)};
    }
  }
  if (!read) return {"removed", "nothing reads it"};
  if (isOfQuantisation(node)) return {"inserted", "a quantised pair that one optimiser moves or doubles"};
  if (node.opType == "Cast") return {"inserted", "a change of type that one engine needs for its kernels"};
  if (!node.outputs.empty() && node.outputs.front() >= 0) {
    const std::string& type = graph.values[static_cast<size_t>(node.outputs.front())].elementType;
    if (type == "int64" || type == "int32")
      return {"folded", "arithmetic of shapes: constant for the sizes that the other graph was made for"};
  }
  if (mayChangeNothing(node)) return {"removed", "no value behind it has a name that both graphs know"};
  if (const auto family = operatorFamilyOf(node.opType);
      family && *family != OperatorFamily::kControl && onlyThere.contains(*family))
    return {"other fusion", "the other graph has another operator of the same kind for it"};
  return {};
}

// Changes of a matched node that matter: another name or neighbour is told elsewhere, and an attribute that only one
// side writes has its default there.
std::string ownChange(const NodeDiff& node) {
  for (const std::string& change : node.changes)
    if (!change.starts_with("name ") && !change.starts_with("output") && !change.starts_with("input ") &&
        !(change.starts_with("attribute ") && (change.ends_with(" is new") || change.ends_with(" is gone"))))
      return change;
  return {};
}

// The value by which a node is found in the model: one that it makes, else the next one behind it that the model makes
// too, else one that it reads; empty: none of them.
std::string placeOf(const GraphReport& graph, int32_t at, const Names& model) {
  constexpr size_t kMostVisited = 64;
  const auto isMade = [&](int32_t value) {
    const ValueReport* known = value < 0 ? nullptr : model.value(graph.values[static_cast<size_t>(value)].name);
    return known != nullptr && known->producer >= 0;
  };
  std::set<int32_t> seen;
  std::deque<int32_t> todo = {at};
  while (!todo.empty() && seen.size() < kMostVisited) {
    const int32_t index = todo.front();
    todo.pop_front();
    if (!seen.insert(index).second) continue;
    for (const int32_t output : graph.nodes[static_cast<size_t>(index)].outputs) {
      if (isMade(output)) return graph.values[static_cast<size_t>(output)].name;
      if (output < 0) continue;
      const auto& consumers = graph.values[static_cast<size_t>(output)].consumers;
      todo.insert(todo.end(), consumers.begin(), consumers.end());
    }
  }
  for (const int32_t input : graph.nodes[static_cast<size_t>(at)].inputs)
    if (isMade(input)) return graph.values[static_cast<size_t>(input)].name;
  return {};
}

void addPlace(std::vector<std::string>& values, std::string value) {
  if (!value.empty() && (values.empty() || values.back() != value)) values.push_back(std::move(value));
}

std::string firstOutput(const GraphReport& graph, const NodeReport& node) {
  return node.outputs.empty() || node.outputs.front() < 0
             ? std::string()
             : graph.values[static_cast<size_t>(node.outputs.front())].name;
}

struct Group {
  int64_t count = 0;
  std::string example;
  std::string explanation;
  std::vector<std::string> values = {};
};
using Groups = std::map<std::tuple<std::string, std::string, bool>, Group>;  // operator, rule, ours

void collect(const GraphReport& graph, int32_t node, const Names& other, const Names& model, const Families& onlyThere,
             bool ours, Groups& groups) {
  const NodeReport& report = graph.nodes[static_cast<size_t>(node)];
  const Reason reason = reasonOf(graph, node, other, onlyThere);
  Group& group = groups[{report.opType, reason.rule, ours}];
  addPlace(group.values, ours ? firstOutput(graph, report) : placeOf(graph, node, model));
  if (group.count++ > 0) return;
  group.explanation = reason.explanation;
  group.example = report.name.empty() ? firstOutput(graph, report) : report.name;
}

std::string nodesText(int64_t before, int64_t after) {
  return fmt::format("{} -> {} nodes", formatCount(before), formatCount(after));
}

int64_t changingPasses(const OptimizeReport& report) {
  return std::ranges::count_if(report.passes, [](const PassReport& pass) { return pass.rewrites > 0; });
}

std::string passNames(const OptimizeReport& report) {
  std::vector<std::string> names;
  for (const PassReport& pass : report.passes)
    if (pass.rewrites > 0) names.push_back(pass.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

StageOpinion compareOptimized(const OurEngine& ours, const OtherEngine& theirs) {
  StageOpinion stage{.stage = OpinionStage::kOptimize};
  const WalkReport& walk = *ours.walk;
  if (!theirs.optimized || !walk.optimizedGraphs || !walk.optimize) {
    stage.problem = theirs.optimized ? "this engine did not optimise the model" : theirs.graphProblem;
    return stage;
  }
  const GraphReport& here = walk.optimizedGraphs->graphs.front();
  const GraphReport& there = theirs.optimized->graphs.front();
  const auto loaded = static_cast<int64_t>(walk.loadedGraphs->graphs.front().nodes.size());
  stage.ours = nodesText(loaded, static_cast<int64_t>(here.nodes.size()));
  stage.theirs = nodesText(loaded, static_cast<int64_t>(there.nodes.size()));
  stage.rows.push_back({"nodes of the main graph", stage.ours, stage.theirs});
  stage.rows.push_back({"passes that changed it", formatCount(changingPasses(*walk.optimize)),
                        formatCount(static_cast<int64_t>(theirs.passes.size()))});
  stage.rows.push_back({"in order", passNames(*walk.optimize), fmt::format("{}", fmt::join(theirs.passes, ", "))});
  const ModelDiff diff = diffGraphs(*walk.optimizedGraphs, *theirs.optimized);
  stage.rows.push_back(
      {"nodes that are the same", formatCount(diff.same + diff.changed), formatCount(diff.same + diff.changed)});
  const Names namesHere(here), namesThere(there), names(walk.loadedGraphs->graphs.front());
  std::vector<int32_t> onlyHere, onlyThere;
  for (const NodeDiff& node : diff.nodes) {
    if (node.kind == DiffKind::kOnlyA && node.graphA == 0) onlyHere.push_back(node.nodeA);
    if (node.kind == DiffKind::kOnlyB && node.graphB == 0) onlyThere.push_back(node.nodeB);
  }
  const Families familiesHere = familiesOf(here, onlyHere), familiesThere = familiesOf(there, onlyThere);
  Groups groups;
  for (const int32_t node : onlyHere)
    collect(here, node, namesThere, names, familiesThere, true, groups);
  for (const int32_t node : onlyThere)
    collect(there, node, namesHere, names, familiesHere, false, groups);
  for (const NodeDiff& node : diff.nodes) {
    if (node.kind != DiffKind::kChanged || node.graphA != 0 || node.graphB != 0) continue;
    const std::string change = ownChange(node);
    if (change.empty()) continue;
    const NodeReport& report = here.nodes[static_cast<size_t>(node.nodeA)];
    Group& group = groups[{report.opType, "other fusion", true}];
    addPlace(group.values, firstOutput(here, report));
    if (group.count++ == 0) group.example = report.name, group.explanation = "matched, but " + change;
  }
  for (const auto& [key, group] : groups) {
    const auto& [opType, rule, isOurs] = key;
    const std::string count = fmt::format("{} {}", formatCount(group.count), opType);
    const std::string explanation =
        group.explanation.empty() ? "" : fmt::format("{} (such as '{}')", group.explanation, group.example);
    stage.differences.push_back({opType, isOurs ? count : "-", isOurs ? "-" : count, rule, explanation, group.values});
  }
  return stage;
}

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
    addPlace(group.values, firstOutput(graph, *found->second));
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
