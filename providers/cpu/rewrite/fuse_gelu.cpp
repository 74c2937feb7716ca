// Gelu written in other operators, and its approximation by Tanh, are one pass over the value. The bias that makes x is
// added in the same pass.
#include <algorithm>

#include "engine/graph/patch.h"
#include "engine/operators/spelled_gelu.h"
#include "providers/cpu/rewrite/cpu_formulas.h"
#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {

namespace {

using operators::ElementFunction;

const char* operatorFor(bool isApproximate, bool hasBias) {
  return isApproximate ? "FastGelu" : hasBias ? "BiasGelu" : "Gelu";
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
  Graph& graph = request.graph;
  for (const NodeId id : graph.nodeIds()) {
    std::optional<operators::SpelledGelu> found = operators::spelledGelu(operators::Formulas(graph, kFormulas), id);
    if (!found || graph.value(found->x).type.element != ElementType::kFloat) continue;
    const std::optional<Bias> bias = biasOf(graph, found->x, found->nodes);
    if (bias) found->nodes.push_back(graph.value(found->x).producer);
    const Value& output = graph.value(found->result);
    NewNode gelu{.node = {.name = graph.node(output.producer).name,
                          .opType = operatorFor(found->isApproximate, bias.has_value()),
                          .domain = "com.microsoft",
                          .sinceVersion = 1,
                          .opsetVersion = 1,
                          .provider = "cpu"},
                 .inputs = {graph.value(bias ? bias->tensor : found->x).name},
                 .outputs = {output.name},
                 .outputTypes = {output.type}};
    if (bias) gelu.inputs.push_back(graph.value(bias->vector).name);
    GraphPatch patch{.note = found->isApproximate ? "what is written with Tanh is FastGelu, in one pass over the value"
                                                  : "what is written with Erf is Gelu, in one pass over the value",
                     .removeNodes = std::move(found->nodes)};
    patch.addNodes.push_back(std::move(gelu));
    CUTAWAY_CHECK(applyRewrite(graph, std::move(patch), "cpu fusion", request.done));
  }
  return {};
}

}  // namespace cutaway::cpu
