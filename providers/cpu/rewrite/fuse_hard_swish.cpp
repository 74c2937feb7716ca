// x times a ramp from 0 to 1 is one pass over x, HardSwish, and goes into a convolution before it: x clip(x + 3, 0, 6)
// / 6 with its products and sums in any order, or x times its HardSigmoid of slope 1/6 and offset 1/2.
//
// Source of the formula: Howard et al., Searching for MobileNetV3, section 5.2.
#include <algorithm>

#include "engine/graph/patch.h"
#include "engine/operators/fused_activation.h"
#include "engine/operators/traits/operator_traits.h"
#include "providers/cpu/rewrite/clip_bounds.h"
#include "providers/cpu/rewrite/expression.h"
#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {

namespace {

using operators::ElementFunction;

constexpr int32_t kOpset = 14;  // the first with a HardSwish

// A node that gives 0 to `top` and is linear in between.
struct Ramp {
  Polynomial inside;  // of what it is applied to, that it rises along
  double top;
  bool isPlain;  // applied to x itself
};

std::optional<Ramp> rampOf(const Graph& graph, const Node& node) {
  if (node.inputs.empty() || !node.inputs[0].valid()) return std::nullopt;
  if (isTaken(node, ElementFunction::kClip)) {
    const auto bounds = clipBoundsOf(graph, node);
    if (!bounds || bounds->low != 0 || !(bounds->high > 0)) return std::nullopt;
    const double top = bounds->high;
    return Ramp{{{{top / 2, top / 6}}}, top, false};
  }
  if (!isTaken(node, ElementFunction::kHardSigmoid)) return std::nullopt;
  const std::vector<float> slopeAndOffset = operators::elementParameters(node, *operators::findTraits(node));
  const Polynomial risen{{{{slopeAndOffset[1], slopeAndOffset[0]}}}};
  if (!risen.isNear({{{{1.0 / 2, 1.0 / 6}}}})) return std::nullopt;
  return Ramp{{}, 1, true};
}

}  // namespace

Result<void> rewrite_fuse_hard_swish(RewriteRequest& request) {
  if (request.optimizationLevel < 2) return {};
  Graph& graph = request.graph;
  for (const NodeId id : graph.nodeIds()) {
    const Node& node = graph.node(id);
    const auto ramp = rampOf(graph, node);
    if (!ramp) continue;
    std::vector<NodeId> nodes{id};
    const ValueId x = ramp->isPlain ? node.inputs[0] : variableOf(graph, node.inputs[0]);
    if (!x.valid()) continue;
    if (!ramp->isPlain) {
      const auto inside = polynomialOf(graph, node.inputs[0], x, nodes);
      if (!inside || !inside->isNear(ramp->inside)) continue;
    }
    const ValueId end = endOf(graph, node.outputs[0], x, {{{{}, {0, 1 / ramp->top}}}}, nodes);
    if (!end.valid()) continue;
    const Value& output = graph.value(end);
    NewNode fused{.node = {.name = graph.node(output.producer).name,
                           .opType = "HardSwish",
                           .sinceVersion = kOpset,
                           .opsetVersion = std::max(kOpset, node.opsetVersion),
                           .provider = "cpu"},
                  .inputs = {graph.value(x).name},
                  .outputs = {output.name},
                  .outputTypes = {output.type}};
    std::string note = "x times a ramp of itself is HardSwish, in one pass over the value";
    GraphPatch patch{.note = note, .removeNodes = std::move(nodes)};
    patch.addNodes.push_back(std::move(fused));
    CUTAWAY_TRY(PatchResult applied, applyPatch(graph, std::move(patch), "cpu fusion"));
    request.done.push_back({std::move(note), std::move(applied.origins), graph.node(applied.added.front()).name});
  }
  return {};
}

}  // namespace cutaway::cpu
