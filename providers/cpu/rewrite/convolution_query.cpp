#include "providers/cpu/rewrite/convolution_query.h"

#include "engine/graph/graph_query.h"
#include "engine/graph/patch.h"
#include "providers/cpu/rewrite/plain_node.h"

namespace cutaway::cpu {

bool isOpenConvolution(const Graph& graph, const Node& node) {
  const bool plain = node.domain.empty() && node.opType == "Conv";
  const bool fused =
      node.domain == "com.microsoft" && node.opType == "FusedConv" && node.findAttribute("activation") == nullptr;
  if (node.removed || node.provider != kProvider || (!plain && !fused) || node.outputs.empty() ||
      !node.outputs[0].valid())
    return false;
  return graph.value(node.outputs[0]).type.element == ElementType::kFloat;
}

NodeId onlyFollower(const Graph& graph, const Node& node) {
  const NodeId next = onlyReader(graph, node.outputs[0]);
  if (!next.valid()) return {};
  const Node& follower = graph.node(next);
  return follower.provider == kProvider && follower.domain.empty() && follower.outputs.size() == 1 &&
                 follower.outputs[0].valid()
             ? next
             : NodeId{};
}

Result<void> replaceByFused(RewriteRequest& request, NodeId convolution, NodeId follower,
                            std::vector<std::string> inputs, const std::vector<Attribute>& more, std::string note) {
  Graph& graph = request.graph;
  const Value& output = graph.value(graph.node(follower).outputs[0]);
  NewNode fused{.node = graph.node(convolution),
                .inputs = std::move(inputs),
                .outputs = {output.name},
                .outputTypes = {output.type}};
  fused.node.inputs.clear();
  fused.node.outputs.clear();
  fused.node.origins.clear();
  fused.node.rewrite.clear();
  fused.node.opType = "FusedConv";
  fused.node.domain = "com.microsoft";
  fused.node.sinceVersion = fused.node.opsetVersion = 1;
  for (const Attribute& attribute : more)
    fused.node.setAttribute(attribute.name, attribute.value);
  GraphPatch patch{.note = std::move(note), .removeNodes = {convolution, follower}};
  patch.addNodes.push_back(std::move(fused));
  CUTAWAY_CHECK(applyRewrite(graph, std::move(patch), "cpu fusion", request.done));
  return {};
}

}  // namespace cutaway::cpu
