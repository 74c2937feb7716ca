#include "engine/graph/graph_query.h"

#include "engine/tensor/element_numbers.h"

namespace cutaway {

std::optional<Use> onlyUse(const Graph& graph, ValueId value) {
  const Value& found = graph.value(value);
  return found.uses.size() == 1 && found.outputCount == 0 ? std::optional(found.uses.front()) : std::nullopt;
}

NodeId onlyReader(const Graph& graph, ValueId value) {
  const auto use = onlyUse(graph, value);
  return use && use->slot < graph.node(use->node).inputs.size() ? use->node : NodeId{};
}

const Tensor* constantOf(const Graph& graph, ValueId value) {
  if (!value.valid()) return nullptr;
  const Value& found = graph.value(value);
  const Tensor* tensor = nullptr;
  if (found.initializer) {
    tensor = graph.isConstant(value) ? &*found.initializer : nullptr;
  } else if (found.producer.valid()) {
    const Node& node = graph.node(found.producer);
    const bool isConstant = node.opType == "Constant" && node.domain.empty();
    const Attribute* const held = isConstant ? node.findAttribute("value") : nullptr;
    tensor = held == nullptr ? nullptr : heldAs<Tensor>(held->value);
  }
  return tensor != nullptr && tensor->data() == nullptr && tensor->elementCount() > 0 ? nullptr : tensor;
}

std::optional<double> constantNumber(const Graph& graph, ValueId value) {
  const Tensor* const constant = constantOf(graph, value);
  return constant == nullptr ? std::nullopt : singleNumber(*constant);
}

}  // namespace cutaway
