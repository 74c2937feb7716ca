#include "engine/operators/spelled_gelu.h"

#include <array>
#include <cmath>
#include <numbers>

#include "engine/graph/graph_query.h"

namespace cutaway::operators {

namespace {

struct Form {
  ElementFunction function;
  Polynomial inside;  // what the function is applied to
  bool isApproximate;
};

const Form* formOf(const Formulas& formulas, const Node& node) {
  static const double scale = std::sqrt(2 / std::numbers::pi);
  static const std::array forms{Form{ElementFunction::kErf, {{{{0, 1 / std::numbers::sqrt2}}}}, false},
                                Form{ElementFunction::kTanh, {{{{0, scale, 0, 0.044715 * scale}}}}, true}};
  for (const Form& form : forms) {
    if (isTaken(node, form.function, formulas.rules()) && !node.inputs.empty() && node.inputs[0].valid()) return &form;
  }
  return nullptr;
}

}  // namespace

std::optional<SpelledGelu> spelledGelu(const Formulas& formulas, NodeId function) {
  constexpr Polynomial kGelu{{{{0, 0.5}, {0, 0.5}}}};
  const Graph& graph = formulas.graph();
  const Node& node = graph.node(function);
  const Form* const form = formOf(formulas, node);
  if (form == nullptr || !onlyReader(graph, node.outputs[0]).valid()) return std::nullopt;
  for (const ValueId x : formulas.variablesOf(node.inputs[0])) {
    std::vector<NodeId> nodes{function};
    const auto inside = formulas.polynomialOf(node.inputs[0], x, nodes);
    if (!inside || !inside->isNear(form->inside, formulas.rules().tolerance)) continue;
    const ValueId result = formulas.endOf(node.outputs[0], x, kGelu, nodes);
    if (!result.valid()) continue;
    return SpelledGelu{x, result, form->isApproximate, ownNodes(graph, std::move(nodes), result)};
  }
  return std::nullopt;
}

}  // namespace cutaway::operators
