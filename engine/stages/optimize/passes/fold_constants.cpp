// Nodes whose inputs are all constant are computed now. Shape and Size need only the shape of their input.
//
// Not folded: operators that draw random numbers, nodes with bodies, results above the limit, non-tensor results, and DequantizeLinear of weights, because its quantised form is what
// kernels for quantised models want. A kernel that fails leaves the node to run time, where the message has its place.
#include <algorithm>

#include "engine/provider/node_evaluator.h"
#include "engine/schema/schema.h"
#include "engine/stages/optimize/pattern_query.h"
#include "engine/stages/optimize/pass.h"

namespace cutaway {

namespace {

using Proposal = Result<std::optional<GraphPatch>>;

GraphPatch replaceByConstants(const Graph& graph, NodeId id, std::vector<Tensor> tensors, std::string note) {
  GraphPatch patch{.note = std::move(note), .removeNodes = {id}};
  const Node& node = graph.node(id);
  for (size_t slot = 0; slot < tensors.size(); ++slot) {
    if (node.outputs[slot].valid()) patch.addInitializers.emplace_back(graph.value(node.outputs[slot]).name, std::move(tensors[slot]));
  }
  return patch;
}

Proposal foldShape(const PassContext& context, NodeId id) {
  const Graph& graph = context.graph;
  const Node& node = graph.node(id);
  if (node.inputs.empty() || !node.inputs[0].valid()) return std::nullopt;
  const std::optional<Shape>& shape = graph.value(node.inputs[0]).type.shape;
  if (!shape || !shape->isStatic()) return std::nullopt;
  const std::vector<int64_t> dims = *shape->staticDims();
  if (isOnnxOperator(node, "Size")) {
    const std::optional<int64_t> count = shape->elementCount();
    if (!count) return std::nullopt;
    return replaceByConstants(graph, id, {Tensor::scalar<int64_t>(*count)}, "the size of its input is known");
  }
  const int64_t rank = static_cast<int64_t>(dims.size());
  const auto bound = [&](const char* name, int64_t otherwise) {
    const int64_t value = node.attributeOr<int64_t>(name, otherwise);
    return std::clamp(value < 0 ? value + rank : value, int64_t{0}, rank);
  };
  const int64_t start = bound("start", 0);
  const int64_t end = std::max(start, bound("end", rank));
  const std::span<const int64_t> part = std::span<const int64_t>(dims).subspan(static_cast<size_t>(start), static_cast<size_t>(end - start));
  return replaceByConstants(graph, id, {Tensor::of<int64_t>(part)}, "the shape of its input is known");
}

bool isFoldable(const PassContext& context, const Node& node) {
  if (context.options.kernels == nullptr || node.hasBodies() || node.inputs.empty() || isOnnxOperator(node, "DequantizeLinear") || node.opType == "EPContext") return false;
  const OperatorSchema* schema = findSchema(node.opType, node.domain, node.opsetVersion);
  if (schema == nullptr || !schema->deterministic) return false;
  return std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId input) { return !input.valid() || constantOf(context.graph, input) != nullptr; });
}

// The size is asked before computing: ConstantOfShape and Expand can make gigabytes of a few bytes.
bool fitsLimit(const PassContext& context, const Node& node) {
  if (context.options.foldingLimitBytes == 0) return true;
  int64_t total = 0;
  for (const ValueId output : node.outputs) {
    if (!output.valid()) continue;
    const ValueType& type = context.graph.value(output).type;
    const std::optional<int64_t> size = type.isTensor() && type.shape && type.shape->isStatic() && type.element == ElementType::kString ? type.shape->elementCount() : staticByteSize(type);
    if (!size) return false;
    total += *size;
    if (total > context.options.foldingLimitBytes) return false;
  }
  return true;
}

Proposal propose(const PassContext& context, NodeId id) {
  const Graph& graph = context.graph;
  const Node& node = graph.node(id);
  if (isOnnxOperator(node, "Shape") || isOnnxOperator(node, "Size")) return foldShape(context, id);
  if (!isFoldable(context, node) || !fitsLimit(context, node)) return std::nullopt;
  std::vector<RuntimeValue> inputs;
  for (const ValueId input : node.inputs) inputs.push_back(input.valid() ? RuntimeValue(*constantOf(graph, input)) : RuntimeValue());
  Result<std::vector<RuntimeValue>> outputs = evaluateNode(*context.options.kernels, graph, id, inputs);
  if (!outputs) return std::nullopt;
  std::vector<Tensor> tensors;
  for (size_t slot = 0; slot < outputs->size(); ++slot) {
    RuntimeValue& output = (*outputs)[slot];
    if (node.outputs[slot].valid() && !output.isTensor()) return std::nullopt;
    // A view would keep the whole input alive, and may be shared: an initializer owns its bytes.
    tensors.push_back(output.isTensor() ? output.tensor() : Tensor());
  }
  return replaceByConstants(graph, id, std::move(tensors), "all of its inputs are constant");
}

}  // namespace

Pass pass_fold_constants() { return {.name = "ConstantFolding", .purpose = "compute nodes whose inputs are all constant", .level = 1, .propose = propose}; }

}  // namespace cutaway
