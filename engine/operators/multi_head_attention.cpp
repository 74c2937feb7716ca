#include "engine/operators/multi_head_attention.h"

#include <algorithm>

namespace cutaway::operators {
namespace {

bool readPacked(const MultiHeadForm& form, int64_t heads, std::span<const int64_t> dims, MultiHeadOperands& operands) {
  const bool five = dims.size() == 5 && dims[2] == heads && dims[3] == 3;
  const bool three = dims.size() == 3 && form.decoder && dims[2] % (3 * heads) == 0;
  if (!five && !three) return false;
  const int64_t size = five ? dims[4] : dims[2] / (3 * heads), row = 3 * heads * size, head = five ? 3 * size : size,
                part = five ? size : heads * size;
  operands.size = operands.valueSize = size;
  operands.q = {dims[1] * row, head, row};
  operands.k = {dims[1] * row, head, row, part};
  operands.v = {dims[1] * row, head, row, 2 * part};
  return true;
}

// Keys and values that the operands name; false where they do not belong to the query.
bool readKeys(int64_t heads, std::span<const int64_t> query, const Dims& key, const Dims* value,
              MultiHeadOperands& operands) {
  if (query.size() != 3 || query[2] % heads != 0) return false;
  operands.size = query[2] / heads;
  operands.q = headsInside(query, operands.size);
  if (value == nullptr) {
    if (key.size() != 5 || key != Dims{query[0], key[1], heads, 2, operands.size}) return false;
    const int64_t pair = 2 * operands.size;
    operands.fresh = key[1], operands.valueSize = operands.size;
    operands.k = {key[1] * heads * pair, pair, heads * pair};
    operands.v = {key[1] * heads * pair, pair, heads * pair, operands.size};
    return true;
  }
  if (key.size() == 4 && value->size() == 4) {
    if (key != Dims{query[0], heads, key[2], operands.size} || *value != Dims{query[0], heads, key[2], (*value)[3]})
      return false;
    operands.encoder = true;
    operands.fresh = key[2], operands.valueSize = (*value)[3];
    operands.k = headsOutside(key), operands.v = headsOutside(*value);
    return true;
  }
  if (key.size() != 3 || value->size() != 3 || key != Dims{query[0], key[1], query[2]} ||
      *value != Dims{query[0], key[1], (*value)[2]} || (*value)[2] % heads != 0)
    return false;
  operands.fresh = key[1], operands.valueSize = (*value)[2] / heads;
  operands.k = headsInside(key, operands.size), operands.v = headsInside(*value, operands.valueSize);
  return true;
}

}  // namespace

Result<MultiHeadSettings> readMultiHead(const MultiHeadForm& form, const Graph& graph, const Node& node) {
  const MultiHeadSettings settings{.heads = node.attributeOr<int64_t>("num_heads", 0),
                                   .scale = node.attributeOr<float>("scale", 0.0f),
                                   .maskFilter = node.attributeOr<float>("mask_filter_value", -10000.0f),
                                   .causal = node.attributeOr<int64_t>("unidirectional", 0) != 0};
  if (settings.heads <= 0) return fail(ErrorCode::kInvalidArgument, "{}: num_heads is {}", form.name, settings.heads);
  const auto given = [&](size_t slot) { return slot < node.inputs.size() && node.inputs[slot].valid(); };
  const auto typeOf = [&](size_t slot) { return graph.value(node.inputs[slot]).type.element; };
  for (const size_t slot : {size_t{1}, size_t{2}, form.bias, form.scoreBias, form.pastKey, form.pastValue}) {
    if (given(slot) && typeOf(slot) != typeOf(0))
      return fail(ErrorCode::kInvalidArgument, "{}: input {} is not of the query's type", form.name, slot);
  }
  for (const size_t slot : {form.pastLength, form.indirection}) {
    if (given(slot) && typeOf(slot) != ElementType::kInt32)
      return fail(ErrorCode::kInvalidArgument, "{}: input {} is not of int32", form.name, slot);
  }
  return settings;
}

Result<MultiHeadOperands> multiHeadOperands(const MultiHeadForm& form, int64_t heads, std::span<const int64_t> query,
                                            const Dims* key, const Dims* value) {
  MultiHeadOperands operands;
  bool fits = query.size() >= 3;
  if (fits) {
    operands.batch = query[0], operands.queries = operands.fresh = query[1];
    fits = key != nullptr ? readKeys(heads, query, *key, value, operands)
                          : value == nullptr && readPacked(form, heads, query, operands);
  }
  if (fits) return operands;
  return fail(ErrorCode::kInvalidArgument, "{}: query {}, key {} and value {} do not belong together with {} heads",
              form.name, dimsToText(query), key != nullptr ? dimsToText(*key) : "none",
              value != nullptr ? dimsToText(*value) : "none", heads);
}

Result<void> checkMultiHeadBias(const MultiHeadForm& form, int64_t heads, const MultiHeadOperands& operands,
                                std::span<const int64_t> bias) {
  const int64_t wanted = heads * (2 * operands.size + operands.valueSize);
  if (bias.size() == 1 && bias[0] == wanted) return {};
  return fail(ErrorCode::kInvalidArgument, "{}: bias is {} instead of {} long", form.name, dimsToText(bias), wanted);
}

Result<MultiHeadCache> multiHeadCache(const MultiHeadForm& form, int64_t heads, const MultiHeadOperands& operands,
                                      const Tensor* pastKey, const Tensor* pastValue, const Tensor* pastLength) {
  if ((pastKey == nullptr) != (pastValue == nullptr))
    return fail(ErrorCode::kInvalidArgument, "{}: past_key and past_value come together or not at all", form.name);
  if (pastKey == nullptr) return MultiHeadCache{.capacity = operands.fresh};
  const int64_t held = pastKey->rank() == 4 ? pastKey->dims()[2] : -1;
  const int64_t kept = pastLength != nullptr && pastLength->elementCount() == 1 ? pastLength->span<int32_t>()[0] : held;
  const bool fits = pastKey->dims() == Dims{operands.batch, heads, held, operands.size} &&
                    pastValue->dims() == Dims{operands.batch, heads, held, operands.valueSize};
  if (!fits || operands.encoder || kept < 0 || kept > held) {
    return fail(ErrorCode::kInvalidArgument,
                "{}: {} tokens of past_key {} and past_value {} cannot go before {} batches of {} heads of {} and "
                "{} channels",
                form.name, kept, dimsToText(pastKey->dims()), dimsToText(pastValue->dims()), operands.batch, heads,
                operands.size, operands.valueSize);
  }
  const int64_t all = kept + operands.fresh;
  return MultiHeadCache{kept, held, pastLength != nullptr ? std::max(held, all) : all};
}

}  // namespace cutaway::operators
