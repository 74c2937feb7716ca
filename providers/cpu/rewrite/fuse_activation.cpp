// Conv followed by an activation is one FusedConv: the activation is applied while the result is in registers.
#include "engine/operators/fused_activation.h"
#include "providers/cpu/rewrite/clip_bounds.h"
#include "providers/cpu/rewrite/convolution_query.h"

namespace cutaway::cpu {

namespace {

// The attributes that tell FusedConv about this activation; nothing when it has none for it.
std::optional<std::vector<Attribute>> activationOf(const Graph& graph, const Node& node) {
  using operators::ElementFunction;
  const operators::OperatorTraits* traits = operators::findTraitsByName(node.opType);
  if (traits == nullptr) return std::nullopt;
  switch (traits->function) {
    case ElementFunction::kRelu:
    case ElementFunction::kSigmoid:
    case ElementFunction::kTanh:
    case ElementFunction::kHardSwish:
      return std::vector<Attribute>{{"activation", node.opType}};
    case ElementFunction::kClip: {
      const auto bounds = clipBoundsOf(graph, node);
      if (!bounds) return std::nullopt;
      return std::vector<Attribute>{{"activation", node.opType},
                                    {"activation_params", std::vector<float>{bounds->low, bounds->high}}};
    }
    case ElementFunction::kLeakyRelu:
    case ElementFunction::kHardSigmoid:
    case ElementFunction::kElu:
      return std::vector<Attribute>{{"activation", node.opType},
                                    {"activation_params", operators::elementParameters(node, *traits)}};
    default:
      return std::nullopt;
  }
}

}  // namespace

Result<void> rewrite_fuse_activation(RewriteRequest& request) {
  if (request.optimizationLevel < 2) return {};
  Graph& graph = request.graph;
  for (const NodeId id : graph.nodeIds()) {
    const Node& convolution = graph.node(id);
    if (!isOpenConvolution(graph, convolution)) continue;
    const NodeId next = onlyFollower(graph, convolution);
    if (!next.valid()) continue;
    const std::optional<std::vector<Attribute>> activation = activationOf(graph, graph.node(next));
    if (!activation) continue;
    CUTAWAY_CHECK(replaceByFused(request, id, next, graph.namesOf(convolution.inputs), *activation,
                                 fmt::format("{} is applied while the convolution writes", graph.node(next).opType)));
  }
  return {};
}

}  // namespace cutaway::cpu
