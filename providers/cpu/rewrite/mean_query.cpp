#include "providers/cpu/rewrite/mean_query.h"

#include <algorithm>

#include "engine/graph/graph_query.h"

namespace cutaway::cpu {

namespace {

constexpr int32_t kAxesAsInput = 18;

// As the node names them.
std::vector<int64_t> namedAxes(const Graph& graph, const Node& node) {
  if (node.sinceVersion < kAxesAsInput) return node.attributeOr<std::vector<int64_t>>("axes", {});
  const Tensor* const axes = node.inputs.size() > 1 ? constantOf(graph, node.inputs[1]) : nullptr;
  if (axes == nullptr || axes->type() != ElementType::kInt64) return {};
  return {axes->span<int64_t>().begin(), axes->span<int64_t>().end()};
}

}  // namespace

std::optional<std::vector<int64_t>> meanAxes(const Graph& graph, const Node& node) {
  if (node.removed || node.provider != "cpu" || !node.domain.empty() || node.opType != "ReduceMean" ||
      node.inputs.empty() || !node.inputs[0].valid() || node.attributeOr<int64_t>("keepdims", 1) == 0)
    return std::nullopt;
  const ValueType& type = graph.value(node.inputs[0]).type;
  if (!type.isTensor() || type.element != ElementType::kFloat || !type.shape) return std::nullopt;
  std::vector<int64_t> axes = namedAxes(graph, node);
  if (axes.empty()) return std::nullopt;
  for (int64_t& axis : axes)
    axis += axis < 0 ? static_cast<int64_t>(type.shape->rank()) : 0;
  std::ranges::sort(axes);
  return axes;
}

}  // namespace cutaway::cpu
