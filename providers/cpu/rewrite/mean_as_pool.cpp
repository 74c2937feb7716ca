// ReduceMean over all spatial axes that keeps them is GlobalAveragePool, which reads either memory layout.
#include "engine/graph/patch.h"
#include "providers/cpu/rewrite/mean_query.h"
#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {

namespace {

bool isPool(const Graph& graph, const Node& node) {
  const auto axes = meanAxes(graph, node);
  if (!axes) return false;
  const size_t rank = graph.value(node.inputs[0]).type.shape->rank();
  if (rank < 3 || rank > 5 || axes->size() != rank - 2) return false;
  for (size_t spatial = 0; spatial < axes->size(); ++spatial) {
    if ((*axes)[spatial] != static_cast<int64_t>(spatial + 2)) return false;
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
    GraphPatch patch{.note = "the mean over all spatial axes is GlobalAveragePool", .removeNodes = {id}};
    patch.addNodes.push_back(std::move(pool));
    CUTAWAY_CHECK(applyRewrite(graph, std::move(patch), "cpu fusion", request.done));
  }
  return {};
}

}  // namespace cutaway::cpu
