// The bytes of a constant by its name: an initializer, what a Constant node holds, or either of a graph around.
#include <algorithm>

#include "engine/stages/resolve/resolve.h"
#include "engine/study/tensor/tensor_content.h"

namespace cutaway::study {
namespace {

struct FromAttribute {
  Result<RuntimeValue> operator()(const Tensor& value) const { return RuntimeValue(value); }
  Result<RuntimeValue> operator()(int64_t value) const { return RuntimeValue(Tensor::scalar(value)); }
  Result<RuntimeValue> operator()(float value) const { return RuntimeValue(Tensor::scalar(value)); }
  Result<RuntimeValue> operator()(const std::string& value) const { return RuntimeValue(Tensor::scalar(value)); }
  Result<RuntimeValue> operator()(const std::vector<int64_t>& values) const {
    return RuntimeValue(Tensor::of(std::span<const int64_t>(values)));
  }
  Result<RuntimeValue> operator()(const std::vector<float>& values) const {
    return RuntimeValue(Tensor::of(std::span<const float>(values)));
  }
  Result<RuntimeValue> operator()(const std::vector<std::string>& values) const {
    return RuntimeValue(Tensor::of(std::span<const std::string>(values)));
  }
  Result<RuntimeValue> operator()(const auto&) const {
    return fail(ErrorCode::kInvalidArgument, "the Constant that makes it holds no dense tensor");
  }
};

// The graph whose node holds `body`; nullptr: none does.
const Graph* graphAround(const std::vector<const Graph*>& graphs, const Graph* body) {
  for (const Graph* graph : graphs) {
    for (size_t i = 0; i < graph->nodeSlots(); ++i) {
      const Node& node = graph->node(NodeId{i});
      bool holds = false;
      if (!node.removed)
        forEachBody(node, [&](const std::string&, const Graph& inner) { holds = holds || &inner == body; });
      if (holds) return graph;
    }
  }
  return nullptr;
}

// Files do not mark what bodies capture: before resolving it is what nothing in the body gives.
bool isCaptured(const Value& value) {
  return value.outerScope || (!value.producer.valid() && !value.initializer && !value.isInput);
}

Result<RuntimeValue> constantIn(const Graph& graph, ValueId id) {
  const Value& value = graph.value(id);
  if (value.initializer) return RuntimeValue(*value.initializer);
  if (!value.producer.valid()) return fail(ErrorCode::kInvalidArgument, "it is an input of its graph, not a constant");
  const Node& node = graph.node(value.producer);
  if (node.opType != "Constant" || !node.domain.empty() || node.attributes.empty())
    return fail(ErrorCode::kInvalidArgument, "it is computed by a {} node, not a constant", node.opType);
  return visitHeld(FromAttribute{}, node.attributes.front().value);
}

}  // namespace

Result<RuntimeValue> constantValue(const Model& model, int32_t graph, const std::string& name) {
  const auto refuse = [&](Error error) { return fail(atValue(std::move(error), name)); };
  const std::vector<const Graph*> graphs = resolve::graphsInReportOrder(model);
  if (graph < 0 || graph >= static_cast<int32_t>(graphs.size()))
    return refuse(
        {ErrorCode::kInvalidArgument, fmt::format("the model has no graph {}, it has {}", graph, graphs.size()), {}});
  const Graph* at = graphs[static_cast<size_t>(graph)];
  ValueId id = at->findValue(name);
  while (id.valid() && isCaptured(at->value(id))) {
    const Graph* around = graphAround(graphs, at);
    if (around == nullptr) break;
    at = around;
    id = at->findValue(name);
  }
  if (!id.valid()) return refuse({ErrorCode::kInvalidArgument, "the graph has no such value", {}});
  Result<RuntimeValue> constant = constantIn(*at, id);
  if (!constant) return refuse(std::move(constant).error());
  return constant;
}

}  // namespace cutaway::study
