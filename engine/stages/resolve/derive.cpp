#include "engine/stages/resolve/derive.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "engine/base/name_hint.h"
#include "engine/graph/node_label.h"
#include "engine/schema/function_body.h"
#include "engine/stages/resolve/nested_graphs.h"
#include "engine/stages/resolve/resolve.h"

namespace cutaway::resolve {

namespace {

// Of one graph.
class Derivation {
 public:
  Derivation(Graph& graph, int64_t irVersion, int32_t index, const ManualLists& manual)
      : m_graph(graph), m_irVersion(irVersion), m_manual(manual) {
    m_result.graph = index;
  }

  Result<DerivedLists> run() {
    m_result.declared = lists();
    m_graph.loadedFromFile = m_graph.inputsManual = m_graph.outputsManual = false;
    CUTAWAY_CHECK(setManualLists());
    CUTAWAY_CHECK(setGraphInputsOutputs(m_graph, m_irVersion, m_result.graph, m_result.steps));
    m_result.derived = lists();
    compareInputs();
    compareOutputs();
    return std::move(m_result);
  }

 private:
  Result<void> setManualLists() {
    if (m_manual.inputs) {
      CUTAWAY_TRY(const std::vector<ValueId> inputs, valuesOf(*m_manual.inputs));
      for (const ValueId id : inputs) {
        const Value& value = m_graph.value(id);
        if (value.producer.valid())
          return fail(ErrorCode::kInvalidArgument,
                      "'{}' cannot be set as an input: {} makes it; to begin there, cut the model with extract",
                      value.name, producerOf(value));
      }
      m_graph.setInputs(inputs);
    }
    if (m_manual.outputs) {
      CUTAWAY_TRY(const std::vector<ValueId> outputs, valuesOf(*m_manual.outputs));
      m_graph.setOutputs(outputs);
    }
    return {};
  }

  Result<std::vector<ValueId>> valuesOf(const std::vector<std::string>& names) const {
    std::vector<ValueId> ids;
    for (const std::string& name : names) {
      ids.push_back(m_graph.findValue(name));
      if (ids.back().valid()) continue;
      std::vector<std::string> known;
      for (const ValueId id : m_graph.valueIds())
        known.push_back(m_graph.value(id).name);
      return fail(ErrorCode::kInvalidArgument, "the graph has no value '{}'; {}", name,
                  nameHint("its values are", name, known));
    }
    return ids;
  }

  InputOutputLists lists() const {
    InputOutputLists lists;
    for (const ValueId id : m_graph.inputs()) {
      const Value& value = m_graph.value(id);
      lists.inputs.push_back(value.name);
      if (!value.initializer)
        lists.requiredInputs.push_back(value.name);
      else if (m_irVersion >= 4)
        lists.overridable.push_back(value.name);
    }
    for (const ValueId id : m_graph.outputs())
      lists.outputs.push_back(m_graph.value(id).name);
    const std::unordered_set<std::string> outputs(lists.outputs.begin(), lists.outputs.end());
    for (const ValueId id : m_graph.valueIds()) {
      const Value& value = m_graph.value(id);
      if (value.producer.valid() && !value.uses.empty() && !outputs.contains(value.name))
        lists.intermediates.push_back(value.name);
    }
    return lists;
  }

  std::string producerOf(const Value& value) const {
    return fmt::format("{} '{}'", m_graph.node(value.producer).opType, nodeName(m_graph, value.producer));
  }

  void differ(const char* list, const std::string& value, std::string text) {
    m_result.differences.push_back({list, value, std::move(text)});
  }

  // tell(name, true): only in `declared`; false: only in `derived`. Then whether the order is another.
  template <typename Tell>
  void compare(const char* list, const std::vector<std::string>& declared, const std::vector<std::string>& derived,
               Tell&& tell) {
    const std::unordered_set<std::string> inDeclared(declared.begin(), declared.end());
    const std::unordered_set<std::string> inDerived(derived.begin(), derived.end());
    bool sameSet = true;
    for (const auto& [names, other, isDeclared] :
         {std::tuple(&declared, &inDerived, true), std::tuple(&derived, &inDeclared, false)}) {
      for (const std::string& name : *names) {
        if (other->contains(name)) continue;
        sameSet = false;
        tell(name, m_graph.value(m_graph.findValue(name)), isDeclared);
      }
    }
    if (sameSet && declared != derived)
      differ(list, "",
             fmt::format("the same values in another order: {} in the file, {} by the nodes", shortList(declared),
                         shortList(derived)));
  }

