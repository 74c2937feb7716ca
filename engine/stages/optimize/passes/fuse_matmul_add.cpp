// MatMul of two matrices followed by Add of a bias is one Gemm.
//
// Gemm takes matrices only, so the left operand must have rank 2; a bias of [N], [1,N], [M,1] or [M,N] fits its C operand. MatMul over more dimensions stays: its bias is added by a kernel of its own.
#include "engine/stages/optimize/pattern_query.h"
#include "engine/stages/optimize/pass.h"

namespace cutaway {

namespace {

bool isMatrix(const ValueType& type) { return type.isTensor() && type.shape && type.shape->rank() == 2; }

bool isFloatType(const ValueType& type) { return type.element == ElementType::kFloat || type.element == ElementType::kDouble || type.element == ElementType::kFloat16; }

// The bias must broadcast to the product, never the product to the bias.
bool isBiasFor(const ValueType& bias, const ValueType& product) {
  if (!bias.isTensor() || !bias.shape || bias.element != product.element || !product.shape) return false;
  const Shape& from = *bias.shape;
  const Shape& to = *product.shape;
  if (from.rank() == 0 || from.rank() > 2) return false;
  for (size_t i = 0; i < from.rank(); ++i) {
    const Dim& dim = from[from.rank() - 1 - i];
    const bool one = dim.isKnown() && dim.value() == 1;
    if (!one && !dim.sameAs(to[1 - i])) return false;
  }
  return true;
}

Result<std::optional<GraphPatch>> propose(const PassContext& context, NodeId id) {
  const Graph& graph = context.graph;
  const Node& product = graph.node(id);
  if (!isOnnxOperator(product, "MatMul") || product.opsetVersion < 7 || product.inputs.size() != 2 || !product.outputs[0].valid()) return std::nullopt;
  const NodeId next = onlyConsumer(graph, product.outputs[0]);
  if (!next.valid() || !isOnnxOperator(graph.node(next), "Add") || graph.node(next).inputs.size() != 2) return std::nullopt;
  const Node& add = graph.node(next);
  const ValueId bias = add.inputs[0] == product.outputs[0] ? add.inputs[1] : add.inputs[0];
  const ValueType& productType = graph.value(product.outputs[0]).type;
  const ValueType& left = graph.value(product.inputs[0]).type;
  if (!isMatrix(left) || !isMatrix(graph.value(product.inputs[1]).type) || !isFloatType(left) || !isBiasFor(graph.value(bias).type, productType)) return std::nullopt;

  NewNode gemm{.inputs = {graph.value(product.inputs[0]).name, graph.value(product.inputs[1]).name, graph.value(bias).name},
               .outputs = {graph.value(add.outputs[0]).name},
               .outputTypes = {graph.value(add.outputs[0]).type}};
  gemm.node.name = product.name;
  gemm.node.opType = "Gemm";
  GraphPatch patch{.note = "the product of two matrices plus a bias is one Gemm", .removeNodes = {id, next}};
  patch.addNodes.push_back(std::move(gemm));
  return patch;
}

}  // namespace

Pass pass_fuse_matmul_add() { return {.name = "MatMulAddFusion", .purpose = "turn MatMul and Add of a bias into Gemm", .level = 1, .propose = propose}; }

}  // namespace cutaway
