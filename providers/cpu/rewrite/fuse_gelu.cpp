// Gelu written in other operators is one pass over the value: x/2 (1 + erf(x / sqrt 2)), and its approximation
// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), with their products and sums in any order.
//
// Source of both formulas: Hendrycks and Gimpel, Gaussian Error Linear Units.
#include <cmath>
#include <numbers>

#include "engine/graph/patch.h"
#include "providers/cpu/rewrite/expression.h"
#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {

namespace {

using operators::ElementFunction;

struct Form {
  ElementFunction function;
  Polynomial inside;  // what the function is applied to
  const char* opType;
  const char* note;
};

const Form* formOf(const Node& node) {
  static const double scale = std::sqrt(2 / std::numbers::pi);
  static const Form forms[] = {{ElementFunction::kErf,
                                {{{{0, 1 / std::numbers::sqrt2}}}},
                                "Gelu",
                                "what is written with Erf is Gelu, in one pass over the value"},
                               {ElementFunction::kTanh,
                                {{{{0, scale, 0, 0.044715 * scale}}}},
                                "FastGelu",
                                "what is written with Tanh is FastGelu, in one pass over the value"}};
  for (const Form& form : forms) {
    if (isTaken(node, form.function) && !node.inputs.empty() && node.inputs[0].valid()) return &form;
  }
  return nullptr;
}

}  // namespace

Result<void> rewrite_fuse_gelu(RewriteRequest& request) {
  if (request.optimizationLevel < 2) return {};
  constexpr Polynomial kGelu{{{{0, 0.5}, {0, 0.5}}}};
  Graph& graph = request.graph;
  for (const NodeId id : graph.nodeIds()) {
    const Node& node = graph.node(id);
    const Form* form = formOf(node);
    if (form == nullptr || onlyReader(graph, node.inputs[0]) != id) continue;
    const ValueId x = variableOf(graph, node.inputs[0]);
    if (!x.valid()) continue;
    std::vector<NodeId> nodes{id};
    const auto inside = polynomialOf(graph, node.inputs[0], x, nodes);
    if (!inside || !inside->isNear(form->inside)) continue;
    const ValueId end = endOf(graph, node.outputs[0], x, kGelu, nodes);
    if (!end.valid()) continue;
    const Value& output = graph.value(end);
    NewNode gelu{.node = {.name = graph.node(output.producer).name,
                          .opType = form->opType,
                          .domain = "com.microsoft",
                          .sinceVersion = 1,
                          .opsetVersion = 1,
                          .provider = "cpu"},
                 .inputs = {graph.value(x).name},
                 .outputs = {output.name},
                 .outputTypes = {output.type}};
    std::string note = form->note;
    GraphPatch patch{.note = note, .removeNodes = std::move(nodes)};
    patch.addNodes.push_back(std::move(gelu));
    CUTAWAY_TRY(PatchResult applied, applyPatch(graph, std::move(patch), "cpu fusion"));
    request.done.push_back({std::move(note), std::move(applied.origins), graph.node(applied.added.front()).name});
  }
  return {};
}

}  // namespace cutaway::cpu
