// Optimised graphs of two engines. A node that only one of them has is put down to a pass: to one of ours by the record
// of its rewrites, to one of the other's by what that pass is known to take and to write - and only where its log says
// that the pass changed this model. What no pass accounts for is unexplained.
#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/format.h"
#include "engine/study/difference/diff_models.h"
#include "engine/study/second_opinion/second_opinion.h"

namespace cutaway::study {

namespace {

constexpr const char* kAny = "*";
constexpr const char* kHalf = "half";
constexpr int kMostReaders = 16;    // from a node to those that read it, one behind another
constexpr size_t kMostSteps = 256;  // down from a node to values that both graphs know

struct Reason {
  std::string rule;
  std::string explanation;
};

const std::string& firstOutput(const GraphReport& graph, const NodeReport& node) {
  static const std::string kNothing;
  for (const int32_t output : node.outputs)
    if (output >= 0) return graph.values[static_cast<size_t>(output)].name;
  return kNothing;
}

bool isAsLoaded(const NodeReport& node) {
  return node.rewrite.empty() || node.rewrite == "function inlining";
}

// The nodes of a graph as another graph speaks of them: an operator, and a name or a result.
class NodeNames {
 public:
  explicit NodeNames(const GraphReport& graph) {
    for (size_t i = 0; i < graph.nodes.size(); ++i)
      add(graph, static_cast<int32_t>(i));
  }
  NodeNames(const GraphReport& graph, const std::vector<int32_t>& nodes) {
    for (const int32_t node : nodes)
      add(graph, node);
  }
  // kNone: there is none.
  int32_t find(const GraphReport& graph, const NodeReport& node) const {
    const auto named = node.name.empty() ? m_nodes.end() : m_nodes.find({node.opType, "node " + node.name});
    if (named != m_nodes.end()) return named->second;
    const auto made = m_nodes.find({node.opType, "value " + firstOutput(graph, node)});
    return made == m_nodes.end() ? kNone : made->second;
  }

 private:
  void add(const GraphReport& graph, int32_t index) {
    const NodeReport& node = graph.nodes[static_cast<size_t>(index)];
    if (!node.name.empty()) m_nodes.emplace(std::pair(node.opType, "node " + node.name), index);
    m_nodes.emplace(std::pair(node.opType, "value " + firstOutput(graph, node)), index);
  }
  std::map<std::pair<std::string, std::string>, int32_t> m_nodes;
};

std::map<std::string, int32_t> valuesOf(const GraphReport& graph) {
  std::map<std::string, int32_t> values;
  for (size_t i = 0; i < graph.values.size(); ++i)
    values.emplace(graph.values[i].name, static_cast<int32_t>(i));
  return values;
}

// Where the results of a node of one graph turn up in the other, first on each way down.
struct Trail {
  bool isRead = false;         // by anything, or as a result of the model
  bool isFolded = false;       // a result is an initializer there
  std::set<std::string> made;  // operators that compute results there
};

// Whether a node of one graph that reads `value` has an initializer in its place in the other. Of equal values one may
// stay under the name of another.
bool isReadFolded(const GraphReport& graph, int32_t value, const GraphReport& other, const NodeNames& nodes) {
  for (const int32_t reader : graph.values[static_cast<size_t>(value)].consumers) {
    const NodeReport& here = graph.nodes[static_cast<size_t>(reader)];
    const int32_t index = nodes.find(graph, here);
    if (index == kNone) continue;
    const IndexList& inputs = other.nodes[static_cast<size_t>(index)].inputs;
    for (size_t slot = 0; slot < std::min(here.inputs.size(), inputs.size()); ++slot)
      if (here.inputs[slot] == value && inputs[slot] >= 0 &&
          other.values[static_cast<size_t>(inputs[slot])].isInitializer)
        return true;
  }
  return false;
}

Trail trailOf(const GraphReport& graph, int32_t at, const GraphReport& other,
              const std::map<std::string, int32_t>& values, const NodeNames& nodes) {
  Trail trail;
  std::set<int32_t> seen;
  std::vector<int32_t> todo = {at};
  while (!todo.empty() && seen.size() < kMostSteps) {
    const int32_t index = todo.back();
    todo.pop_back();
    if (!seen.insert(index).second) continue;
    for (const int32_t output : graph.nodes[static_cast<size_t>(index)].outputs) {
      if (output < 0) continue;
      const ValueReport& value = graph.values[static_cast<size_t>(output)];
      trail.isRead |= !value.consumers.empty() || value.isOutput;
      const auto known = values.find(value.name);
      const ValueReport* there = known == values.end() ? nullptr : &other.values[static_cast<size_t>(known->second)];
      if (there != nullptr && there->producer >= 0) {
        trail.made.insert(other.nodes[static_cast<size_t>(there->producer)].opType);
      } else if (there != nullptr && there->isInitializer) {
        trail.isFolded = true;
      } else if (isReadFolded(graph, output, other, nodes)) {
        trail.isFolded = true;
      } else {  // a name that is only typed there, as optimisers leave them behind, says nothing
        todo.insert(todo.end(), value.consumers.begin(), value.consumers.end());
      }
    }
  }
  return trail;
}

bool lists(const std::vector<std::string>& operators, const std::string& opType) {
  return std::ranges::find(operators, opType) != operators.end();
}

// A node that stands twice: the same operator over the same values.
bool isDoubled(const GraphReport& graph, int32_t at) {
  const NodeReport& node = graph.nodes[static_cast<size_t>(at)];
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const NodeReport& each = graph.nodes[i];
    if (static_cast<int32_t>(i) != at && each.opType == node.opType && each.inputs == node.inputs) return true;
  }
  return false;
}

// Whether a node reads or makes half floats.
bool isOfHalves(const GraphReport& graph, const NodeReport& node) {
  const auto half = [&](int32_t value) {
    return value >= 0 && graph.values[static_cast<size_t>(value)].elementType == "float16";
  };
  return std::ranges::any_of(node.inputs, half) || std::ranges::any_of(node.outputs, half);
}

// Two engines' optimised graphs over one loaded model.
class Blame {
 public:
  Blame(const OurEngine& ours, const OtherEngine& theirs)
      : m_loaded(ours.walk->loadedGraphs->graphs.front()),
        m_here(ours.walk->optimizedGraphs->graphs.front()),
        m_there(theirs.optimized->graphs.front()),
        m_rewrites(ours.walk->optimize->rewrites),
        m_passes(theirs.graphPasses),
        m_inlinedPrefix(theirs.inlinedPrefix),
        m_loadedNames(m_loaded),
        m_namesHere(m_here),
        m_namesThere(m_there),
        m_valuesHere(valuesOf(m_here)),
        m_valuesThere(valuesOf(m_there)) {
    for (const NodeReport& node : m_loaded.nodes)
      m_operators.insert(node.opType);
    for (size_t i = 1; i < ours.walk->loadedGraphs->graphs.size(); ++i)
      for (const NodeReport& node : ours.walk->loadedGraphs->graphs[i].nodes)
        m_inBodies.insert(node.opType);
    for (const NodeReport& node : m_there.nodes)
      if (const std::string function = expandedFrom(node); !function.empty()) m_expanded.insert(function);
    for (const NodeReport& node : m_loaded.nodes)
      if (isOfHalves(m_loaded, node)) m_halves.insert(node.opType);
  }

