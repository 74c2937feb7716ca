// Constant right factors of TF32 products are stored with the depth last: tensor cores of Hopper take 32-bit operands
// in that order only, and products with one row read rows of weights at full width.

#include <algorithm>

#include "engine/graph/patch.h"
#include "providers/cuda/rewrite/rewrite_table.h"

namespace cutaway::cuda {
namespace {

constexpr int64_t kLeast = 64 * 64;            // smaller products are bound by their launch
constexpr int64_t kMost = int64_t{256} << 20;  // elements: transposing more is felt when a model is opened

const Tensor* packable(const RewriteCall& call, const Node& node) {
  const Graph& graph = call.graph;
  const bool plain = node.opType == "MatMul" && node.domain.empty(),
             gemm = node.opType == "Gemm" && node.domain.empty(),
             fused = node.opType == "FusedProduct" && node.domain == kCudaDomain;
  if (node.removed || node.provider != call.provider || !(plain || gemm || fused) || node.inputs.size() < 2 ||
      node.outputs.size() != 1)
    return nullptr;
  if (node.attributeOr<int64_t>("transB", 0) != 0 || node.attributeOr<int64_t>("transBatchB", 0) != 0) return nullptr;
  const auto& a = graph.value(node.inputs[0]).type.shape;
  const Value& b = graph.value(node.inputs[1]);
  if (!a || a->rank() < 2 || !graph.isConstant(node.inputs[1]) || !b.initializer || b.uses.size() != 1 ||
      b.outputCount > 0)
    return nullptr;
  const Tensor& tensor = *b.initializer;
  const bool wide = tensor.type() == ElementType::kFloat && call.options.tf32,
             narrow = tensor.type() == ElementType::kFloat16 || tensor.type() == ElementType::kBfloat16 ||
                      tensor.type() == ElementType::kFloat;
  const auto count = a->elementCount();
  const bool oneRow = count && tensor.rank() == 2 && *count == tensor.dims()[0];
  return tensor.rank() == 2 && tensor.elementCount() >= kLeast && tensor.elementCount() <= kMost &&
                 (wide || (narrow && oneRow))
             ? &tensor
             : nullptr;
}

template <typename T>
void transpose(const Tensor& from, Tensor& to) {
  constexpr int64_t kBlock = 32;
  const int64_t rows = from.dims()[0], columns = from.dims()[1];
  const T* source = static_cast<const T*>(from.data());
  T* target = static_cast<T*>(to.mutableData());
  for (int64_t i0 = 0; i0 < rows; i0 += kBlock) {
    for (int64_t j0 = 0; j0 < columns; j0 += kBlock) {
      for (int64_t i = i0; i < std::min(rows, i0 + kBlock); ++i) {
        for (int64_t j = j0; j < std::min(columns, j0 + kBlock); ++j)
          target[j * rows + i] = source[i * columns + j];
      }
    }
  }
}

Result<void> pack(RewriteCall& call, NodeId id, const Tensor& weights) {
  Graph& graph = call.graph;
  const Node& node = graph.node(id);
  CUTAWAY_TRY(Tensor packed, Tensor::create(weights.type(), {weights.dims()[1], weights.dims()[0]}));
  bitsOf(weights.type()) == 32 ? transpose<uint32_t>(weights, packed) : transpose<uint16_t>(weights, packed);
  const std::string name = graph.freshName(graph.value(node.inputs[1]).name + " transposed");
  NewNode made{
      .node = {.name = node.name, .opType = "FusedProduct", .domain = kCudaDomain, .attributes = node.attributes},
      .inputs = graph.namesOf(node.inputs),
      .outputs = {graph.value(node.outputs[0]).name},
      .outputTypes = {graph.value(node.outputs[0]).type}};
  made.inputs[1] = name;
  made.node.setAttribute("transB", int64_t{1});
  made.node.sinceVersion = made.node.opsetVersion = 1;
  made.node.provider = call.provider;
  GraphPatch patch{.note = "the weights are stored with the depth last", .removeNodes = {id}};
  patch.addInitializers.emplace_back(name, std::move(packed));
  patch.addNodes.push_back(std::move(made));
  CUTAWAY_CHECK(applyRewrite(graph, std::move(patch), "cuda packing", call.done));
  return {};
}

}  // namespace

Result<void> rewrite_pack_product(RewriteCall& call) {
  if (call.level < 3) return {};
  for (const NodeId id : call.graph.nodeIds()) {
    if (const Tensor* weights = packable(call, call.graph.node(id))) CUTAWAY_CHECK(pack(call, id, *weights));
  }
  return {};
}

}  // namespace cutaway::cuda
