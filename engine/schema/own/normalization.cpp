// Layer normalisation in the forms of com.microsoft, and ai.onnx ones of before opset 17.

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

// A float (or stashed) number for each run from `axis` on.
void statistics(onnx::InferenceContext& context, size_t output, int64_t axis, int type) {
  if (output >= context.getNumOutputs()) return;
  onnx::updateOutputElemType(context, output, type);
  if (!onnx::hasInputShape(context, 0)) return;
  onnx::TensorShapeProto shape = onnx::getInputShape(context, 0);
  if (axis < 0) axis += shape.dim_size();
  for (int64_t i = std::max<int64_t>(axis, 0); i < shape.dim_size(); ++i)
    shape.mutable_dim(static_cast<int>(i))->set_dim_value(1);
  *context.getOutputType(output)->mutable_tensor_type()->mutable_shape() = shape;
}

// output, mean?, inv_std_var?, input_skip_bias_sum?
void skipNormalization(onnx::InferenceContext& context) {
  copyTypeAndShape(context, 0, 0);
  statistics(context, 1, -1, onnx::TensorProto::FLOAT);
  statistics(context, 2, -1, onnx::TensorProto::FLOAT);
  copyTypeAndShape(context, 0, 3);
}

// Y (of the scale's type), Mean?, InvStdDev?
void layerNormalization(onnx::InferenceContext& context) {
  if (known(context, 0)) onnx::propagateElemTypeFromInputToOutput(context, known(context, 1) ? 1 : 0, 0);
  if (known(context, 0) && onnx::hasInputShape(context, 0)) onnx::propagateShapeFromInputToOutput(context, 0, 0);
  const int type = static_cast<int>(integerAttribute(context, "stash_type", onnx::TensorProto::FLOAT));
  statistics(context, 1, integerAttribute(context, "axis", -1), type);
  statistics(context, 2, integerAttribute(context, "axis", -1), type);
}

// Y (of the scale's type), inv_std_var?
void simplifiedNormalization(onnx::InferenceContext& context) {
  if (!known(context, 0) || !known(context, 1)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 1, 0);
  if (onnx::hasInputShape(context, 0)) onnx::propagateShapeFromInputToOutput(context, 0, 0);
  statistics(context, 1, integerAttribute(context, "axis", -1),
             static_cast<int>(integerAttribute(context, "stash_type", onnx::TensorProto::FLOAT)));
}

// Y, S?
void skipGroupNorm(onnx::InferenceContext& context) {
  copyTypeAndShape(context, 0, 0);
  copyTypeAndShape(context, 0, 1);
}

void embedded(onnx::InferenceContext& context, size_t output, int type) {
  if (output >= context.getNumOutputs()) return;
  onnx::updateOutputElemType(context, output, type);
  if (!known(context, 0) || !known(context, 2) || !onnx::hasInputShape(context, 0) || !onnx::hasInputShape(context, 2))
    return;
  onnx::TensorShapeProto shape = onnx::getInputShape(context, 0);
  const onnx::TensorShapeProto& table = onnx::getInputShape(context, 2);
  if (table.dim_size() != 2 || shape.dim_size() != 2) return;
  if (output == 1) {
    shape.mutable_dim()->RemoveLast();
  } else {
    *shape.add_dim() = table.dim(1);
  }
  *context.getOutputType(output)->mutable_tensor_type()->mutable_shape() = shape;
}

void embedLayerNormalization(onnx::InferenceContext& context) {
  if (!known(context, 2)) return;
  const int type = context.getInputType(2)->tensor_type().elem_type();
  embedded(context, 0, type);
  embedded(context, 1, onnx::TensorProto::INT32);
  embedded(context, 2, type);
}

void quantizedEmbedLayerNormalization(onnx::InferenceContext& context) {
  embedded(context, 0, onnx::TensorProto::FLOAT);
  embedded(context, 1, onnx::TensorProto::INT32);
}

const std::vector<OwnAttribute> kEpsilon = {{"epsilon", AttributeKind::kFloat}};

const std::vector<OwnAttribute> kLayer = {
    {"axis", AttributeKind::kInt}, {"epsilon", AttributeKind::kFloat}, {"stash_type", AttributeKind::kInt}};
const std::vector<OwnAttribute> kGroup = {{"groups", AttributeKind::kInt, true},
                                          {"activation", AttributeKind::kInt, true},
                                          {"epsilon", AttributeKind::kFloat},
                                          {"channels_last", AttributeKind::kInt}};

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
      {"SkipLayerNormalization", kMicrosoft,
       "input:T, skip:T, gamma:T, beta?:T, bias?:T -> output:T, mean?:U, inv_std_var?:U, input_skip_bias_sum?:T",
       skipNormalization, kEpsilon},
      {"SkipSimplifiedLayerNormalization", kMicrosoft,
       "input:T, skip:T, gamma:T, bias?:T -> output:T, mean?:U, inv_std_var?:U, input_skip_bias_sum?:T",
       skipNormalization, kEpsilon},
      {"SimplifiedLayerNormalization", "", "X:T, scale:V -> Y:V, inv_std_var?:U", simplifiedNormalization, kLayer},
      {"SimplifiedLayerNormalization", kMicrosoft, "X:T, scale:V -> Y:V, inv_std_var?:U", simplifiedNormalization,
       kLayer},
      {"LayerNormalization", "", "X:T, Scale:V, B?:V -> Y:V, Mean?:U, InvStdDev?:U", layerNormalization, kLayer, 16},
      {"EmbedLayerNormalization",
       kMicrosoft,
       "input_ids:I, segment_ids?:I, word_embedding:T, position_embedding:T, segment_embedding?:T, gamma:T, beta:T, "
       "mask?:I, position_ids?:I -> output:T, mask_index?:I, embedding_sum?:T",
       embedLayerNormalization,
       {{"epsilon", AttributeKind::kFloat}, {"mask_index_type", AttributeKind::kInt}}},
      {"QEmbedLayerNormalization", kMicrosoft,
       "input_ids:I, segment_ids?:I, word_embedding_quant:Q, position_embedding_quant:Q, segment_embedding?:Q, "
       "gamma_quant:Q, beta_quant:Q, mask?:I, word_embedding_scale:T, position_embedding_scale:T, "
       "segment_embedding_scale?:T, gamma_scale:T, beta_scale:T, word_embedding_zero_point:Q, "
       "position_embedding_zero_point:Q, segment_embedding_zero_point?:Q, gamma_zero_point:Q, beta_zero_point:Q -> "
       "layernorm_out:T, mask_index_out:I",
       quantizedEmbedLayerNormalization, kEpsilon},
      {"GatedRMSNorm",
       kMicrosoft,
       "X:T, scale:T, gate:T -> Y:T",
       likeFirst,
       {{"epsilon", AttributeKind::kFloat}, {"activation", AttributeKind::kString}}},
      {"GroupNorm", kMicrosoft, "X:T, gamma:U, beta:U -> Y:T", likeFirst, kGroup},
      {"SkipGroupNorm", kMicrosoft, "X:T, gamma:U, beta:U, skip:T, bias?:T -> Y:T, S?:T", skipGroupNorm, kGroup},
  };
  return rows;
}

}  // namespace

OwnOperators own_normalization() {
  return table();
}

}  // namespace cutaway::own
