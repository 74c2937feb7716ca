// BatchNormalization followed by Mul and Add with a constant for each channel is one BatchNormalization: its scale and
// bias take them in.
#include "engine/graph/graph_query.h"
#include "engine/graph/patch.h"
#include "engine/operators/traits/operator_traits.h"
#include "providers/cpu/rewrite/convolution_query.h"

namespace cutaway::cpu {

namespace {

using operators::ElementFunction;

constexpr size_t kScale = 1, kBias = 2;

// A constant of one number for each channel of images of this rank, or of one number: [C, 1, 1], [1, C, 1, 1].
bool isPerChannel(const Tensor& tensor, size_t rank, int64_t channels) {
  if (tensor.type() != ElementType::kFloat || tensor.rank() > rank) return false;
  if (tensor.elementCount() == 1) return true;
  return tensor.elementCount() == channels && tensor.rank() + 1 >= rank &&
         tensor.dims()[tensor.rank() + 1 - rank] == channels;
}

// Of a normalisation in inference whose scale and bias are constants.
bool isOpen(const Graph& graph, const Node& node) {
  if (node.removed || node.provider != "cpu" || !node.domain.empty() || node.opType != "BatchNormalization" ||
      node.sinceVersion < 9 || node.attributeOr<int64_t>("training_mode", 0) != 0 || node.outputs.size() != 1 ||
      !node.outputs[0].valid() || node.inputs.size() != 5)
    return false;
  const ValueType& type = graph.value(node.outputs[0]).type;
  const Tensor *scale = constantOf(graph, node.inputs[kScale]), *bias = constantOf(graph, node.inputs[kBias]);
  return type.element == ElementType::kFloat && type.shape && type.shape->rank() >= 2 && scale != nullptr &&
         bias != nullptr && scale->type() == ElementType::kFloat && bias->type() == ElementType::kFloat &&
         scale->elementCount() == bias->elementCount() && scale->elementCount() > 0;
}

// Takes the one Mul or Add behind the node in; false: there is none.
Result<bool> takeIn(RewriteRequest& request, NodeId id) {
  Graph& graph = request.graph;
  const Node& norm = graph.node(id);
  if (!isOpen(graph, norm)) return false;
  const NodeId next = onlyFollower(graph, norm);
  if (!next.valid()) return false;
  const Node& follower = graph.node(next);
  const ElementFunction function = operators::elementFunctionOf(follower);
  if ((function != ElementFunction::kMul && function != ElementFunction::kAdd) || follower.inputs.size() != 2)
    return false;
  const ValueId other = follower.inputs[follower.inputs[0] == norm.outputs[0] ? 1 : 0];
  const Tensor* constant = constantOf(graph, other);
  const Tensor& scale = *constantOf(graph, norm.inputs[kScale]);
  const size_t rank = graph.value(norm.outputs[0]).type.shape->rank();
  if (constant == nullptr || !isPerChannel(*constant, rank, scale.elementCount())) return false;
  CUTAWAY_TRY(Tensor newScale, scale.clone());
  CUTAWAY_TRY(Tensor newBias, constantOf(graph, norm.inputs[kBias])->clone());
  const auto values = constant->span<float>();
  for (size_t c = 0; c < newScale.span<float>().size(); ++c) {
    const float value = values[values.size() == 1 ? 0 : c];
    if (function == ElementFunction::kMul) {
      newScale.span<float>()[c] *= value;
      newBias.span<float>()[c] *= value;
    } else {
      newBias.span<float>()[c] += value;
    }
  }
  const Value& output = graph.value(follower.outputs[0]);
  NewNode made{.node = norm, .inputs = {}, .outputs = {output.name}, .outputTypes = {output.type}};
  made.node.inputs.clear();
  made.node.outputs.clear();
  made.node.origins.clear();
  made.node.rewrite.clear();
  for (const ValueId input : norm.inputs)
    made.inputs.push_back(graph.value(input).name);
  made.inputs[kScale] = graph.freshName(made.inputs[kScale] + "_times");
  made.inputs[kBias] = graph.freshName(made.inputs[kBias] + "_plus");
  GraphPatch patch{.note = follower.opType + " with a constant for each channel is part of the normalisation",
                   .removeNodes = {id, next}};
  patch.addInitializers.emplace_back(made.inputs[kScale], std::move(newScale));
  patch.addInitializers.emplace_back(made.inputs[kBias], std::move(newBias));
  patch.addNodes.push_back(std::move(made));
  CUTAWAY_CHECK(applyRewrite(graph, std::move(patch), "cpu fusion", request.done));
  return true;
}

}  // namespace

Result<void> rewrite_fold_scale_shift(RewriteRequest& request) {
  if (request.optimizationLevel < 2) return {};
  for (bool again = true; again;) {
    again = false;
    for (const NodeId id : request.graph.nodeIds()) {
      CUTAWAY_TRY(const bool taken, takeIn(request, id));
      again = again || taken;
    }
  }
  return {};
}

}  // namespace cutaway::cpu
