// What optimisers of transformer models write into com.microsoft: sums with a bias, gates, mixtures of experts, and
// operators over tokens.

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

void setShape(onnx::InferenceContext& context, size_t output, const onnx::TensorShapeProto& shape) {
  *context.getOutputType(output)->mutable_tensor_type()->mutable_shape() = shape;
}

// The first input's axes with half of the last.
void halved(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  if (!onnx::hasInputShape(context, 0)) return;
  onnx::TensorShapeProto shape = onnx::getInputShape(context, 0);
  if (shape.dim_size() == 0) return;
  auto* last = shape.mutable_dim(shape.dim_size() - 1);
  if (last->has_dim_value())
    last->set_dim_value(last->dim_value() / 2);
  else
    last->Clear();
  setShape(context, 0, shape);
}

void biasDropout(onnx::InferenceContext& context) {
  copyTypeAndShape(context, 0, 0);
  if (context.getNumOutputs() < 2) return;
  copyTypeAndShape(context, 0, 1);
  onnx::updateOutputElemType(context, 1, onnx::TensorProto::BOOL);
}

// [..., depth] times [depth, columns].
void gemm(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  if (!known(context, 1) || !onnx::hasInputShape(context, 0) || !onnx::hasInputShape(context, 1)) return;
  onnx::TensorShapeProto shape = onnx::getInputShape(context, 0);
  if (shape.dim_size() == 0 || onnx::getInputShape(context, 1).dim_size() != 2) return;
  *shape.mutable_dim(shape.dim_size() - 1) = onnx::getInputShape(context, 1).dim(1);
  setShape(context, 0, shape);
}

// output [tokens, hidden], token_offset [batch, sequence], cumulated_seq_len [batch + 1], max_seq_len [1]
void removePadding(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  for (size_t i = 1; i < context.getNumOutputs(); ++i)
    onnx::updateOutputElemType(context, i, onnx::TensorProto::INT32);
  if (context.getNumOutputs() < 4 || !onnx::hasInputShape(context, 0) ||
      onnx::getInputShape(context, 0).dim_size() != 3)
    return;
  const onnx::TensorShapeProto& shape = onnx::getInputShape(context, 0);
  onnx::TensorShapeProto tokens, offsets, ends, one;
  tokens.add_dim();
  *tokens.add_dim() = shape.dim(2);
  *offsets.add_dim() = shape.dim(0);
  *offsets.add_dim() = shape.dim(1);
  auto* count = ends.add_dim();
  if (shape.dim(0).has_dim_value()) setSize(*count, sumOf({shape.dim(0).dim_value(), 1}));
  one.add_dim()->set_dim_value(1);
  setShape(context, 0, tokens);
  setShape(context, 1, offsets);
  setShape(context, 2, ends);
  setShape(context, 3, one);
}

void restorePadding(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  if (!known(context, 1) || !onnx::hasInputShape(context, 0) || !onnx::hasInputShape(context, 1) ||
      onnx::getInputShape(context, 0).dim_size() != 2)
    return;
  onnx::TensorShapeProto shape = onnx::getInputShape(context, 1);
  *shape.add_dim() = onnx::getInputShape(context, 0).dim(1);
  setShape(context, 0, shape);
}

void likeScores(onnx::InferenceContext& context) {
  copyTypeAndShape(context, 1, 0);
}

void warping(onnx::InferenceContext& context) {
  onnx::updateOutputElemType(context, 0, onnx::TensorProto::INT32);
  onnx::TensorShapeProto shape;
  shape.add_dim()->set_dim_value(2);
  shape.add_dim();
  setShape(context, 0, shape);
}

// [..., letters] to [..., filters]
void wordEmbedding(onnx::InferenceContext& context) {
  if (!known(context, 1)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 1, 0);
  if (!known(context, 0) || !onnx::hasInputShape(context, 0) || !onnx::hasInputShape(context, 1)) return;
  onnx::TensorShapeProto shape = onnx::getInputShape(context, 0);
  if (shape.dim_size() == 0 || onnx::getInputShape(context, 1).dim_size() == 0) return;
  *shape.mutable_dim(shape.dim_size() - 1) = onnx::getInputShape(context, 1).dim(0);
  setShape(context, 0, shape);
}

