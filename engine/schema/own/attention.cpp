// Attention in the forms of com.microsoft.

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

// [batch, sequence, hidden] from the projection's bias or the query itself.
void attention(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  if (context.getNumOutputs() > 1) onnx::propagateElemTypeFromInputToOutput(context, 0, 1);
  if (!onnx::hasInputShape(context, 0) || !onnx::hasInputShape(context, 1) || context.getAttribute("qkv_hidden_sizes") != nullptr) return;
  onnx::TensorShapeProto shape = onnx::getInputShape(context, 0);
  const onnx::TensorShapeProto& weights = onnx::getInputShape(context, 1);
  if (shape.dim_size() != 3 || weights.dim_size() != 2) return;
  shape.mutable_dim(2)->Clear();
  if (weights.dim(1).has_dim_value()) shape.mutable_dim(2)->set_dim_value(weights.dim(1).dim_value() / 3);
  *context.getOutputType(0)->mutable_tensor_type()->mutable_shape() = shape;
}

void queryShaped(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  for (size_t i = 0; i < context.getNumOutputs(); ++i) onnx::propagateElemTypeFromInputToOutput(context, 0, i);
  if (known(context, 1) && onnx::hasInputShape(context, 0) && onnx::getInputShape(context, 0).dim_size() == 3) onnx::propagateShapeFromInputToOutput(context, 0, 0);
}

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
    {"MultiHeadAttention", kMicrosoft, "query:T, key?:T, value?:T, bias?:T, key_padding_mask?:I, attention_bias?:T, past_key?:T, past_value?:T, past_sequence_length?:I, cache_indirection?:I -> output:T, present_key?:T, present_value?:T, qk?:U", queryShaped, {{"num_heads", AttributeKind::kInt, true}, {"scale", AttributeKind::kFloat}, {"mask_filter_value", AttributeKind::kFloat}, {"unidirectional", AttributeKind::kInt}}},
    {"GroupQueryAttention", kMicrosoft, "query:T, key?:T, value?:T, past_key?:V, past_value?:V, seqlens_k:I, total_sequence_length:I, cos_cache?:T, sin_cache?:T, position_ids?:J, attention_bias?:T, head_sink?:T, k_scale?:U, v_scale?:U, q_norm_weight?:T, k_norm_weight?:T -> output:T, present_key?:V, present_value?:V, output_qk?:T", queryShaped, {{"num_heads", AttributeKind::kInt, true}, {"kv_num_heads", AttributeKind::kInt, true}, {"scale", AttributeKind::kFloat}, {"softcap", AttributeKind::kFloat}, {"local_window_size", AttributeKind::kInt}, {"do_rotary", AttributeKind::kInt}, {"rotary_interleaved", AttributeKind::kInt}, {"smooth_softmax", AttributeKind::kInt}, {"causal", AttributeKind::kInt}, {"qk_output", AttributeKind::kInt}}},
    {"RotaryEmbedding", kMicrosoft, "input:T, position_ids:I, cos_cache:T, sin_cache:T -> output:T", likeFirst, {{"interleaved", AttributeKind::kInt}, {"num_heads", AttributeKind::kInt}, {"rotary_embedding_dim", AttributeKind::kInt}, {"scale", AttributeKind::kFloat}, {"is_packed_batching", AttributeKind::kInt}}},
    {"Attention", kMicrosoft, "input:T, weights:T, bias?:T, mask_index?:I, past?:T, attention_bias?:T, past_sequence_length?:I -> output:T, present?:T", attention, {{"num_heads", AttributeKind::kInt, true}, {"unidirectional", AttributeKind::kInt}, {"qkv_hidden_sizes", AttributeKind::kInts}, {"do_rotary", AttributeKind::kInt}, {"rotary_embedding_dim", AttributeKind::kInt}, {"scale", AttributeKind::kFloat}, {"mask_filter_value", AttributeKind::kFloat}, {"past_present_share_buffer", AttributeKind::kInt}}},
  };
  return rows;
}

}  // namespace

OwnOperators own_attention() { return table(); }

}  // namespace cutaway::own
