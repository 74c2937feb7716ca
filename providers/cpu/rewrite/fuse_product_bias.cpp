// A matrix product with a constant and a constant summand a column behind it are one product, which adds while it
// writes: MatMul of domain `cutaway`, with the summands as a third input. (Of two axes they are a Gemm already.)
#include "engine/graph/graph_query.h"
#include "engine/graph/patch.h"
#include "providers/cpu/rewrite/plain_node.h"
#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {

namespace {

// Columns of the constant that the product is made with; 0: it is none of those meant here.
int64_t columnsOf(const Graph& graph, const Node& node) {
  if (!isPlainNode(node) || !node.domain.empty() || node.opType != "MatMul" || node.inputs.size() != 2) return 0;
  const ValueId weights = node.inputs[1];
  if (!weights.valid() || !graph.isConstant(weights)) return 0;
  const ValueType& type = graph.value(weights).type;
  const auto dims = type.isTensor() && type.shape ? type.shape->staticDims() : std::nullopt;
  if (type.element != ElementType::kFloat || !dims || dims->size() != 2) return 0;
  return (*dims)[1];
}

bool isBias(const Graph& graph, ValueId id, int64_t columns) {
  if (!id.valid() || !graph.isConstant(id)) return false;
  const ValueType& type = graph.value(id).type;
  const auto dims = type.isTensor() && type.shape ? type.shape->staticDims() : std::nullopt;
  return type.element == ElementType::kFloat && dims && dims->size() == 1 && (*dims)[0] == columns;
}

}  // namespace

Result<void> rewrite_fuse_product_bias(RewriteRequest& request) {
  if (request.optimizationLevel < 2) return {};
  Graph& graph = request.graph;
  for (const NodeId id : graph.nodeIds()) {
    const Node& product = graph.node(id);
    const int64_t columns = columnsOf(graph, product);
    if (columns < 1) continue;
    const NodeId next = onlyReader(graph, product.outputs[0]);
    if (!next.valid()) continue;
    const Node& add = graph.node(next);
    if (!isPlainNode(add) || !add.domain.empty() || add.opType != "Add" || add.inputs.size() != 2) continue;
    const ValueId bias = add.inputs[add.inputs[0] == product.outputs[0] ? 1 : 0];
    if (!isBias(graph, bias, columns)) continue;
    const Value& output = graph.value(add.outputs[0]);
    NewNode fused{
        .node = {.name = add.name,
                 .opType = "MatMul",
                 .domain = "cutaway",
                 .sinceVersion = 1,
                 .opsetVersion = 1,
                 .provider = kProvider},
        .inputs = {graph.value(product.inputs[0]).name, graph.value(product.inputs[1]).name, graph.value(bias).name},
        .outputs = {output.name},
        .outputTypes = {output.type}};
    GraphPatch patch{.note = "the bias is added while the product writes", .removeNodes = {id, next}};
    patch.addNodes.push_back(std::move(fused));
    CUTAWAY_CHECK(applyRewrite(graph, std::move(patch), "cpu fusion", request.done));
  }
  return {};
}

}  // namespace cutaway::cpu
