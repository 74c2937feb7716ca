// The inputs-and-outputs rule: which values a graph asks its caller for, and which it gives back
// (Graph::SetGraphInputsOutputs in onnxruntime/core/graph/graph.cc).
//
// A graph from a file says it itself; that is checked and written down. A graph built in memory is read: values that
// nobody makes are inputs, values that nobody reads are outputs, unless the caller set them. Every decision is a step,
// so that a window can replay it.

#include <algorithm>

#include "engine/graph/node_label.h"
#include "engine/stages/resolve/resolve.h"

namespace cutaway::resolve {

namespace {

class InputsOutputsRule {
 public:
  InputsOutputsRule(Graph& graph, int64_t irVersion, int32_t graphIndex, std::vector<ResolveStep>* steps)
      : m_graph(graph), m_irVersion(irVersion), m_graphIndex(graphIndex), m_steps(steps) {
    if (steps != nullptr) number();
  }

  Result<void> run() {
    m_graph.overridableInitializers = m_irVersion >= 4;
    if (m_graph.loadedFromFile) return fromFile();
    CUTAWAY_CHECK(inputsFromNodes());
    if (!m_graph.outputsManual) outputsFromNodes();
    noteOverridable("overridable");
    return {};
  }

 private:
  // Reports count live nodes and values only.
  void number() {
    m_nodeIndex.resize(m_graph.nodeSlots(), kNone);
    m_valueIndex.resize(m_graph.valueSlots(), kNone);
    int32_t next = 0;
    for (const NodeId id : m_graph.nodeIds())
      m_nodeIndex[id.index()] = next++;
    next = 0;
    for (const ValueId id : m_graph.valueIds())
      m_valueIndex[id.index()] = next++;
  }

  void step(NodeId node, ValueId value, const char* rule, const char* list, bool added, std::string text) {
    if (m_steps == nullptr) return;
    ResolveStep& each = m_steps->emplace_back();
    each.graph = m_graphIndex;
    each.node = node.valid() ? m_nodeIndex[node.index()] : kNone;
    each.value = value.valid() ? m_valueIndex[value.index()] : kNone;
    each.rule = m_texts.of(rule);
    each.list = m_texts.of(list);
    each.added = added;
    each.text = std::move(text);
  }
  bool tracing() const { return m_steps != nullptr; }
  std::string quoted(ValueId id) const {
    return tracing() ? fmt::format("'{}'", m_graph.value(id).name) : std::string();
  }

  Result<void> fromFile() {
    for (const ValueId id : m_graph.inputs()) {
      step({}, id, "file.declared-input", "inputs", true, quoted(id) + " is listed among the inputs of the file");
      if (!m_graph.value(id).initializer) {
        step({}, id, "file.required-input", "required inputs", true,
             quoted(id) + " has no initializer: the caller must give it");
      } else if (m_irVersion < 4) {
        step({}, id, "ir3.initializer-input", "", true,
             quoted(id) + " is listed as an input because IR 3 asks for it; its initializer makes it a constant");
      }
    }
    for (const ValueId id : m_graph.outputs()) {
      const Value& value = m_graph.value(id);
      if (!value.producer.valid() && !value.initializer && !value.isInput) {
        const char* why = value.outerScope ? "it belongs to the graph around this one; put an Identity in between"
                                           : "no node, initializer or input gives it";
        return fail(
            atValue({ErrorCode::kInvalidGraph,
                     fmt::format("the output '{}' of graph '{}' cannot be one: {}", value.name, m_graph.name(), why),
                     {}},
                    value.name));
      }
      step({}, id, "file.declared-output", "outputs", true, quoted(id) + " is listed among the outputs of the file");
    }
    noteOverridable("file.overridable");
    return {};
  }

  void noteOverridable(const char* rule) {
    if (m_irVersion < 4) return;
    for (const ValueId id : m_graph.inputs()) {
      if (m_graph.value(id).initializer)
        step({}, id, rule, "overridable", true,
             quoted(id) + " is an input with a default value: the caller may give another");
    }
  }

