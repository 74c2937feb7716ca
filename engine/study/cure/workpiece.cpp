#include "engine/study/cure/workpiece.h"

#include <algorithm>
#include <set>

#include "engine/edit/model_editor.h"
#include "engine/graph/node_label.h"
#include "engine/schema/schema.h"

namespace cutaway::study {

std::map<std::string, std::vector<NodeId>> CureContext::refusedByOperator() const {
  std::map<std::string, std::vector<NodeId>> result;
  for (const RefusedNode& each : refused)
    result[operatorName(node(each.id))].push_back(each.id);
  return result;
}

Workpiece::Workpiece(const CureContext& context) : m_model(context.model) {
  const edit::ModelEditor connected(m_model);  // bodies hold what they capture from here on
  const Graph& graph = m_model.graph;
  m_unreadNodes.resize(graph.nodeSlots());
  for (const NodeId id : graph.nodeIds())
    m_unreadNodes[id.index()] = !isRead(id);
  m_unreadValues.resize(graph.valueSlots());
  for (const ValueId id : graph.valueIds())
    m_unreadValues[id.index()] = graph.value(id).uses.empty();
}

bool Workpiece::isRead(NodeId id) const {
  return std::ranges::any_of(m_model.graph.node(id).outputs, [&](ValueId output) {
    return output.valid() && (!m_model.graph.value(output).uses.empty() || m_model.graph.value(output).outputCount > 0);
  });
}

NodeId Workpiece::find(const Graph& typed, NodeId id) const {
  for (const ValueId output : typed.node(id).outputs) {
    if (!output.valid()) continue;
    const ValueId here = m_model.graph.findValue(typed.value(output).name);
    return here.valid() ? m_model.graph.value(here).producer : NodeId();
  }
  return {};
}

std::string Workpiece::freeName(const std::string& stem) const {
  // Names of bodies count, too: what they call the same would be captured.
  std::set<std::string_view> inner;
  forEachGraph(m_model.graph, [&](const Graph& graph) {
    if (&graph == &m_model.graph) return;
    for (const ValueId id : graph.valueIds())
      inner.insert(graph.value(id).name);
  });
  std::string name = m_model.graph.freshName(stem);
  for (int number = 1; inner.contains(name); ++number)
    name = m_model.graph.freshName(fmt::format("{}_{}", stem, number));
  return name;
}

ValueId Workpiece::constant(const std::string& stem, Tensor tensor) {
  return m_model.graph.addInitializer(freeName(stem), std::move(tensor));
}

ValueId Workpiece::value(const std::string& stem, ValueType type) {
  return m_model.graph.addValue(freeName(stem), std::move(type));
}

ValueId Workpiece::add(const Node& of, std::string_view opType, std::initializer_list<ValueId> inputs,
                       std::vector<Attribute> attributes, ValueId into) {
  Graph& graph = m_model.graph;
  Node node;
  node.opType = SharedText(opType);
  node.attributes = std::move(attributes);
  node.origins = of.origins;
  const std::string output = into.valid() ? graph.value(into).name.string()
                                          : freeName((of.name.empty() ? of.opType : of.name) + "_" + node.opType);
  node.name = output;
  const NodeId made = graph.addNode(std::move(node), inputs, {output});
  return graph.node(made).outputs.front();
}

Model Workpiece::finish() {
  Graph& graph = m_model.graph;
  const auto wasUnread = [](const std::vector<bool>& before, size_t index) {
    return index < before.size() && before[index];
  };
  for (bool again = true; again;) {
    again = false;
    for (const NodeId id : graph.nodeIds()) {
      if (isRead(id) || wasUnread(m_unreadNodes, id.index())) continue;
      const std::vector<ValueId> outputs = graph.node(id).outputs;
      graph.removeNode(id);
      for (const ValueId output : outputs)
        if (output.valid()) graph.removeValue(output);
      again = true;
    }
  }
  for (const ValueId id : graph.initializers()) {
    const Value& value = graph.value(id);
    const bool unread = value.uses.empty() && value.outputCount == 0 && !value.isInput;
    if (unread && !wasUnread(m_unreadValues, id.index())) graph.removeValue(id);
  }
  // Below IR 4 a file lists every initializer among its inputs, and they are constants nevertheless.
  const bool hasNew = std::ranges::any_of(graph.initializers(), [&](ValueId id) { return !graph.value(id).isInput; });
  if (m_model.irVersion < 4 && hasNew) {
    std::vector<ValueId> kept;
    std::ranges::copy_if(graph.inputs(), std::back_inserter(kept),
                         [&](ValueId id) { return !graph.value(id).initializer; });
    graph.setInputs(kept);
    graph.overridableInitializers = true;
    m_model.irVersion = 4;
  }
  for (const NodeId id : graph.nodeIds()) {
    const std::string& domain = graph.node(id).domain;
    if (importedVersion(m_model.opsets, domain) == 0 && newestOpset(domain) > 0)
      m_model.opsets.push_back({domain, newestOpset(domain)});
  }
  return std::move(m_model);
}

std::optional<std::vector<int64_t>> sizesOf(const Graph& graph, ValueId id) {
  if (!id.valid()) return std::nullopt;
  const ValueType& type = graph.value(id).type;
  return type.isTensor() && type.shape ? type.shape->staticDims() : std::nullopt;
}

std::string operatorName(const Node& node) {
  return node.domain.empty() ? node.opType.string() : node.domain + ":" + node.opType;
}

std::string countedNodes(const Graph& graph, const std::vector<NodeId>& nodes) {
  if (nodes.size() == 1) return nodeLabel(graph, nodes.front());
  return fmt::format("{} {}", nodes.size(), operatorName(graph.node(nodes.front())));
}

}  // namespace cutaway::study
