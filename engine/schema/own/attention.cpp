// Attention in the forms of com.microsoft: signatures, and the types and shapes of every output, caches included.

#include <onnx/defs/tensor_proto_util.h>

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

using Dim = onnx::TensorShapeProto::Dimension;

Dim fixed(std::optional<int64_t> size) {
  Dim dim;
  setSize(dim, size);
  return dim;
}

// Unknown when the input, its shape or the axis is.
Dim dimOf(onnx::InferenceContext& context, size_t input, int axis) {
  if (!known(context, input) || !onnx::hasInputShape(context, input) ||
      axis >= onnx::getInputShape(context, input).dim_size())
    return {};
  return onnx::getInputShape(context, input).dim(axis);
}

int rankOf(onnx::InferenceContext& context, size_t input) {
  return known(context, input) && onnx::hasInputShape(context, input) ? onnx::getInputShape(context, input).dim_size()
                                                                      : -1;
}

Dim sum(const Dim& a, const Dim& b) {
  return a.has_dim_value() && b.has_dim_value() ? fixed(sumOf({a.dim_value(), b.dim_value()})) : Dim();
}
Dim product(const Dim& a, int64_t factor) {
  return a.has_dim_value() ? fixed(productOf(a.dim_value(), factor)) : Dim();
}
Dim quotient(const Dim& a, int64_t divisor) {
  return a.has_dim_value() && divisor > 0 ? fixed(a.dim_value() / divisor) : Dim();
}

void setOutput(onnx::InferenceContext& context, size_t output, size_t typeOf, std::initializer_list<Dim> dims) {
  if (output >= context.getNumOutputs() || context.getOutputType(output) == nullptr || !known(context, typeOf)) return;
  onnx::propagateElemTypeFromInputToOutput(context, typeOf, output);
  onnx::TensorShapeProto shape;
  for (const Dim& dim : dims)
    *shape.add_dim() = dim;
  *context.getOutputType(output)->mutable_tensor_type()->mutable_shape() = shape;
}

// The projection gives queries, keys and values; past and present are [2, batch, heads, length, size].
void attention(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  const int64_t heads = integerAttribute(context, "num_heads");
  Dim hidden = quotient(dimOf(context, 1, 1), 3), valueHidden = hidden;
  const auto* sizes = context.getAttribute("qkv_hidden_sizes");
  if (sizes != nullptr && sizes->ints_size() == 3) hidden = fixed(sizes->ints(0)), valueHidden = fixed(sizes->ints(2));
  const Dim batch = dimOf(context, 0, 0), sequence = dimOf(context, 0, 1);
  setOutput(context, 0, 0, {batch, sequence, valueHidden});
  const bool shared = integerAttribute(context, "past_present_share_buffer") != 0;
  const Dim length = !known(context, 4) ? sequence
                     : shared           ? dimOf(context, 4, 3)
                                        : sum(dimOf(context, 4, 3), sequence);
  setOutput(context, 1, 0, {fixed(2), batch, fixed(heads), length, quotient(hidden, heads)});
}

// Slots of what the two operators over ready queries differ in.
struct MultiHeadSlots {
  size_t past, pastLength;
  bool packed3;  // a 3-D query without keys holds all three
};

void multiHeadOutputs(onnx::InferenceContext& context, const MultiHeadSlots& slots) {
  if (!known(context, 0)) return;
  const int64_t heads = integerAttribute(context, "num_heads");
  const Dim batch = dimOf(context, 0, 0), sequence = dimOf(context, 0, 1);
  Dim size, valueSize, fresh = sequence;
  if (rankOf(context, 0) == 5) {
    size = valueSize = dimOf(context, 0, 4);
  } else if (slots.packed3 && !known(context, 1)) {
    size = valueSize = quotient(dimOf(context, 0, 2), 3 * heads);
  } else {
    size = quotient(dimOf(context, 0, 2), heads);
    const int keyRank = rankOf(context, 1);
    fresh = dimOf(context, 1, keyRank == 4 ? 2 : 1);
    valueSize = keyRank == 5 ? size : keyRank == 4 ? dimOf(context, 2, 3) : quotient(dimOf(context, 2, 2), heads);
  }
  setOutput(context, 0, 0, {batch, sequence, product(valueSize, heads)});
  const bool room = known(context, slots.pastLength);
  const Dim past = dimOf(context, slots.past, 2),
            total = known(context, slots.past) ? (room ? Dim() : sum(past, fresh)) : fresh;
  const Dim length = room && known(context, slots.past) ? past : total;
  setOutput(context, 1, 0, {batch, fixed(heads), length, size});
  setOutput(context, 2, 0, {batch, fixed(heads), length, valueSize});
  setOutput(context, 3, 0, {batch, fixed(heads), sequence, total});
}