  // Of a node that the other engine has not got; `all`: every such node.
  Reason onlyHere(int32_t at, const std::set<int32_t>& all) {
    m_all = &all;
    return reasonHere(at);
  }

  Reason reasonHere(int32_t at) {
    const NodeReport& node = m_here.nodes[static_cast<size_t>(at)];
    if (!isAsLoaded(node)) return {"our pass", node.rewrite + " makes it"};
    const Trail trail = trailOf(m_here, at, m_there, m_valuesThere, m_namesThere);
    std::vector<std::string> exact, likely;
    for (const OtherPass& pass : m_passes) {
      if (!lists(pass.takes, node.opType) && !(lists(pass.takes, kHalf) && isOfHalves(m_here, node))) continue;
      likely.push_back(pass.name);
      if (std::ranges::any_of(trail.made, [&](const std::string& made) { return lists(pass.writes, made); }))
        exact.push_back(pass.name);
    }
    if (!exact.empty())
      return {"their pass", fmt::format("{} takes it into {}", fmt::join(exact, " or "), fmt::join(trail.made, ", "))};
    if (trail.isFolded || isDoubled(m_here, at))
      for (const OtherPass& pass : m_passes)
        if (lists(pass.takes, kAny)) likely.push_back(pass.name);
    if (!likely.empty()) return {"their pass", fmt::format("{} takes it away", fmt::join(likely, " or "))};
    if (m_expanded.contains(node.opType)) return {"expanded", "the other engine puts its function body in its place"};
    if (!trail.isRead) return {"unread", "nothing reads its results"};
    if (areReadersTaken(at)) return {"their pass", "what reads its results is taken away"};
    return {};
  }

