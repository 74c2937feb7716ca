// Kahn's algorithm (A. B. Kahn, 1962) with the ready nodes in a heap, so that ties go to the smallest id.

#include "engine/graph/topology.h"

#include <functional>

#include <queue>

#include "engine/graph/node_label.h"

namespace cutaway {
namespace {

// Calls visit(producer) for every slot of the node, explicit and implicit, that a live node produces.
template <typename Visit>
void forEachProducer(const Graph& graph, const Node& node, Visit&& visit) {
  const auto visitAll = [&](std::span<const ValueId> values) {
    for (const ValueId id : values) {
      if (id.valid() && graph.value(id).producer.valid()) visit(graph.value(id).producer);
    }
  };
  visitAll(node.inputs);
  visitAll(node.implicitInputs);
}

// Every node that Kahn's algorithm left over has a left-over producer: walking back must come round, and what it comes
// back to lies on a cycle.
NodeId nodeOnCycle(const Graph& graph, const std::vector<uint32_t>& waiting) {
  NodeId at;
  for (size_t i = 0; i < waiting.size() && !at.valid(); ++i) {
    if (waiting[i] > 0) at = NodeId{i};
  }
  std::vector<bool> seen(waiting.size());
  while (!seen[at.index()]) {
    seen[at.index()] = true;
    NodeId previous = at;
    forEachProducer(graph, graph.node(at), [&](NodeId producer) {
      if (waiting[producer.index()] > 0) previous = producer;
    });
    at = previous;
  }
  return at;
}

}  // namespace

Result<std::vector<NodeId>> topologicalOrder(const Graph& graph) {
  std::vector<uint32_t> waiting(graph.nodeSlots());  // producers that have not been placed yet, counted once a slot
  std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
  const std::vector<NodeId> ids = graph.nodeIds();
  for (const NodeId id : ids) {
    forEachProducer(graph, graph.node(id), [&](NodeId) { ++waiting[id.index()]; });
    if (waiting[id.index()] == 0) ready.push(id);
  }
  std::vector<NodeId> order;
  order.reserve(ids.size());
  while (!ready.empty()) {
    const NodeId id = ready.top();
    ready.pop();
    order.push_back(id);
    const ShortList<ValueId>& outputs = graph.node(id).outputs;
    for (size_t slot = 0; slot < outputs.size(); ++slot) {
      const ValueId output = outputs[slot];
      // A value that is listed as an output twice is followed from where it is produced only.
      if (!output.valid() || graph.value(output).producer != id || graph.value(output).producerSlot != slot) continue;
      for (const Use& use : graph.value(output).uses) {
        if (--waiting[use.node.index()] == 0) ready.push(use.node);
      }
    }
  }
  if (order.size() != ids.size()) {
    const NodeId onCycle = nodeOnCycle(graph, waiting);
    const std::string label = nodeName(graph, onCycle);
    return fail(atNode(Error{ErrorCode::kFail,
                             fmt::format("the graph is not acyclic: node '{}' ({}) depends on its own output", label,
                                         graph.node(onCycle).opType),
                             {}},
                       label));
  }
  return order;
}

}  // namespace cutaway
