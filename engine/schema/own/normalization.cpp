// Layer normalisation in the forms of com.microsoft, and ai.onnx ones of before opset 17.

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

// output, mean?, inv_std_var?, input_skip_bias_sum?
void skipNormalization(onnx::InferenceContext& context) {
  copyTypeAndShape(context, 0, 0);
  copyTypeAndShape(context, 0, 3);
}

void embedLayerNormalization(onnx::InferenceContext& context) {
  if (!known(context, 2)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 2, 0);
  if (context.getNumOutputs() > 1) onnx::updateOutputElemType(context, 1, onnx::TensorProto::INT32);
  if (!onnx::hasInputShape(context, 0) || !onnx::hasInputShape(context, 2)) return;
  onnx::TensorShapeProto shape = onnx::getInputShape(context, 0);
  const onnx::TensorShapeProto& table = onnx::getInputShape(context, 2);
  if (table.dim_size() != 2) return;
  *shape.add_dim() = table.dim(1);
  *context.getOutputType(0)->mutable_tensor_type()->mutable_shape() = shape;
  if (context.getNumOutputs() > 1) *context.getOutputType(1)->mutable_tensor_type()->mutable_shape()->add_dim() = onnx::getInputShape(context, 0).dim(0);
  if (context.getNumOutputs() > 2) copyTypeAndShape(context, 2, 2);
}

const std::vector<OwnAttribute> kEpsilon = {{"epsilon", AttributeKind::kFloat}};

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
    {"SkipLayerNormalization", kMicrosoft, "input:T, skip:T, gamma:T, beta?:T, bias?:T -> output:T, mean?:U, inv_std_var?:U, input_skip_bias_sum?:T", skipNormalization, kEpsilon},
    {"SkipSimplifiedLayerNormalization", kMicrosoft, "input:T, skip:T, gamma:T, bias?:T -> output:T, mean?:U, inv_std_var?:U, input_skip_bias_sum?:T", skipNormalization, kEpsilon},
    {"SimplifiedLayerNormalization", "", "X:T, scale:V -> Y:V, inv_std_var?:U", likeFirst, {{"axis", AttributeKind::kInt}, {"epsilon", AttributeKind::kFloat}, {"stash_type", AttributeKind::kInt}}},
    {"LayerNormalization", "", "X:T, Scale:T, B?:T -> Y:T, Mean?:U, InvStdDev?:U", likeFirst, {{"axis", AttributeKind::kInt}, {"epsilon", AttributeKind::kFloat}, {"stash_type", AttributeKind::kInt}}, 16},
    {"EmbedLayerNormalization", kMicrosoft, "input_ids:I, segment_ids?:I, word_embedding:T, position_embedding:T, segment_embedding?:T, gamma:T, beta:T, mask?:I, position_ids?:I -> output:T, mask_index?:I, embedding_sum?:T", embedLayerNormalization, {{"epsilon", AttributeKind::kFloat}, {"mask_index_type", AttributeKind::kInt}}},
  };
  return rows;
}

}  // namespace

OwnOperators own_normalization() { return table(); }

}  // namespace cutaway::own
