#include "engine/operators/group_query_attention.h"

#include <algorithm>

namespace cutaway::operators {
namespace {

using Slots = GroupQuerySlots;

Result<void> checkSettings(const GroupQueryForm& form, const GroupQuerySettings& settings) {
  if (settings.heads <= 0 || settings.keyHeads <= 0 || settings.heads % settings.keyHeads != 0)
    return fail(ErrorCode::kInvalidArgument, "{}: {} heads of keys do not divide {} heads of queries", form.name,
                settings.keyHeads, settings.heads);
  if (settings.scoreOutput < 0 || settings.scoreOutput > 2)
    return fail(ErrorCode::kInvalidArgument, "{}: qk_output {} is none of 0, 1, 2", form.name, settings.scoreOutput);
  if (settings.window < -1 || settings.window == 0 || (!settings.causal && settings.window != -1))
    return fail(ErrorCode::kInvalidArgument,
                "{}: local_window_size {} is neither -1 nor, when causal, a number of keys", form.name,
                settings.window);
  if (form.sparse() && settings.sparseBlockSize <= 0)
    return fail(ErrorCode::kInvalidArgument, "{}: sparse_block_size is {}", form.name, settings.sparseBlockSize);
  return {};
}

}  // namespace

Result<GroupQuerySettings> readGroupQuery(const GroupQueryForm& form, const Graph& graph, const Node& node) {
  const auto flag = [&](const char* name, int64_t otherwise) {
    return node.attributeOr<int64_t>(name, otherwise) != 0;
  };
  const GroupQuerySettings settings{.heads = node.attributeOr<int64_t>("num_heads", 0),
                                    .keyHeads = node.attributeOr<int64_t>("kv_num_heads", 0),
                                    .window = node.attributeOr<int64_t>("local_window_size", -1),
                                    .sparseBlockSize = node.attributeOr<int64_t>("sparse_block_size", 0),
                                    .scale = node.attributeOr<float>("scale", 0.0f),
                                    .softcap = node.attributeOr<float>("softcap", 0.0f),
                                    .normEpsilon = node.attributeOr<float>("qk_norm_epsilon", 1e-6f),
                                    .rotary = flag("do_rotary", 0),
                                    .interleaved = flag("rotary_interleaved", 0),
                                    .smoothSoftmax = node.attributeOr<int64_t>("smooth_softmax", -1) == 1,
                                    .causal = flag("causal", 1),
                                    .windowedCache = flag("sliding_window_cache", 0),
                                    .scoreOutput = node.attributeOr<int64_t>("qk_output", 0)};
  CUTAWAY_CHECK(checkSettings(form, settings));
  const auto given = [&](size_t slot) { return slot < node.inputs.size() && node.inputs[slot].valid(); };
  if (settings.windowedCache && (settings.window <= 0 || !given(Slots::kPastKey)))
    return fail(ErrorCode::kInvalidArgument, "{}: sliding_window_cache needs local_window_size and a past", form.name);
  if (given(Slots::kPastKey) != given(Slots::kPastValue))
    return fail(ErrorCode::kInvalidArgument, "{}: past_key and past_value come together or not at all", form.name);
  for (const size_t slot : {size_t{Slots::kKey}, size_t{Slots::kValue}, form.cosine, form.sine, form.bias, form.sink,
                            form.queryNorm, form.keyNorm}) {
    if (given(slot) &&
        graph.value(node.inputs[slot]).type.element != graph.value(node.inputs[Slots::kQuery]).type.element)
      return fail(ErrorCode::kInvalidArgument, "{}: input {} is not of the query's type", form.name, slot);
  }
  return settings;
}

Result<GroupQueryOperands> groupQueryOperands(const GroupQueryForm& form, const GroupQuerySettings& settings,
                                              std::span<const int64_t> query, const Dims* key, const Dims* value) {
  if (query.size() != 3)
    return fail(ErrorCode::kInvalidArgument, "{}: query is {}, not 3-D", form.name, dimsToText(query));
  if ((key == nullptr) != (value == nullptr))
    return fail(ErrorCode::kInvalidArgument, "{}: key and value come together or, packed in query, not at all",
                form.name);
  const int64_t hidden = query[2], heads = settings.heads + (key == nullptr ? 2 * settings.keyHeads : 0);
  if (hidden % heads != 0)
    return fail(ErrorCode::kInvalidArgument, "{}: {} heads do not divide the query {}", form.name, heads,
                dimsToText(query));
  GroupQueryOperands operands{.batch = query[0], .sequence = query[1], .size = hidden / heads};
  const auto part = [&](int64_t firstHead) {
    return HeadSteps{operands.sequence * hidden, operands.size, hidden, firstHead * operands.size};
  };
  operands.q = part(0);
  if (key == nullptr) {
    operands.k = part(settings.heads), operands.v = part(settings.heads + settings.keyHeads);
    return operands;
  }
  const Dims wanted{operands.batch, operands.sequence, settings.keyHeads * operands.size};
  if (*key != wanted || *value != wanted)
    return fail(ErrorCode::kInvalidArgument, "{}: key {} and value {} should be {}", form.name, dimsToText(*key),
                dimsToText(*value), dimsToText(wanted));
  operands.k = headsInside(*key, operands.size), operands.v = headsInside(*value, operands.size);
  return operands;
}

Result<GroupQueryLengths> groupQueryLengths(const GroupQueryForm& form, const GroupQuerySettings& settings,
                                            const GroupQueryOperands& operands, std::span<const int64_t> lengths,
                                            const Tensor& total, const Tensor* past) {
  const bool fits =
      elementCount(lengths) == operands.batch && (lengths.size() == 1 || (lengths.size() == 2 && lengths[1] == 1));
  if (!fits || total.elementCount() != 1)
    return fail(ErrorCode::kInvalidArgument, "{}: seqlens_k is {} and total_sequence_length {} for {} batches",
                form.name, dimsToText(lengths), dimsToText(total.dims()), operands.batch);
  GroupQueryLengths found{.total = total.span<int32_t>()[0],
                          .held = past != nullptr && past->rank() == 4 ? past->dims()[2] : 0};
  if (found.total < operands.sequence)
    return fail(ErrorCode::kInvalidArgument, "{}: total_sequence_length {} is below the {} tokens of this step",
                form.name, found.total, operands.sequence);
  if (!settings.windowedCache && found.total > found.held + operands.sequence)
    return fail(ErrorCode::kInvalidArgument,
                "{}: total_sequence_length {} is more than a cache of {} and {} new tokens", form.name, found.total,
                found.held, operands.sequence);
  if (settings.windowedCache && found.held < settings.window)
    return fail(ErrorCode::kInvalidArgument, "{}: a cache of {} rows does not hold a window of {}", form.name,
                found.held, settings.window);
  found.capacity = settings.windowedCache ? found.held : std::max(found.total, found.held);
  found.first = operands.sequence == found.total;
  return found;
}

Result<void> checkGroupQueryPast(const GroupQueryForm& form, const GroupQuerySettings& settings,
                                 const GroupQueryOperands& operands, std::span<const int64_t> past, int64_t held,
                                 int64_t storedSize) {
  if (std::ranges::equal(past, Dims{operands.batch, settings.keyHeads, held, storedSize})) return {};
  return fail(ErrorCode::kInvalidArgument, "{}: a past of {} does not hold {} batches of {} heads of {}", form.name,
              dimsToText(past), operands.batch, settings.keyHeads, storedSize);
}

Result<int64_t> groupQueryAngles(const GroupQueryForm& form, const GroupQueryOperands& operands, const Tensor* cosine,
                                 const Tensor* sine) {
  if (cosine == nullptr || sine == nullptr || cosine->rank() != 2 || cosine->dims() != sine->dims() ||
      cosine->dims()[1] > operands.size / 2 || cosine->dims()[0] < 1)
    return fail(ErrorCode::kInvalidArgument, "{}: do_rotary needs cos_cache and sin_cache of at most {} angles a row",
                form.name, operands.size / 2);
  return cosine->dims()[1];
}

Result<void> checkGroupQueryPositions(const GroupQueryForm& form, const GroupQueryOperands& operands,
                                      std::span<const int64_t> positions) {
  if (std::ranges::equal(positions, Dims{operands.batch, operands.sequence})) return {};
  return fail(ErrorCode::kInvalidArgument, "{}: position_ids is {} for {} batches of {} tokens", form.name,
              dimsToText(positions), operands.batch, operands.sequence);
}

Result<void> checkGroupQuerySink(const GroupQueryForm& form, const GroupQuerySettings& settings,
                                 std::span<const int64_t> sink) {
  if (sink.size() == 1 && sink[0] == settings.heads) return {};
  return fail(ErrorCode::kInvalidArgument, "{}: head_sink is {} for {} heads", form.name, dimsToText(sink),
              settings.heads);
}

}  // namespace cutaway::operators
