#include "engine/operators/attention.h"

namespace cutaway::operators {
namespace {

Result<AttentionOperand> operandOf(std::span<const int64_t> dims, int64_t heads, std::string_view name) {
  if (dims.size() == 4) return AttentionOperand{dims[0], dims[1], dims[2], dims[3], headsOutside(dims)};
  if (heads <= 0 || dims[2] % heads != 0)
    return fail(ErrorCode::kInvalidArgument, "Attention: {} is {}, which {} heads do not divide", name,
                dimsToText(dims), heads);
  return AttentionOperand{dims[0], heads, dims[1], dims[2] / heads, headsInside(dims, dims[2] / heads)};
}

}  // namespace

Result<AttentionSettings> readAttention(const Node& node) {
  using Slots = AttentionSlots;
  AttentionSettings settings{.queryHeads = node.attributeOr<int64_t>("q_num_heads", 0),
                             .keyHeads = node.attributeOr<int64_t>("kv_num_heads", 0),
                             .softcap = node.attributeOr<float>("softcap", 0.0f),
                             .causal = node.attributeOr<int64_t>("is_causal", 0) != 0,
                             .left = node.attributeOr<int64_t>("left_window_size", -1),
                             .right = node.attributeOr<int64_t>("right_window_size", -1),
                             .scoreStage = node.attributeOr<int64_t>("qk_matmul_output_mode", 0),
                             .version = node.opsetVersion};
  if (node.findAttribute("scale") != nullptr) settings.scale = node.attributeOr<float>("scale", 1.0f);
  if (settings.scoreStage < 0 || settings.scoreStage > 3)
    return fail(ErrorCode::kInvalidArgument, "Attention: qk_matmul_output_mode {} is none of 0 to 3",
                settings.scoreStage);
  for (const auto& [name, size] : {std::pair{"left_window_size", settings.left}, {"right_window_size", settings.right}})
    if (size < -1) return fail(ErrorCode::kInvalidArgument, "Attention: {} {} is below -1", name, size);
  const auto given = [&](size_t slot) { return slot < node.inputs.size() && node.inputs[slot].valid(); };
  if (given(Slots::kPastKey) != given(Slots::kPastValue))
    return fail(ErrorCode::kInvalidArgument, "Attention: past_key and past_value come together or not at all");
  if (given(Slots::kPastKey) && given(Slots::kLengths))
    return fail(ErrorCode::kInvalidArgument, "Attention: nonpad_kv_seqlen is for a cache outside, not beside past_key");
  return settings;
}

Dims AttentionOperands::outputDims() const {
  return inside ? Dims{query.batch, query.rows, query.heads * value.size}
                : Dims{query.batch, query.heads, query.rows, value.size};
}

Result<AttentionOperands> attentionOperands(const AttentionSettings& settings, std::span<const int64_t> q,
                                            std::span<const int64_t> k, std::span<const int64_t> v) {
  if ((q.size() != 3 && q.size() != 4) || k.size() != q.size() || v.size() != q.size())
    return fail(ErrorCode::kInvalidArgument, "Attention: Q, K and V are 3-D or 4-D alike, not {}, {} and {}",
                dimsToText(q), dimsToText(k), dimsToText(v));
  if (settings.version >= 25 && q.size() == 4 && (settings.queryHeads != 0 || settings.keyHeads != 0))
    return fail(ErrorCode::kInvalidArgument, "Attention: q_num_heads and kv_num_heads are for 3-D operands");
  AttentionOperands operands{.inside = q.size() == 3};
  CUTAWAY_TRY(operands.query, operandOf(q, settings.queryHeads, "Q"));
  CUTAWAY_TRY(operands.key, operandOf(k, settings.keyHeads, "K"));
  CUTAWAY_TRY(operands.value, operandOf(v, settings.keyHeads, "V"));
  const AttentionOperand &query = operands.query, &key = operands.key, &value = operands.value;
  const bool alike = key.batch == query.batch && value.batch == query.batch && key.rows == value.rows &&
                     key.heads == value.heads && key.size == query.size;
  if (!alike)
    return fail(ErrorCode::kInvalidArgument, "Attention: Q {}, K {} and V {} do not belong together", dimsToText(q),
                dimsToText(k), dimsToText(v));
  if (key.heads <= 0 || query.heads % key.heads != 0)
    return fail(ErrorCode::kInvalidArgument, "Attention: {} heads of keys do not divide {} heads of queries", key.heads,
                query.heads);
  return operands;
}

Result<int64_t> attentionPast(const AttentionOperands& operands, const Tensor* pastKey, const Tensor* pastValue,
                              ElementType keyType, ElementType valueType) {
  if (pastKey == nullptr || pastValue == nullptr) return 0;
  const AttentionOperand &key = operands.key, &value = operands.value;
  const int64_t past = pastKey->rank() == 4 ? pastKey->dims()[2] : -1;
  if (pastKey->dims() == Dims{key.batch, key.heads, past, key.size} &&
      pastValue->dims() == Dims{value.batch, value.heads, past, value.size} && pastKey->type() == keyType &&
      pastValue->type() == valueType)
    return past;
  return fail(ErrorCode::kInvalidArgument,
              "Attention: past_key {} and past_value {} do not continue with {} heads of {} and {} channels in "
              "{} batches",
              dimsToText(pastKey->dims()), dimsToText(pastValue->dims()), key.heads, key.size, value.size, key.batch);
}

Result<void> checkKeyLengths(std::span<const int64_t> dims, int64_t batch) {
  if (dims.size() == 1 && dims[0] == batch) return {};
  return fail(ErrorCode::kInvalidArgument, "Attention: nonpad_kv_seqlen is {} for {} batches", dimsToText(dims), batch);
}

}  // namespace cutaway::operators