  Reason onlyThere(int32_t at) const {
    const NodeReport& node = m_there.nodes[static_cast<size_t>(at)];
    if (const std::string function = expandedFrom(node); !function.empty() && m_operators.contains(function))
      return {"expanded", "of the function body of " + function};
    if (const int32_t loaded = m_loadedNames.find(m_there, node); loaded != kNone) {
      if (const RewriteReport* const rewrite = rewriteOf(m_loaded.nodes[static_cast<size_t>(loaded)], true))
        return {"our pass", rewrite->pass + " takes it away"};
      if (!trailOf(m_there, at, m_here, m_valuesHere, m_namesHere).isRead)
        return {"unread", "nothing reads its results"};
    }
    if (m_inBodies.contains(node.opType))
      for (const OtherPass& pass : m_passes)
        if (lists(pass.takes, "If")) return {"their pass", pass.name + " puts a branch of an If in its place"};
    return writtenThere(node, "writes it");
  }

  // Of a node that both have.
  Reason changed(const NodeDiff& diff) const {
    const NodeReport& here = m_here.nodes[static_cast<size_t>(diff.nodeA)];
    const NodeReport& there = m_there.nodes[static_cast<size_t>(diff.nodeB)];
    if (!isAsLoaded(here)) return {"our pass", here.rewrite + " makes it"};
    if (const int32_t loaded = m_loadedNames.find(m_here, here); loaded != kNone)
      if (const RewriteReport* const rewrite = rewriteOf(m_loaded.nodes[static_cast<size_t>(loaded)], false))
        return {"our pass", rewrite->pass + " changes it"};
    return writtenThere(there, "writes it");
  }

 private:
  // Whether all that reads the results of a node here went there, so that the node went with it.
  bool areReadersTaken(int32_t at) {
    if (m_depth >= kMostReaders) return false;
    ++m_depth;
    bool all = true;
    for (const int32_t output : m_here.nodes[static_cast<size_t>(at)].outputs) {
      if (output < 0) continue;
      const ValueReport& value = m_here.values[static_cast<size_t>(output)];
      all = all && !value.isOutput && std::ranges::all_of(value.consumers, [&](int32_t reader) {
              return m_all->contains(reader) && reasonHere(reader).rule == "their pass";
            });
    }
    --m_depth;
    return all;
  }
  // The pass of ours that touched a loaded node, or that took it away.
  const RewriteReport* rewriteOf(const NodeReport& loaded, bool took) const {
    for (const RewriteReport& rewrite : m_rewrites) {
      if (took && rewrite.removed.empty()) continue;
      for (const int32_t origin : loaded.origins)
        if (std::ranges::find(rewrite.origins, origin) != rewrite.origins.end()) return &rewrite;
    }
    return nullptr;
  }
  // "HardSwish" of "_inlfunc_HardSwish_n1", the name of a node of the other graph or of a value beside it; empty: it is
  // of no function body.
  std::string expandedFrom(const NodeReport& node) const {
    std::vector<std::string> names = {node.name.string()};
    for (const IndexList& values : {node.outputs, node.inputs})
      for (const int32_t value : values)
        if (value >= 0) names.push_back(m_there.values[static_cast<size_t>(value)].name);
    const size_t size = m_inlinedPrefix.size();
    for (const std::string& name : names)
      if (size > 0 && name.starts_with(m_inlinedPrefix)) return name.substr(size, name.find('_', size) - size);
    return {};
  }
  Reason writtenThere(const NodeReport& node, const char* what) const {
    std::vector<std::string> likely;
    for (const OtherPass& pass : m_passes)
      if (lists(pass.writes, node.opType) || (lists(pass.writes, kHalf) && m_halves.contains(node.opType)))
        likely.push_back(pass.name);
    if (likely.empty()) return {};
    return {"their pass", fmt::format("{} {}", fmt::join(likely, " or "), what)};
  }

