// Conv followed by Add (or Sum) of a value of the same shape is one FusedConv, which adds while it writes: the sum is
// not read and written again.
#include "engine/operators/residual.h"
#include "providers/cpu/rewrite/convolution_query.h"

namespace cutaway::cpu {

namespace {

bool addsTwo(const Node& node) {
  return (node.opType == "Add" || node.opType == "Sum") && node.inputs.size() == 2;
}

}  // namespace

Result<void> rewrite_fuse_residual(RewriteRequest& request) {
  if (request.optimizationLevel < 2) return {};
  Graph& graph = request.graph;
  for (const NodeId id : graph.nodeIds()) {
    const Node& convolution = graph.node(id);
    if (!isOpenConvolution(graph, convolution) || convolution.inputs.size() > 3) continue;
    const NodeId next = onlyFollower(graph, convolution);
    if (!next.valid() || !addsTwo(graph.node(next))) continue;
    const Node& add = graph.node(next);
    const ValueId result = convolution.outputs[0];
    const ValueId other = add.inputs[0] == result ? add.inputs[1] : add.inputs[0];
    if (other == result || graph.isConstant(other) ||
        !operators::addsWithoutBroadcast(graph.value(other).type, graph.value(result).type))
      continue;
    const bool hasBias = convolution.inputs.size() == 3 && convolution.inputs[2].valid();
    std::vector<std::string> inputs{graph.value(convolution.inputs[0]).name, graph.value(convolution.inputs[1]).name,
                                    hasBias ? graph.value(convolution.inputs[2]).name.string() : std::string(),
                                    graph.value(other).name};
    CUTAWAY_CHECK(
        replaceByFused(request, id, next, std::move(inputs), {}, "the convolution adds the residual while it writes"));
  }
  return {};
}

}  // namespace cutaway::cpu