  static std::string shortList(const std::vector<std::string>& names) {
    constexpr size_t kMostNamed = 4;
    const std::span shown(names.data(), std::min(names.size(), kMostNamed));
    return fmt::format("{}{}", fmt::join(shown, ", "), names.size() > kMostNamed ? " ..." : "");
  }

  void compareInputs() {
    compare(
        "inputs", m_result.declared.inputs, m_result.derived.inputs,
        [&](const std::string& name, const Value& value, bool isDeclared) {
          if (!isDeclared && m_manual.inputs)
            return differ("inputs", name, fmt::format("'{}' was set as an input, and the file does not list it", name));
          if (m_manual.inputs)
            return differ("inputs", name, fmt::format("'{}' is listed as an input, and was not set as one", name));
          if (!isDeclared)
            return differ(
                "inputs", name,
                value.initializer
                    ? fmt::format("'{}' is not listed as an input; below IR 4 initializers are inputs too", name)
                    : fmt::format(
                          "'{}' is not listed as an input; nothing but bodies reads it, so that the graph around "
                          "does not know it and it cannot be captured",
                          name));
          if (value.initializer && m_irVersion >= 4 && !value.uses.empty())
            return differ(
                "overridable", name,
                fmt::format("'{}' has an initializer and is listed as an input, so callers may override it; by "
                            "the nodes it is a constant",
                            name));
          differ("inputs", name,
                 value.producer.valid()
                     ? fmt::format("'{}' is listed as an input, and {} makes it", name, producerOf(value))
                 : value.uses.empty()
                     ? fmt::format("'{}' is listed as an input, and no node reads it", name)
                     : fmt::format("'{}' is listed as an input, and only a body reads it: built in memory it would be "
                                   "an input of that body",
                                   name));
        });
  }

  void compareOutputs() {
    compare(
        "outputs", m_result.declared.outputs, m_result.derived.outputs,
        [&](const std::string& name, const Value& value, bool isDeclared) {
          if (m_manual.outputs)
            return differ("outputs", name,
                          isDeclared ? fmt::format("'{}' is listed as an output, and was not set as one", name)
                                     : fmt::format("'{}' was set as an output, and the file does not list it", name));
          if (!isDeclared)
            return differ("outputs", name,
                          fmt::format("'{}' is made by {} and read by nobody; the file does not list it as an output",
                                      name, producerOf(value)));
          differ("outputs", name,
                 value.producer.valid()
                     ? fmt::format("'{}' is listed as an output, and nodes read it too: an intermediate value by the "
                                   "nodes",
                                   name)
                     : fmt::format("'{}' is listed as an output, and no node makes it", name));
        });
  }

  Graph& m_graph;
  int64_t m_irVersion;
  const ManualLists& m_manual;
  DerivedLists m_result;
};

// Lists are set for the main graph alone.
const ManualLists& manualFor(size_t graph, const ManualLists& manual) {
  static const ManualLists none;
  return graph == 0 ? manual : none;
}

}  // namespace

Result<DerivedInputsOutputs> deriveInputsOutputs(Model& model, const ManualLists& manual) {
  connectScopes(model.graph);
  const std::vector<NestedGraph> graphs = nestedGraphs(model.graph);
  std::vector<std::string> titles;
  for (GraphReport& each : describeGraphs(model).graphs)
    titles.push_back(std::move(each.title));
  std::unordered_map<const Graph*, int32_t> places;
  for (const Graph* each : graphsInReportOrder(model))
    places.emplace(each, static_cast<int32_t>(places.size()));
  DerivedInputsOutputs result;
  for (size_t i = 0; i < graphs.size(); ++i) {
    Graph& graph = *graphs[i].graph;
    if (i > 0) keepKnownCaptures(graphs, i);
    CUTAWAY_TRY(DerivedLists lists, Derivation(graph, model.irVersion, places.at(&graph), manualFor(i, manual)).run());
    lists.title = titles[static_cast<size_t>(lists.graph)];
    if (i > 0)
      result.bodies.push_back(std::move(lists));
    else
      static_cast<DerivedLists&>(result) = std::move(lists);
  }
  return result;
}

}  // namespace cutaway::resolve
