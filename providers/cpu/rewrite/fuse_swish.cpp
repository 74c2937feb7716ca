// x times its own Sigmoid is one pass over x: QuickGelu of com.microsoft with alpha 1, which is the Swish of opset 24.
#include "engine/graph/graph_query.h"
#include "engine/graph/patch.h"
#include "providers/cpu/rewrite/cpu_formulas.h"
#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {

namespace {

using operators::ElementFunction;

// The Mul that is all that reads the Sigmoid, and multiplies it with what the Sigmoid reads; invalid: there is none.
NodeId productOf(const Graph& graph, const Node& sigmoid) {
  const NodeId next = onlyReader(graph, sigmoid.outputs[0]);
  if (!next.valid() || graph.value(sigmoid.outputs[0]).type.element != ElementType::kFloat) return {};
  const Node& mul = graph.node(next);
  if (!isTaken(mul, ElementFunction::kMul) || mul.inputs.size() != 2) return {};
  const ValueId x = sigmoid.inputs[0];
  const bool isOwn = (mul.inputs[0] == x && mul.inputs[1] == sigmoid.outputs[0]) ||
                     (mul.inputs[1] == x && mul.inputs[0] == sigmoid.outputs[0]);
  return isOwn ? next : NodeId{};
}

}  // namespace

Result<void> rewrite_fuse_swish(RewriteRequest& request) {
  if (request.optimizationLevel < 2) return {};
  Graph& graph = request.graph;
  for (const NodeId id : graph.nodeIds()) {
    const Node& sigmoid = graph.node(id);
    if (!isTaken(sigmoid, ElementFunction::kSigmoid) || sigmoid.inputs.empty() || !sigmoid.inputs[0].valid()) continue;
    const NodeId next = productOf(graph, sigmoid);
    if (!next.valid()) continue;
    const Value& output = graph.value(graph.node(next).outputs[0]);
    NewNode swish{.node = {.name = graph.node(next).name,
                           .opType = "QuickGelu",
                           .domain = "com.microsoft",
                           .sinceVersion = 1,
                           .opsetVersion = 1,
                           .provider = "cpu"},
                  .inputs = {graph.value(sigmoid.inputs[0]).name},
                  .outputs = {output.name},
                  .outputTypes = {output.type}};
    swish.node.setAttribute("alpha", 1.0f);
    GraphPatch patch{.note = "Sigmoid and Mul are one pass over the value", .removeNodes = {id, next}};
    patch.addNodes.push_back(std::move(swish));
    CUTAWAY_CHECK(applyRewrite(graph, std::move(patch), "cpu fusion", request.done));
  }
  return {};
}

}  // namespace cutaway::cpu
