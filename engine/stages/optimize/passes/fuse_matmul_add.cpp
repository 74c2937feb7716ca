// MatMul of two matrices and an Add of a bias become one Gemm.

#include "engine/stages/optimize/graph_pass.h"

namespace cutaway::optimize {

namespace {

bool isMatrix(const ValueType& type) {
  const bool floating = type.element == ElementType::kFloat || type.element == ElementType::kDouble ||
                        type.element == ElementType::kFloat16 || type.element == ElementType::kBfloat16;
  return type.isTensor() && floating && type.shape && type.shape->rank() == 2;
}

bool isOne(const Dim& dim) {
  return dim.isKnown() && dim.value() == 1;
}

// Gemm spreads C over [M, N], never [M, N] over C.
bool spreadsTo(const ValueType& bias, const Dim& rows, const Dim& columns) {
  if (!bias.isTensor() || !bias.shape || bias.shape->rank() > 2) return false;
  const Shape& shape = *bias.shape;
  const size_t rank = shape.rank();
  if (rank >= 1 && !isOne(shape[rank - 1]) && !shape[rank - 1].sameAs(columns)) return false;
  return rank < 2 || isOne(shape[0]) || shape[0].sameAs(rows);
}

std::optional<GraphPatch> match(const PassContext& context, NodeId id) {
  if (!context.is(id, "Add") || context.node(id).opsetVersion < 7 || context.node(id).inputs.size() != 2)
    return std::nullopt;
  for (size_t slot = 0; slot < 2; ++slot) {
    const ValueId product = context.input(id, slot);
    const ValueId bias = context.input(id, 1 - slot);
    const NodeId multiply = context.producer(product);
    if (!product.valid() || !bias.valid() || !context.is(multiply, "MatMul") || !context.onlyReader(product).valid())
      continue;
    const ValueType& a = context.type(context.input(multiply, 0));
    const ValueType& b = context.type(context.input(multiply, 1));
    if (!isMatrix(a) || !isMatrix(b) || !spreadsTo(context.type(bias), (*a.shape)[0], (*b.shape)[1])) continue;
    GraphPatch patch;
    patch.note = fmt::format("{} and {} are one Gemm", context.label(multiply), context.label(id));
    patch.removeNodes = {multiply, id};
    NewNode gemm;
    gemm.node.name = context.node(multiply).name;
    gemm.node.opType = "Gemm";
    gemm.node.opsetVersion = context.node(id).opsetVersion;
    for (const ValueId input : {context.input(multiply, 0), context.input(multiply, 1), bias})
      gemm.inputs.push_back(context.graph().value(input).name);
    gemm.outputs = {context.graph().value(context.output(id, 0)).name};
    patch.addNodes.push_back(std::move(gemm));
    return patch;
  }
  return std::nullopt;
}

constexpr GraphPass kPass{.name = "MatMulAddFusion",
                          .purpose = "turns a matrix product and its bias into one Gemm",
                          .level = 1,
                          .match = match};

}  // namespace

const GraphPass& pass_fuse_matmul_add() {
  return kPass;
}

}  // namespace cutaway::optimize