  const GraphReport& m_loaded;
  const GraphReport& m_here;
  const GraphReport& m_there;
  const std::vector<RewriteReport>& m_rewrites;
  const std::vector<OtherPass>& m_passes;
  const std::string& m_inlinedPrefix;
  const std::set<int32_t>* m_all = nullptr;
  int m_depth = 0;
  NodeNames m_loadedNames, m_namesHere, m_namesThere;
  std::map<std::string, int32_t> m_valuesHere, m_valuesThere;
  std::set<std::string> m_inBodies;
  std::set<std::string> m_operators, m_expanded;  // in the model as loaded; expanded by the other engine
  std::set<std::string> m_halves;                 // operators over half floats in the model as loaded
};

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
std::string placeOf(const GraphReport& graph, int32_t at, const GraphReport& model,
                    const std::map<std::string, int32_t>& modelValues) {
  const auto isMade = [&](int32_t value) {
    const auto known = value < 0 ? modelValues.end() : modelValues.find(graph.values[static_cast<size_t>(value)].name);
    return known != modelValues.end() && model.values[static_cast<size_t>(known->second)].producer >= 0;
  };
  std::set<int32_t> seen;
  std::deque<int32_t> todo = {at};
  while (!todo.empty() && seen.size() < kMostSteps) {
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

struct Group {
  int64_t count = 0;
  std::string example;
  std::vector<std::string> values = {};
};
using Groups = std::map<std::tuple<std::string, bool, std::string, std::string>, Group>;  // operator, ours, reason

void collect(const GraphReport& graph, int32_t index, bool ours, const Reason& reason, Groups& groups,
             const std::string& place, const std::string& change = {}) {
  const NodeReport& node = graph.nodes[static_cast<size_t>(index)];
  Group& group = groups[{node.opType, ours, reason.rule, reason.explanation}];
  if (!place.empty() && (group.values.empty() || group.values.back() != place)) group.values.push_back(place);
  if (group.count++ > 0) return;
  group.example = node.name.empty() ? firstOutput(graph, node) : node.name.string();
  if (!change.empty()) group.example += ": " + change;
}

std::string nodesText(size_t before, size_t after) {
  return fmt::format("{} -> {} nodes", formatCount(static_cast<int64_t>(before)),
                     formatCount(static_cast<int64_t>(after)));
}

std::vector<std::string> changingPasses(const OptimizeReport& report) {
  std::vector<std::string> names;
  for (const PassReport& pass : report.passes)
    if (pass.rewrites > 0) names.push_back(pass.name);
  return names;
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
  const size_t loaded = walk.loadedGraphs->graphs.front().nodes.size();
  const std::vector<std::string> passes = changingPasses(*walk.optimize);
  stage.ours = nodesText(loaded, here.nodes.size());
  stage.theirs = nodesText(loaded, there.nodes.size());
  stage.rows.push_back({"nodes of the main graph", stage.ours, stage.theirs});
  stage.rows.push_back({"passes that changed it", formatCount(static_cast<int64_t>(passes.size())),
                        formatCount(static_cast<int64_t>(theirs.passes.size()))});
  stage.rows.push_back(
      {"in order", fmt::format("{}", fmt::join(passes, ", ")), fmt::format("{}", fmt::join(theirs.passes, ", "))});
  const ModelDiff diff = diffGraphs(*walk.optimizedGraphs, *theirs.optimized);
  std::vector<int32_t> onlyHere, onlyThere;
  for (const NodeDiff& node : diff.nodes) {
    if (node.kind == DiffKind::kOnlyA && node.graphA == 0) onlyHere.push_back(node.nodeA);
    if (node.kind == DiffKind::kOnlyB && node.graphB == 0) onlyThere.push_back(node.nodeB);
  }
  Blame blame(ours, theirs);
  const GraphReport& model = walk.loadedGraphs->graphs.front();
  const std::map<std::string, int32_t> modelValues = valuesOf(model);
  const std::set<int32_t> allHere(onlyHere.begin(), onlyHere.end());
  // A node with the same operator and name, or result, on both sides is one node whose surroundings differ.
  const NodeNames namesHere(here, onlyHere), namesThere(there, onlyThere);
  int64_t paired = 0;
  Groups groups;
  for (const int32_t node : onlyHere) {
    if (namesThere.find(here, here.nodes[static_cast<size_t>(node)]) != kNone)
      ++paired;
    else
      collect(here, node, true, blame.onlyHere(node, allHere), groups,
              firstOutput(here, here.nodes[static_cast<size_t>(node)]));
  }
  for (const int32_t node : onlyThere)
    if (namesHere.find(there, there.nodes[static_cast<size_t>(node)]) == kNone)
      collect(there, node, false, blame.onlyThere(node), groups, placeOf(there, node, model, modelValues));
  for (const NodeDiff& node : diff.nodes) {
    if (node.kind != DiffKind::kChanged || node.graphA != 0 || node.graphB != 0) continue;
    if (const std::string change = ownChange(node); !change.empty())
      collect(here, node.nodeA, true, blame.changed(node), groups,
              firstOutput(here, here.nodes[static_cast<size_t>(node.nodeA)]), change);
  }
  const std::string same = formatCount(diff.same + diff.changed + paired);
  stage.rows.push_back({"nodes that are the same", same, same});
  for (const auto& [key, group] : groups) {
    const auto& [opType, isOurs, rule, why] = key;
    const std::string count = fmt::format("{} {}", formatCount(group.count), opType);
    stage.differences.push_back({opType, isOurs ? count : "-", isOurs ? "-" : count, rule,
                                 why.empty() ? fmt::format("such as '{}'", group.example)
                                             : fmt::format("{} (such as '{}')", why, group.example),
                                 group.values});
  }
  return stage;
}

}  // namespace cutaway::study
