#include "providers/cpu/rewrite/graph_query.h"

namespace cutaway::cpu {

std::optional<Use> onlyUse(const Graph& graph, ValueId value) {
  const Value& found = graph.value(value);
  return found.uses.size() == 1 && found.outputCount == 0 ? std::optional(found.uses.front()) : std::nullopt;
}

NodeId onlyReader(const Graph& graph, ValueId value) {
  const auto use = onlyUse(graph, value);
  return use && use->slot < graph.node(use->node).inputs.size() ? use->node : NodeId{};
}

const Tensor* constantOf(const Graph& graph, ValueId value) {
  if (!value.valid() || !graph.isConstant(value) || !graph.value(value).initializer) return nullptr;
  return &*graph.value(value).initializer;
}

}  // namespace cutaway::cpu
