// Q/DQ units: which DequantizeLinear and QuantizeLinear nodes belong to which operator.

#include "engine/provider/node_units.h"

#include <algorithm>
#include <numeric>

#include "engine/graph/topology.h"

namespace cutaway {

namespace {

bool ofQuantizingDomain(const Node& node) {
  return node.domain.empty() || node.domain == "com.microsoft";
}
bool dequantizes(const Node& node) {
  return node.opType == "DequantizeLinear" && ofQuantizingDomain(node);
}
bool quantizes(const Node& node) {
  return node.opType == "QuantizeLinear" && ofQuantizingDomain(node);
}

// The one node that uses the value as an explicit input and nothing else does; invalid when there is none.
NodeId onlyConsumer(const Graph& graph, ValueId id) {
  const Value& value = graph.value(id);
  if (value.outputCount > 0 || value.uses.empty()) return {};
  const NodeId consumer = value.uses.front().node;
  for (const Use& use : value.uses) {
    if (use.node != consumer || use.slot >= graph.node(consumer).inputs.size()) return {};
  }
  return consumer;
}

NodeId operatorFedBy(const Graph& graph, const Node& dequantize) {
  if (dequantize.outputs.size() != 1 || !dequantize.outputs[0].valid()) return {};
  const NodeId consumer = onlyConsumer(graph, dequantize.outputs[0]);
  if (!consumer.valid() || dequantizes(graph.node(consumer)) || quantizes(graph.node(consumer))) return {};
  return consumer;
}

// Scale and zero point must not be computed: a path could leave the operator and come back through them.
NodeId operatorQuantizedBy(const Graph& graph, const Node& quantize) {
  if (quantize.inputs.empty() || !quantize.inputs[0].valid()) return {};
  const NodeId producer = graph.value(quantize.inputs[0]).producer;
  if (!producer.valid() || dequantizes(graph.node(producer)) || quantizes(graph.node(producer))) return {};
  for (size_t slot = 1; slot < quantize.inputs.size(); ++slot) {
    if (quantize.inputs[slot].valid() && graph.value(quantize.inputs[slot]).producer.valid()) return {};
  }
  return onlyConsumer(graph, quantize.inputs[0]).valid() ? producer : NodeId{};
}

NodeId targetOf(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  NodeId target;
  if (dequantizes(node)) target = operatorFedBy(graph, node);
  if (quantizes(node)) target = operatorQuantizedBy(graph, node);
  return target.valid() ? target : id;
}

}  // namespace

NodeUnits::NodeUnits(const Graph& graph) : m_unitOfNode(graph.nodeSlots(), 0) {
  // A cyclic graph has no order; ids will do, because units are found node by node.
  const Result<std::vector<NodeId>> sorted = topologicalOrder(graph);
  const std::vector<NodeId> order = sorted ? *sorted : graph.nodeIds();
  m_units.reserve(order.size());
  std::vector<NodeId> targets(graph.nodeSlots());
  for (const NodeId id : order) {
    targets[id.index()] = targetOf(graph, id);
    if (targets[id.index()] != id) continue;
    m_unitOfNode[id.index()] = static_cast<uint32_t>(m_units.size());
    m_units.push_back({.target = id, .nodes = {}});
  }
  for (const NodeId id : order) {
    const uint32_t unit = m_unitOfNode[targets[id.index()].index()];
    m_unitOfNode[id.index()] = unit;
    m_units[unit].nodes.push_back(id);
  }
}

}  // namespace cutaway