  // Manual: each declared input once, the first mention counts. Automatic: the list starts empty.
  std::vector<ValueId> startingInputs() {
    if (!m_graph.inputsManual) return {};
    std::vector<ValueId> inputs;
    std::vector<bool> listed(m_graph.valueSlots());
    for (const ValueId id : m_graph.inputs()) {
      if (listed[id.index()]) {
        step({}, id, "manual.duplicate", "inputs", false,
             quoted(id) + " was set as an input more than once; the first mention counts");
        continue;
      }
      listed[id.index()] = true;
      inputs.push_back(id);
      step({}, id, "manual.declared", "inputs", true, quoted(id) + " was set as an input");
      if (!m_graph.value(id).initializer)
        step({}, id, "manual.declared", "required inputs", true,
             quoted(id) + " has no initializer: the caller must give it");
    }
    return inputs;
  }

  Result<void> inputsFromNodes() {
    std::vector<ValueId> inputs = startingInputs();
    std::vector<bool> isListed(m_graph.valueSlots());
    std::vector<bool> seen(m_graph.valueSlots());
    for (const ValueId id : inputs)
      isListed[id.index()] = true;
    for (const NodeId nodeId : m_graph.nodeIds()) {
      const Node& node = m_graph.node(nodeId);
      for (const ValueId id : node.inputs) {
        if (id.valid()) CUTAWAY_CHECK(visitInput(nodeId, id, inputs, isListed, seen));
      }
    }
    const bool manual = m_graph.inputsManual;
    m_graph.setInputs(inputs);
    m_graph.inputsManual = manual;
    return {};
  }

  Result<void> visitInput(NodeId nodeId, ValueId id, std::vector<ValueId>& inputs, const std::vector<bool>& isListed,
                          std::vector<bool>& seen) {
    const Value& value = m_graph.value(id);
    if (value.producer.valid()) {
      if (!seen[id.index()])
        step(nodeId, id, "auto.consumed", "intermediates", true,
             quoted(id) + " is made by a node here and read by another: an intermediate value");
      seen[id.index()] = true;
      return {};
    }
    if (seen[id.index()]) return {};
    seen[id.index()] = true;
    if (value.outerScope) {
      step(nodeId, id, "outer-scope", "", true,
           quoted(id) + " comes from the graph around this one, so it is no input");
      return {};
    }
    const bool isInitializer = value.initializer.has_value();
    if (m_graph.inputsManual) {
      if (isInitializer || isListed[id.index()]) return {};
      return fail(atNode(
          atValue({ErrorCode::kFail, fmt::format("'{}' must be a declared input or an initializer", value.name), {}},
                  value.name),
          nodeName(m_graph, nodeId)));
    }
    if (isInitializer && m_irVersion >= 4) {
      step(nodeId, id, "auto.initializer", "", true,
           quoted(id) + " has an initializer and was not set as an input: a constant");
      return {};
    }
    inputs.push_back(id);
    const char* rule = isInitializer ? "ir3.initializer-input" : "auto.input";
    step(nodeId, id, rule, "inputs", true,
         quoted(id) + (isInitializer ? " has an initializer; below IR 4 those are listed as inputs too"
                                     : " is read here and nothing makes it: an input"));
    if (!isInitializer)
      step(nodeId, id, rule, "required inputs", true, quoted(id) + " has no initializer: the caller must give it");
    return {};
  }

  void outputsFromNodes() {
    std::vector<ValueId> outputs;
    for (const NodeId nodeId : m_graph.nodeIds()) {
      const Node& node = m_graph.node(nodeId);
      for (const ValueId id : node.outputs) {
        if (!id.valid() || !m_graph.value(id).uses.empty()) continue;
        outputs.push_back(id);
        step(nodeId, id, "auto.output", "outputs", true, quoted(id) + " is made here and nothing reads it: an output");
      }
    }
    m_graph.setOutputs(outputs);
    m_graph.outputsManual = false;
  }

  Graph& m_graph;
  int64_t m_irVersion;
  int32_t m_graphIndex;
  TextPool m_texts;  // of rules and lists, which are few
  std::vector<ResolveStep>* m_steps;
  std::vector<int32_t> m_nodeIndex;
  std::vector<int32_t> m_valueIndex;
};

}  // namespace

Result<void> setGraphInputsOutputs(Graph& graph, int64_t irVersion, int32_t graphIndex,
                                   std::vector<ResolveStep>& steps) {
  return InputsOutputsRule(graph, irVersion, graphIndex, &steps).run();
}

Result<void> setGraphInputsOutputs(Graph& graph, int64_t irVersion) {
  return InputsOutputsRule(graph, irVersion, 0, nullptr).run();
}

}  // namespace cutaway::resolve
