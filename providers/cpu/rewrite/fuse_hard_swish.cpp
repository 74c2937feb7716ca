// x times a ramp from 0 to 1 is one pass over x, HardSwish, and goes into a convolution before it: x clip(x + 3, 0, 6)
// / 6 with its products and sums in any order, or x times its HardSigmoid of slope 1/6 and offset 1/2.
//
// Source of the formula: Howard et al., Searching for MobileNetV3, section 5.2.
#include <algorithm>

#include "engine/graph/patch.h"
#include "engine/operators/fused_activation.h"
#include "engine/operators/traits/operator_traits.h"
#include "providers/cpu/rewrite/clip_bounds.h"
#include "providers/cpu/rewrite/cpu_formulas.h"
#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {

namespace {

using operators::ElementFunction;
using operators::Polynomial;

constexpr int32_t kOpset = 14;  // the first with a HardSwish

// A node that gives 0 to `top` and is linear in between.
struct Ramp {
  Polynomial inside;  // of what it is applied to, that it rises along
  double top;
  bool isPlain;  // applied to x itself: its own rise has been looked at
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
  if (!risen.isNear({{{{1.0 / 2, 1.0 / 6}}}}, kFormulas.tolerance)) return std::nullopt;
  return Ramp{{}, 1, true};
}

struct Found {
  ValueId x, result;
  std::vector<NodeId> nodes;
};

// The HardSwish that this node is the ramp of.
std::optional<Found> hardSwishOf(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const auto ramp = rampOf(graph, node);
  if (!ramp) return std::nullopt;
  const operators::Formulas formulas(graph, kFormulas);
  const std::vector<ValueId> variables =
      ramp->isPlain ? std::vector{node.inputs[0]} : formulas.variablesOf(node.inputs[0]);
  for (const ValueId x : variables) {
    std::vector<NodeId> nodes{id};
    const auto inside = ramp->isPlain ? std::optional(ramp->inside) : formulas.polynomialOf(node.inputs[0], x, nodes);
    if (!inside || !inside->isNear(ramp->inside, kFormulas.tolerance)) continue;
    const ValueId result = formulas.endOf(node.outputs[0], x, {{{{}, {0, 1 / ramp->top}}}}, nodes);
    if (result.valid() && graph.value(x).type.element == ElementType::kFloat)
      return Found{x, result, operators::ownNodes(graph, std::move(nodes), result)};
  }
  return std::nullopt;
}

}  // namespace

Result<void> rewrite_fuse_hard_swish(RewriteRequest& request) {
  if (request.optimizationLevel < 2) return {};
  Graph& graph = request.graph;
  for (const NodeId id : graph.nodeIds()) {
    std::optional<Found> found = hardSwishOf(graph, id);
    if (!found) continue;
    const Value& output = graph.value(found->result);
    NewNode fused{.node = {.name = graph.node(output.producer).name,
                           .opType = "HardSwish",
                           .sinceVersion = kOpset,
                           .opsetVersion = std::max(kOpset, graph.node(id).opsetVersion),
                           .provider = "cpu"},
                  .inputs = {graph.value(found->x).name},
                  .outputs = {output.name},
                  .outputTypes = {output.type}};
    GraphPatch patch{.note = "x times a ramp of itself is HardSwish, in one pass over the value",
                     .removeNodes = std::move(found->nodes)};
    patch.addNodes.push_back(std::move(fused));
    CUTAWAY_CHECK(applyRewrite(graph, std::move(patch), "cpu fusion", request.done));
  }
  return {};
}

}  // namespace cutaway::cpu
