// Initializers that are inputs, too, may be overridden by the caller, so nobody can compute with them beforehand. Out
// of the inputs they are constants.

#include <algorithm>
#include <set>

#include "engine/graph/topology.h"
#include "engine/study/cure/workpiece.h"

namespace cutaway::study {
namespace {

bool isOverridable(const Graph& graph, ValueId id) {
  return graph.value(id).initializer.has_value() && !graph.isConstant(id);
}

// The overridable initializers behind values that depend on initializers alone.
class Defaults {
 public:
  explicit Defaults(const Graph& graph) : m_graph(graph), m_fixed(graph.valueSlots()) {
    for (const ValueId id : graph.valueIds())
      m_fixed[id.index()] = graph.value(id).initializer.has_value();
    const auto order = topologicalOrder(graph);
    if (!order) return;
    for (const NodeId id : *order) {
      const Node& node = graph.node(id);
      const bool fixed = !node.hasBodies() && std::ranges::all_of(node.inputs, [&](ValueId input) {
        return !input.valid() || m_fixed[input.index()];
      });
      for (const ValueId output : node.outputs)
        if (output.valid()) m_fixed[output.index()] = fixed;
    }
  }

  void collect(ValueId id, std::set<std::string>& names) const {
    std::vector<ValueId> open{id};
    std::set<size_t> seen;
    while (!open.empty()) {
      const ValueId at = open.back();
      open.pop_back();
      if (!at.valid() || !m_fixed[at.index()] || !seen.insert(at.index()).second) continue;
      const Value& value = m_graph.value(at);
      if (isOverridable(m_graph, at)) names.insert(value.name);
      if (value.producer.valid())
        for (const ValueId input : m_graph.node(value.producer).inputs)
          open.push_back(input);
    }
  }

 private:
  const Graph& m_graph;
  std::vector<bool> m_fixed;
};

CureChange changeOf(const CureContext& context, std::set<std::string> names, const std::string& whose) {
  CureChange change;
  change.title = names.size() == 1 ? fmt::format("'{}' of {} is a constant", *names.begin(), whose)
                                   : fmt::format("{} inputs with defaults of {} are constants", names.size(), whose);
  change.consequence = "a caller can no longer give other values for them";
  change.parts = static_cast<int64_t>(names.size());
  change.apply = [&context, names = std::move(names)]() -> Result<Model> {
    Model model = context.model;
    std::vector<ValueId> kept;
    for (const ValueId id : model.graph.inputs())
      if (!names.contains(model.graph.value(id).name)) kept.push_back(id);
    model.graph.setInputs(kept);
    return model;
  };
  return change;
}

std::vector<CureChange> propose(const CureContext& context) {
  const Graph& graph = context.graph();
  const Defaults defaults(graph);
  std::vector<CureChange> changes;
  std::vector<std::set<std::string>> seen;
  const auto offer = [&](std::set<std::string> names, const std::string& whose) {
    if (names.empty() || std::ranges::find(seen, names) != seen.end()) return;
    seen.push_back(names);
    changes.push_back(changeOf(context, std::move(names), whose));
  };
  std::set<std::string> together;
  for (const auto& [opType, nodes] : context.refusedByOperator()) {
    std::set<std::string> names;
    for (const NodeId id : nodes)
      for (const ValueId input : graph.node(id).inputs)
        defaults.collect(input, names);
    together.insert(names.begin(), names.end());
    offer(std::move(names), countedNodes(graph, nodes));
  }
  offer(std::move(together), "all refused nodes");
  std::set<std::string> all;
  for (const ValueId id : graph.inputs())
    if (isOverridable(graph, id)) all.insert(graph.value(id).name);
  offer(std::move(all), "the model");
  return changes;
}

constexpr CureVariant kVariant{.name = "make constant",
                               .purpose = "takes initializers that a caller may override out of the inputs",
                               .propose = propose};

}  // namespace

const CureVariant& cure_make_constant() {
  return kVariant;
}

}  // namespace cutaway::study