void multiHead(onnx::InferenceContext& context) {
  multiHeadOutputs(context, {6, 8, false});
}
void decoderMasked(onnx::InferenceContext& context) {
  multiHeadOutputs(context, {5, 7, true});
}

// A cache is as long as the past, or as total_sequence_length says when that is more.
void groupQuery(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  const int64_t heads = integerAttribute(context, "num_heads"), keyHeads = integerAttribute(context, "kv_num_heads");
  const Dim batch = dimOf(context, 0, 0), sequence = dimOf(context, 0, 1);
  const Dim size = quotient(dimOf(context, 0, 2), known(context, 1) ? heads : heads + 2 * keyHeads);
  setOutput(context, 0, 0, {batch, sequence, product(size, heads)});
  Dim total;
  const onnx::TensorProto* given = context.getInputData(6);
  if (given != nullptr && given->data_type() == onnx::TensorProto::INT32) {
    const std::vector<int> values = onnx::ParseData<int>(given);
    if (values.size() == 1) total = fixed(values[0]);
  }
  const bool past = known(context, 3);
  const Dim held = dimOf(context, 3, 2);
  Dim length = past ? Dim() : total;
  if (past && total.has_dim_value() && held.has_dim_value())
    length = fixed(std::max(total.dim_value(), held.dim_value()));
  setOutput(context, 1, past ? 3 : 0, {batch, fixed(keyHeads), length, past ? dimOf(context, 3, 3) : size});
  setOutput(context, 2, known(context, 4) ? 4 : 0,
            {batch, fixed(keyHeads), length, known(context, 4) ? dimOf(context, 4, 3) : size});
  setOutput(context, 3, 0, {batch, fixed(heads), sequence, total});
}

void sparse(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  const int64_t heads = integerAttribute(context, "num_heads"), keyHeads = integerAttribute(context, "kv_num_heads");
  const Dim size = quotient(dimOf(context, 0, 2), known(context, 1) ? heads : heads + 2 * keyHeads);
  setOutput(context, 0, 0, {dimOf(context, 0, 0), dimOf(context, 0, 1), product(size, heads)});
  copyTypeAndShape(context, 3, 1);
  copyTypeAndShape(context, 4, 2);
}

// The state is [batch, key heads, key size, value size], with a window of such states in front when there is one.
void linear(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  const int64_t queryHeads = integerAttribute(context, "q_num_heads"),
                heads = integerAttribute(context, "kv_num_heads"), window = integerAttribute(context, "state_window");
  const Dim batch = dimOf(context, 0, 0), keySize = quotient(dimOf(context, 0, 2), queryHeads),
            valueSize = quotient(dimOf(context, 2, 2), heads);
  setOutput(context, 0, 0, {batch, dimOf(context, 0, 1), product(valueSize, std::max(queryHeads, heads))});
  const size_t stateType = known(context, 3) ? 3 : 0;
  if (window > 0) {
    setOutput(context, 1, stateType, {fixed(window), batch, fixed(heads), keySize, valueSize});
  } else {
    setOutput(context, 1, stateType, {batch, fixed(heads), keySize, valueSize});
  }
}

void causalConvolution(onnx::InferenceContext& context) {
  copyTypeAndShape(context, 0, 0);
  if (known(context, 3)) return copyTypeAndShape(context, 3, 1);
  const bool plain = integerAttribute(context, "state_window") == 0 &&
                     integerAttribute(context, "channels_last") == 0 && rankOf(context, 0) == 3;
  const Dim kernel = dimOf(context, 1, 2);
  if (plain && kernel.has_dim_value()) {
    const Dim before = fixed(sumOf({kernel.dim_value(), -1}));
    setOutput(context, 1, 0,
              {dimOf(context, 0, 0), dimOf(context, 0, 1), product(before, integerAttribute(context, "dilation", 1))});
  } else if (context.getNumOutputs() > 1 && known(context, 0)) {
    onnx::propagateElemTypeFromInputToOutput(context, 0, 1);
  }
}

