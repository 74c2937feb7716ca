#pragma once
// GroupQueryAttention and SparseAttention of com.microsoft: few key heads, packed or separate operands, a cache that
// grows or has room, lengths a batch.
//
// Source: ONNX Runtime, docs/ContribOperators.md. Errors are INVALID_ARGUMENT with the operator's name and the sizes.

#include "engine/graph/graph.h"
#include "engine/operators/attention_layout.h"

namespace cutaway::operators {

struct GroupQuerySlots {
  enum : size_t {
    kQuery,
    kKey,
    kValue,
    kPastKey,
    kPastValue,
    kLengths,
    kTotal,
    kCosine,
    kSine,
    kPositions,
    kBias,
    kSink,
    kKeyScale,
    kValueScale,
    kQueryNorm,
    kKeyNorm
  };
};

// Where the inputs of the two operators lie behind the first five, which they share; kNoSlot: this one has none.
inline constexpr size_t kNoSlot = 64;
struct GroupQueryForm {
  std::string_view name;
  size_t lengths, total, cosine, sine, positions, bias, sink, keyScale, valueScale, queryNorm, keyNorm, blockRows,
      blockColumns;
  bool sparse() const { return blockRows != kNoSlot; }
};
inline constexpr GroupQueryForm kGroupQueryForm{.name = "GroupQueryAttention",
                                                .lengths = GroupQuerySlots::kLengths,
                                                .total = GroupQuerySlots::kTotal,
                                                .cosine = GroupQuerySlots::kCosine,
                                                .sine = GroupQuerySlots::kSine,
                                                .positions = GroupQuerySlots::kPositions,
                                                .bias = GroupQuerySlots::kBias,
                                                .sink = GroupQuerySlots::kSink,
                                                .keyScale = GroupQuerySlots::kKeyScale,
                                                .valueScale = GroupQuerySlots::kValueScale,
                                                .queryNorm = GroupQuerySlots::kQueryNorm,
                                                .keyNorm = GroupQuerySlots::kKeyNorm,
                                                .blockRows = kNoSlot,
                                                .blockColumns = kNoSlot};
inline constexpr GroupQueryForm kSparseForm{.name = "SparseAttention",
                                            .lengths = 8,
                                            .total = 7,
                                            .cosine = 9,
                                            .sine = 10,
                                            .positions = kNoSlot,
                                            .bias = kNoSlot,
                                            .sink = kNoSlot,
                                            .keyScale = kNoSlot,
                                            .valueScale = kNoSlot,
                                            .queryNorm = kNoSlot,
                                            .keyNorm = kNoSlot,
                                            .blockRows = 5,
                                            .blockColumns = 6};

struct GroupQuerySettings {
  int64_t heads = 0, keyHeads = 0;
  int64_t window = -1;          // keys that a query sees, its own among them; -1: all
  int64_t sparseBlockSize = 0;  // of SparseAttention
  float scale = 0.0f;           // 0: defaultAttentionScale
  float softcap = 0.0f;         // 0: none
  float normEpsilon = 1e-6f;    // of normalised queries and keys
  bool rotary = false, interleaved = false, smoothSoftmax = false, causal = true;
  bool windowedCache = false;  // the cache holds no more than its window and some room
  int64_t scoreOutput = 0;     // 0: none, 1: scores before the softmax, 2: after it

  float scaleOf(int64_t size) const { return scale != 0.0f ? scale : defaultAttentionScale(size); }
  // Keys before the query's position that it sees; -1: all.
  int64_t left() const { return causal && window > 0 ? window - 1 : -1; }
};
// Attributes and the types of the inputs that belong to the query; caches may be of a narrower type.
Result<GroupQuerySettings> readGroupQuery(const GroupQueryForm& form, const Graph& graph, const Node& node);

struct GroupQueryOperands {
  int64_t batch = 0, sequence = 0, size = 0;
  HeadSteps q, k, v;  // k and v within key and value, or within query where it holds them all
};
// query [batch, sequence, heads * size] with key and value [batch, sequence, keyHeads * size], or packed
// [batch, sequence, (heads + 2 * keyHeads) * size] with neither (nullptr).
Result<GroupQueryOperands> groupQueryOperands(const GroupQueryForm& form, const GroupQuerySettings& settings,
                                              std::span<const int64_t> query, const Dims* key, const Dims* value);

struct GroupQueryLengths {
  int64_t total = 0;     // the longest batch after this step
  int64_t held = 0;      // rows of the past
  int64_t capacity = 0;  // rows of the present
  bool first = false;    // nothing lies before this step
};
// lengths: dims of seqlens_k, one number a batch. total: one int32 in host memory. past: past_key, nullptr: none. What
// lies in seqlens_k is not looked at.
Result<GroupQueryLengths> groupQueryLengths(const GroupQueryForm& form, const GroupQuerySettings& settings,
                                            const GroupQueryOperands& operands, std::span<const int64_t> lengths,
                                            const Tensor& total, const Tensor* past);
// One of past_key and past_value: [batch, keyHeads, held, storedSize].
Result<void> checkGroupQueryPast(const GroupQueryForm& form, const GroupQuerySettings& settings,
                                 const GroupQueryOperands& operands, std::span<const int64_t> past, int64_t held,
                                 int64_t storedSize);

// Angles a position: the columns of cos_cache and sin_cache [positions, angles], which must be given.
Result<int64_t> groupQueryAngles(const GroupQueryForm& form, const GroupQueryOperands& operands, const Tensor* cosine,
                                 const Tensor* sine);
// position_ids [batch, sequence].
Result<void> checkGroupQueryPositions(const GroupQueryForm& form, const GroupQueryOperands& operands,
                                      std::span<const int64_t> positions);
// head_sink: a number a head.
Result<void> checkGroupQuerySink(const GroupQueryForm& form, const GroupQuerySettings& settings,
                                 std::span<const int64_t> sink);

}  // namespace cutaway::operators
