// Layer normalisation written in other operators is one LayerNormalization: (x - mean) / sqrt(mean of squares +
// epsilon), times a scale and plus a bias for each element of the last axis.
#include <array>

#include "engine/graph/graph_query.h"
#include "engine/graph/patch.h"
#include "providers/cpu/rewrite/cpu_formulas.h"
#include "providers/cpu/rewrite/mean_query.h"
#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {

namespace {

using operators::ElementFunction;

struct Normalization {
  ValueId x, scale, bias, result;
  double epsilon = 0;
  std::vector<NodeId> nodes{};  // all that it is written with
};

struct Operands {
  ValueId value, other;
};

// Both operands of a commutative node, `value` first.
Operands operandsOf(const Node& node, ValueId value) {
  return node.inputs[0] == value ? Operands{value, node.inputs[1]} : Operands{value, node.inputs[0]};
}

// The only reader of `value` when it computes `function` of two operands (or of one).
NodeId readerThatIs(const Graph& graph, ValueId value, ElementFunction function, size_t operands = 2) {
  const NodeId reader = onlyReader(graph, value);
  return reader.valid() && isTaken(graph.node(reader), function) && graph.node(reader).inputs.size() == operands
             ? reader
             : NodeId{};
}

bool isMeanOfLastAxis(const Graph& graph, const Node& node) {
  const auto axes = meanAxes(graph, node);
  return axes && axes->size() == 1 &&
         axes->front() == static_cast<int64_t>(graph.value(node.inputs[0]).type.shape->rank()) - 1;
}

// A constant of one float for each element of the last axis of x.
bool isRow(const Graph& graph, ValueId value, ValueId x) {
  const Tensor* const row = constantOf(graph, value);
  const Dim& last = graph.value(x).type.shape->dims().back();
  return row != nullptr && row->type() == ElementType::kFloat && row->rank() == 1 && last.isKnown() &&
         last.value() == row->dims()[0];
}

// The nodes that square the difference and divide it by the root: one of each, and no others read it.
struct DifferenceReaders {
  NodeId square, quotient;
};

std::optional<DifferenceReaders> readersOf(const Graph& graph, ValueId difference) {
  const Value& value = graph.value(difference);
  if (value.outputCount > 0 || value.uses.size() > 3) return std::nullopt;
  DifferenceReaders readers;
  for (const Use& use : value.uses) {
    const Node& node = graph.node(use.node);
    if (node.inputs.size() != 2 || use.slot >= 2) return std::nullopt;
    const bool isSquare = (isTaken(node, ElementFunction::kMul) && node.inputs[0] == node.inputs[1]) ||
                          (isTaken(node, ElementFunction::kPow) && node.inputs[0] == difference &&
                           scalarOf(graph, node.inputs[1], 8) == 2.0);
    NodeId& place = isSquare ? readers.square : readers.quotient;
    if (place.valid() && place != use.node) return std::nullopt;
    place = use.node;
  }
  return readers.square.valid() && readers.quotient.valid() ? std::optional(readers) : std::nullopt;
}

// The root of the variance behind the square: sqrt(mean + epsilon). Fills in the nodes and epsilon.
ValueId deviationOf(const Graph& graph, NodeId square, Normalization& found) {
  const NodeId variance = onlyReader(graph, graph.node(square).outputs[0]);
  if (!variance.valid() || !isMeanOfLastAxis(graph, graph.node(variance))) return {};
  const ValueId mean = graph.node(variance).outputs[0];
  const NodeId raised = readerThatIs(graph, mean, ElementFunction::kAdd);
  if (!raised.valid()) return {};
  const auto epsilon = scalarOf(graph, operandsOf(graph.node(raised), mean).other, 1);
  const NodeId root = readerThatIs(graph, graph.node(raised).outputs[0], ElementFunction::kSqrt, 1);
  if (!epsilon || !root.valid()) return {};
  found.epsilon = *epsilon;
  found.nodes.insert(found.nodes.end(), {square, variance, raised, root});
  return graph.node(root).outputs[0];
}

// Whether the quotient divides the difference by the root, or multiplies it with the root's reciprocal.
bool dividesByRoot(const Graph& graph, const Node& quotient, ValueId difference, ValueId root, Normalization& found) {
  if (isTaken(quotient, ElementFunction::kDiv))
    return quotient.inputs[0] == difference && quotient.inputs[1] == root &&
           onlyReader(graph, root) == graph.value(quotient.outputs[0]).producer;
  if (!isTaken(quotient, ElementFunction::kMul)) return false;
  const NodeId inverse = onlyReader(graph, root);
  if (!inverse.valid()) return false;
  const Node& node = graph.node(inverse);
  const bool isInverse = isTaken(node, ElementFunction::kReciprocal) ||
                         (isTaken(node, ElementFunction::kDiv) && node.inputs.size() == 2 && node.inputs[1] == root &&
                          scalarOf(graph, node.inputs[0], 1) == 1.0);
  if (!isInverse || operandsOf(quotient, difference).other != node.outputs[0] ||
      onlyReader(graph, node.outputs[0]) != graph.value(quotient.outputs[0]).producer)
    return false;
  found.nodes.push_back(inverse);
  return true;
}

// Scale and, where there is one, bias behind the quotient.
bool takeScaleAndBias(const Graph& graph, ValueId quotient, Normalization& found) {
  const NodeId scaled = readerThatIs(graph, quotient, ElementFunction::kMul);
  if (!scaled.valid()) return false;
  found.scale = operandsOf(graph.node(scaled), quotient).other;
  if (!isRow(graph, found.scale, found.x)) return false;
  found.nodes.push_back(scaled);
  found.result = graph.node(scaled).outputs[0];
  const NodeId shifted = readerThatIs(graph, found.result, ElementFunction::kAdd);
  if (!shifted.valid()) return true;
  const ValueId bias = operandsOf(graph.node(shifted), found.result).other;
  if (!isRow(graph, bias, found.x)) return true;
  found.bias = bias;
  found.nodes.push_back(shifted);
  found.result = graph.node(shifted).outputs[0];
  return true;
}

// The normalisation that begins with this mean.
std::optional<Normalization> normalizationFrom(const Graph& graph, NodeId mean) {
  if (!isMeanOfLastAxis(graph, graph.node(mean))) return std::nullopt;
  Normalization found{.x = graph.node(mean).inputs[0]};
  const ValueId average = graph.node(mean).outputs[0];
  const NodeId centered = readerThatIs(graph, average, ElementFunction::kSub);
  if (!centered.valid() || graph.node(centered).inputs[0] != found.x || graph.node(centered).inputs[1] != average)
    return std::nullopt;
  const ValueId difference = graph.node(centered).outputs[0];
  const auto readers = readersOf(graph, difference);
  if (!readers) return std::nullopt;
  found.nodes = {mean, centered};
  const ValueId root = deviationOf(graph, readers->square, found);
  const Node& quotient = graph.node(readers->quotient);
  if (!root.valid() || !dividesByRoot(graph, quotient, difference, root, found)) return std::nullopt;
  found.nodes.push_back(readers->quotient);
  return takeScaleAndBias(graph, quotient.outputs[0], found) ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace

Result<void> rewrite_fuse_layer_normalization(RewriteRequest& request) {
  if (request.optimizationLevel < 2) return {};
  constexpr int32_t kOpset = 17;  // the first one with the operator
  Graph& graph = request.graph;
  for (const NodeId id : graph.nodeIds()) {
    std::optional<Normalization> found = normalizationFrom(graph, id);
    if (!found) continue;
    const Value& output = graph.value(found->result);
    const Node& last = graph.node(output.producer);
    NewNode norm{.node = {.name = last.name,
                          .opType = "LayerNormalization",
                          .sinceVersion = kOpset,
                          .opsetVersion = std::max(kOpset, last.opsetVersion),
                          .provider = "cpu"},
                 .inputs = {graph.value(found->x).name, graph.value(found->scale).name},
                 .outputs = {output.name},
                 .outputTypes = {output.type}};
    if (found->bias.valid()) norm.inputs.push_back(graph.value(found->bias).name);
    norm.node.setAttribute("axis", int64_t{-1});
    norm.node.setAttribute("epsilon", static_cast<float>(found->epsilon));
    GraphPatch patch{.note = "mean, variance, scale and bias are one LayerNormalization",
                     .removeNodes = std::move(found->nodes)};
    patch.addNodes.push_back(std::move(norm));
    CUTAWAY_CHECK(applyRewrite(graph, std::move(patch), "cpu fusion", request.done));
  }
  return {};
}

}  // namespace cutaway::cpu