constexpr AttributeKind kInt = AttributeKind::kInt, kFloat = AttributeKind::kFloat, kString = AttributeKind::kString,
                        kInts = AttributeKind::kInts;

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
      {"MultiHeadAttention",
       kMicrosoft,
       "query:T, key?:T, value?:T, bias?:T, key_padding_mask?:I, attention_bias?:T, past_key?:T, past_value?:T, "
       "past_sequence_length?:I, cache_indirection?:I -> output:T, present_key?:T, present_value?:T, qk?:U",
       multiHead,
       {{"num_heads", kInt, true}, {"scale", kFloat}, {"mask_filter_value", kFloat}, {"unidirectional", kInt}}},
      {"DecoderMaskedMultiHeadAttention",
       kMicrosoft,
       "query:T, key?:T, value?:T, mask_index?:I, attention_bias?:T, past_key?:T, past_value?:T, "
       "past_sequence_length?:I, beam_width?:I, cache_indirection?:I, bias?:T -> output:T, present_key?:T, "
       "present_value?:T, qk?:U",
       decoderMasked,
       {{"num_heads", kInt, true},
        {"scale", kFloat},
        {"mask_filter_value", kFloat},
        {"past_present_share_buffer", kInt},
        {"output_qk", kInt}}},
      {"GroupQueryAttention",
       kMicrosoft,
       "query:T, key?:T, value?:T, past_key?:V, past_value?:V, seqlens_k:I, total_sequence_length:I, cos_cache?:T, "
       "sin_cache?:T, position_ids?:J, attention_bias?:T, head_sink?:T, k_scale?:U, v_scale?:U, q_norm_weight?:T, "
       "k_norm_weight?:T -> output:T, present_key?:V, present_value?:V, output_qk?:T",
       groupQuery,
       {{"num_heads", kInt, true},
        {"kv_num_heads", kInt, true},
        {"scale", kFloat},
        {"softcap", kFloat},
        {"local_window_size", kInt},
        {"do_rotary", kInt},
        {"rotary_interleaved", kInt},
        {"smooth_softmax", kInt},
        {"causal", kInt},
        {"qk_output", kInt},
        {"k_quant_type", kString},
        {"v_quant_type", kString},
        {"kv_cache_bit_width", kInt},
        {"qk_norm_epsilon", kFloat},
        {"sliding_window_cache", kInt}}},
      {"SparseAttention",
       kMicrosoft,
       "query:T, key?:T, value?:T, past_key:T, past_value:T, block_row_indices:I, block_col_indices:I, "
       "total_sequence_length:I, key_total_sequence_lengths:I, cos_cache?:T, sin_cache?:T -> output:T, present_key:T, "
       "present_value:T",
       sparse,
       {{"num_heads", kInt, true},
        {"kv_num_heads", kInt, true},
        {"scale", kFloat},
        {"sparse_block_size", kInt, true},
        {"do_rotary", kInt},
        {"rotary_interleaved", kInt}}},
      {"RotaryEmbedding",
       kMicrosoft,
       "input:T, position_ids:I, cos_cache:T, sin_cache:T -> output:T",
       likeFirst,
       {{"interleaved", kInt},
        {"num_heads", kInt},
        {"rotary_embedding_dim", kInt},
        {"scale", kFloat},
        {"is_packed_batching", kInt}}},
      {"MRotaryEmbedding",
       kMicrosoft,
       "input:T, position_ids:I, cos_cache:T, sin_cache:T -> output:T",
       likeFirst,
       {{"mrope_section", kInts, true},
        {"mrope_layout", kInt},
        {"interleaved", kInt},
        {"num_heads", kInt},
        {"rotary_embedding_dim", kInt},
        {"scale", kFloat},
        {"is_packed_batching", kInt}}},
      {"LinearAttention",
       kMicrosoft,
       "query:T, key:T, value:T, past_state?:U, decay?:T, beta?:T -> output:T, present_state:U",
       linear,
       {{"q_num_heads", kInt, true},
        {"kv_num_heads", kInt, true},
        {"update_rule", kString},
        {"scale", kFloat},
        {"chunk_size", kInt},
        {"state_window", kInt}}},
      {"CausalConvWithState",
       kMicrosoft,
       "input:T, weight:T, bias?:T, past_state?:T -> output:T, present_state:T",
       causalConvolution,
       {{"activation", kString}, {"ndim", kInt}, {"dilation", kInt}, {"channels_last", kInt}, {"state_window", kInt}}},
      {"Attention",
       kMicrosoft,
       "input:T, weights:T, bias?:T, mask_index?:I, past?:T, attention_bias?:T, past_sequence_length?:I -> output:T, "
       "present?:T",
       attention,
       {{"num_heads", kInt, true},
        {"unidirectional", kInt},
        {"qkv_hidden_sizes", kInts},
        {"do_rotary", kInt},
        {"rotary_embedding_dim", kInt},
        {"scale", kFloat},
        {"mask_filter_value", kFloat},
        {"past_present_share_buffer", kInt}}},
  };
  return rows;
}

}  // namespace

OwnOperators own_attention() {
  return table();
}

}  // namespace cutaway::own
