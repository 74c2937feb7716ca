// Text generation of com.microsoft: searches that run a decoder graph again and again.

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

// The decoder's own types follow from what it declares.
void inferBodies(onnx::InferenceContext& context) {
  for (const char* name : {"encoder", "init_decoder", "decoder"}) {
    if (context.getAttribute(name) == nullptr) continue;
    onnx::GraphInferencer* body = context.getGraphAttributeInferencer(name);
    if (body != nullptr) body->doInferencing({}, {});
  }
}

void setType(onnx::InferenceContext& context, size_t output, int32_t type, int rank) {
  if (output >= context.getNumOutputs() || context.getOutputType(output) == nullptr) return;
  onnx::updateOutputElemType(context, output, type);
  onnx::TensorShapeProto shape;
  for (int i = 0; i < rank; ++i)
    shape.add_dim();
  if (rank < 4 && known(context, 0) && onnx::hasInputShape(context, 0) &&
      onnx::getInputShape(context, 0).dim_size() >= 2)
    *shape.mutable_dim(0) = onnx::getInputShape(context, 0).dim(0);
  *context.getOutputType(output)->mutable_tensor_type()->mutable_shape() = shape;
}

void beamSearch(onnx::InferenceContext& context) {
  inferBodies(context);
  setType(context, 0, onnx::TensorProto::INT32, 3);
  setType(context, 1, onnx::TensorProto::FLOAT, 2);
  setType(context, 2, onnx::TensorProto::FLOAT, 4);
}

void greedySearch(onnx::InferenceContext& context) {
  inferBodies(context);
  setType(context, 0, onnx::TensorProto::INT32, 2);
  setType(context, 1, onnx::TensorProto::FLOAT, 2);
}

constexpr AttributeKind kInt = AttributeKind::kInt, kFloat = AttributeKind::kFloat, kGraph = AttributeKind::kGraph;

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
      {"BeamSearch",
       kMicrosoft,
       "input_ids:A, max_length:I, min_length?:I, num_beams:I, num_return_sequences:I, length_penalty?:T, "
       "repetition_penalty?:T, vocab_mask?:I, prefix_vocab_mask?:I, attention_mask?:I, decoder_input_ids?:I, "
       "logits_processor?:I -> sequences:I, sequences_scores?:T, scores?:T",
       beamSearch,
       {{"decoder", kGraph, true},
        {"encoder", kGraph},
        {"init_decoder", kGraph},
        {"eos_token_id", kInt, true},
        {"pad_token_id", kInt, true},
        {"decoder_start_token_id", kInt},
        {"early_stopping", kInt},
        {"model_type", kInt},
        {"no_repeat_ngram_size", kInt},
        {"vocab_size", kInt}}},
      {"GreedySearch",
       kMicrosoft,
       "input_ids:I, max_length:I, min_length?:I, repetition_penalty?:T, vocab_mask?:I, prefix_vocab_mask?:I, "
       "attention_mask?:I -> sequences:I",
       greedySearch,
       {{"decoder", kGraph, true},
        {"encoder", kGraph},
        {"init_decoder", kGraph},
        {"eos_token_id", kInt, true},
        {"pad_token_id", kInt, true},
        {"decoder_start_token_id", kInt},
        {"model_type", kInt},
        {"no_repeat_ngram_size", kInt},
        {"vocab_size", kInt}}},
      {"Sampling",
       kMicrosoft,
       "input_ids:I, max_length:I, min_length?:I, repetition_penalty?:T, vocab_mask?:I, prefix_vocab_mask?:I, "
       "attention_mask?:I, presence_mask?:I, seed?:I -> sequences:I, filtered_logits?:T",
       greedySearch,
       {{"decoder", kGraph, true},
        {"encoder", kGraph},
        {"init_decoder", kGraph},
        {"eos_token_id", kInt, true},
        {"pad_token_id", kInt, true},
        {"decoder_start_token_id", kInt},
        {"model_type", kInt},
        {"no_repeat_ngram_size", kInt},
        {"vocab_size", kInt},
        {"custom", kInt},
        {"filter_value", kFloat},
        {"min_tokens_to_keep", kInt},
        {"presence_penalty", kFloat},
        {"temperature", kFloat},
        {"top_p", kFloat}}},
  };
  return rows;
}

}  // namespace

OwnOperators own_generation() {
  return table();
}

}  // namespace cutaway::own