const std::vector<OwnAttribute> kExperts = {{"k", AttributeKind::kInt},
                                            {"activation_type", AttributeKind::kString},
                                            {"activation_alpha", AttributeKind::kFloat},
                                            {"activation_beta", AttributeKind::kFloat},
                                            {"swiglu_limit", AttributeKind::kFloat},
                                            {"swiglu_fusion", AttributeKind::kInt},
                                            {"normalize_routing_weights", AttributeKind::kInt},
                                            {"use_sparse_mixer", AttributeKind::kInt}};

std::vector<OwnAttribute> packedExperts() {
  std::vector<OwnAttribute> attributes = kExperts;
  for (const char* name : {"expert_weight_bits", "fc1_expert_weight_bits", "fc2_expert_weight_bits",
                           "fc3_expert_weight_bits", "block_size", "weights_prepacked", "accuracy_level"})
    attributes.push_back({name, AttributeKind::kInt});
  attributes.push_back({"quant_type", AttributeKind::kString});
  return attributes;
}

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
      {"BiasAdd", kMicrosoft, "X:T, bias:T, skip:T -> Y:T", likeFirst, {}},
      {"BiasSplitGelu", kMicrosoft, "X:T, bias:T -> Y:T", halved, {}},
      {"BiasSoftmax",
       kMicrosoft,
       "data:T, bias:T -> output:T",
       likeFirst,
       {{"axis", AttributeKind::kInt}, {"is_inner_broadcast", AttributeKind::kInt, true}}},
      {"BiasDropout",
       kMicrosoft,
       "data:T, bias:T, residual?:T, ratio?:U, training_mode?:tensor(bool) -> output:T, mask?:tensor(bool)",
       biasDropout,
       {{"seed", AttributeKind::kInt}}},
      {"GatedAdd", kMicrosoft, "X:T, Y:T, gate:T -> output:T", likeFirst, {}},
      {"GemmFastGelu", kMicrosoft, "X:T, W:T, bias?:T -> Y:T", gemm, {}},
      {"RemovePadding",
       kMicrosoft,
       "input:T, sequence_token_count:I -> output:T, token_offset:I, cumulated_seq_len:I, max_seq_len:I",
       removePadding,
       {}},
      {"RestorePadding", kMicrosoft, "input:T, token_offset:I -> output:T", restorePadding, {}},
      {"NGramRepeatBlock",
       kMicrosoft,
       "input_ids:I, scores:T -> scores_out:T",
       likeScores,
       {{"ngram_size", AttributeKind::kInt, true}}},
      {"DynamicTimeWarping", kMicrosoft, "input:T -> output:I", warping, {}},
      {"WordConvEmbedding",
       kMicrosoft,
       "Sequence:I, W:T, B:T, C:T -> Y:T",
       wordEmbedding,
       {{"embedding_size", AttributeKind::kInt},
        {"conv_window_size", AttributeKind::kInt},
        {"char_embedding_size", AttributeKind::kInt}}},
      {"MoE", kMicrosoft,
       "input:T, router_probs:T, fc1_experts_weights:T, fc1_experts_bias?:T, fc2_experts_weights:T, "
       "fc2_experts_bias?:T, fc3_experts_weights?:T, fc3_experts_bias?:T -> output:T",
       likeFirst, kExperts},
      {"QMoE", kMicrosoft,
       "input:T, router_probs:T, fc1_experts_weights:A, fc1_scales?:U, fc1_experts_bias?:T, fc2_experts_weights:A, "
       "fc2_scales?:U, fc2_experts_bias?:T, fc3_experts_weights?:A, fc3_scales?:U, fc3_experts_bias?:T, "
       "fc1_zero_points?:A, fc2_zero_points?:A, fc3_zero_points?:A, router_weights?:T, fc1_global_scale?:B, "
       "fc2_global_scale?:B, fc1_act_scale?:B, fc2_act_scale?:B, fc1_act_block_scale?:U, fc2_act_block_scale?:U -> "
       "output:T",
       likeFirst, packedExperts()},
  };
  return rows;
}

}  // namespace

OwnOperators own_transformer() {
  return table();
}

}  // namespace cutaway::own
