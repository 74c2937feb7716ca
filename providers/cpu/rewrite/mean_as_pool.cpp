// ReduceMean over all spatial axes that keeps them is GlobalAveragePool, which reads either memory layout.
#include <algorithm>

#include "engine/graph/patch.h"
#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {

namespace {

constexpr int32_t kAxesAsInput = 18;

// The axes that the node names; nothing where only the run knows, or where it names none.
std::optional<std::vector<int64_t>> axesOf(const Graph& graph, const Node& node) {
  if (node.sinceVersion < kAxesAsInput) {
    auto axes = node.attributeOr<std::vector<int64_t>>("axes", {});
    return axes.empty() ? std::nullopt : std::optional(std::move(axes));
  }
  if (node.inputs.size() < 2 || !node.inputs[1].valid() || !graph.isConstant(node.inputs[1])) return std::nullopt;
  const Tensor& axes = *graph.value(node.inputs[1]).initializer;
  if (axes.type() != ElementType::kInt64 || axes.elementCount() == 0) return std::nullopt;
  return std::vector<int64_t>(axes.span<int64_t>().begin(), axes.span<int64_t>().end());
}

bool isPool(const Graph& graph, const Node& node) {
  if (node.removed || node.provider != "cpu" || !node.domain.empty() || node.opType != "ReduceMean" ||
      node.inputs.empty() || !node.inputs[0].valid() || node.attributeOr<int64_t>("keepdims", 1) == 0)
    return false;
  const ValueType& type = graph.value(node.inputs[0]).type;
  if (!type.isTensor() || type.element != ElementType::kFloat || !type.shape || type.shape->rank() < 3 ||
      type.shape->rank() > 5)
    return false;
  auto axes = axesOf(graph, node);
  if (!axes) return false;
  const auto rank = static_cast<int64_t>(type.shape->rank());
  for (int64_t& axis : *axes)
    axis += axis < 0 ? rank : 0;
  std::ranges::sort(*axes);
  if (static_cast<int64_t>(axes->size()) != rank - 2) return false;
  for (int64_t axis = 2; axis < rank; ++axis) {
    if ((*axes)[static_cast<size_t>(axis - 2)] != axis) return false;
  }
  return true;
}

}  // namespace

Result<void> rewrite_mean_as_pool(RewriteRequest& request) {
  if (request.optimizationLevel < 2) return {};
  Graph& graph = request.graph;
  for (const NodeId id : graph.nodeIds()) {
    const Node& mean = graph.node(id);
    if (!isPool(graph, mean)) continue;
    const Value& output = graph.value(mean.outputs[0]);
    NewNode pool{.node = {.name = mean.name,
                          .opType = "GlobalAveragePool",
                          .sinceVersion = 1,
                          .opsetVersion = mean.opsetVersion,
                          .provider = "cpu"},
                 .inputs = {graph.value(mean.inputs[0]).name},
                 .outputs = {output.name},
                 .outputTypes = {output.type}};
    std::string note = "the mean over all spatial axes is GlobalAveragePool";
    GraphPatch patch{.note = note, .removeNodes = {id}};
    patch.addNodes.push_back(std::move(pool));
    CUTAWAY_TRY(PatchResult applied, applyPatch(graph, std::move(patch), "cpu fusion"));
    request.done.push_back({std::move(note), std::move(applied.origins), graph.node(applied.added.front()).name});
  }
  return {};
}

}  // namespace cutaway::cpu
