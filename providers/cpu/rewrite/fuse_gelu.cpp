// Gelu written in other operators is one pass over the value: x/2 (1 + erf(x / sqrt 2)), and its approximation
// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), with their products and sums in any order. The bias that makes x is
// added in the same pass.
//
// Source of both formulas: Hendrycks and Gimpel, Gaussian Error Linear Units.
#include <algorithm>
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
  const char* withBias;
  const char* note;
};

const Form* formOf(const Node& node) {
  static const double scale = std::sqrt(2 / std::numbers::pi);
  static const Form forms[] = {{ElementFunction::kErf,
                                {{{{0, 1 / std::numbers::sqrt2}}}},
                                "Gelu",
                                "BiasGelu",
                                "what is written with Erf is Gelu, in one pass over the value"},
                               {ElementFunction::kTanh,
                                {{{{0, scale, 0, 0.044715 * scale}}}},
                                "FastGelu",
                                "FastGelu",
                                "what is written with Tanh is FastGelu, in one pass over the value"}};
  for (const Form& form : forms) {
    if (isTaken(node, form.function) && !node.inputs.empty() && node.inputs[0].valid()) return &form;
  }
  return nullptr;
}

// x is the sum of a tensor of its shape and a vector along its last axis.
struct Bias {
  ValueId tensor, vector;
};

// The Add that makes x, where nothing but these nodes reads x.
std::optional<Bias> biasOf(const Graph& graph, ValueId x, const std::vector<NodeId>& readers) {
  const Value& value = graph.value(x);
  if (!value.producer.valid() || value.outputCount > 0 || value.type.shape->rank() < 2) return std::nullopt;
  const Node& add = graph.node(value.producer);
  const bool isOwn = std::ranges::all_of(
      value.uses, [&](const Use& use) { return std::ranges::find(readers, use.node) != readers.end(); });
  if (!isOwn || !isTaken(add, ElementFunction::kAdd) || add.inputs.size() != 2) return std::nullopt;
  const Dim& last = value.type.shape->dims().back();
  for (const size_t slot : {0u, 1u}) {
    const ValueId vector = add.inputs[slot], tensor = add.inputs[1 - slot];
    if (!vector.valid() || !tensor.valid()) return std::nullopt;
    const auto& lengths = graph.value(vector).type.shape;
    if (lengths && lengths->rank() == 1 && last.isKnown() && last.value() > 1 && (*lengths)[0] == last &&
        graph.value(tensor).type.shape == value.type.shape)
      return Bias{tensor, vector};
  }
  return std::nullopt;
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
    const std::optional<Bias> bias = biasOf(graph, x, nodes);
    if (bias) nodes.push_back(graph.value(x).producer);
    const Value& output = graph.value(end);
    NewNode gelu{.node = {.name = graph.node(output.producer).name,
                          .opType = bias ? form->withBias : form->opType,
                          .domain = "com.microsoft",
                          .sinceVersion = 1,
                          .opsetVersion = 1,
                          .provider = "cpu"},
                 .inputs = {graph.value(bias ? bias->tensor : x).name},
                 .outputs = {output.name},
                 .outputTypes = {output.type}};
    if (bias) gelu.inputs.push_back(graph.value(bias->vector).name);
    std::string note = form->note;
    GraphPatch patch{.note = note, .removeNodes = std::move(nodes)};
    patch.addNodes.push_back(std::move(gelu));
    CUTAWAY_TRY(PatchResult applied, applyPatch(graph, std::move(patch), "cpu fusion"));
    request.done.push_back({std::move(note), std::move(applied.origins), graph.node(applied.added.front()).name});
  }
  return {};
}

}  // namespace cutaway::cpu
