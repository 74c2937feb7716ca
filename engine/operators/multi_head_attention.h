#pragma once
// MultiHeadAttention and DecoderMaskedMultiHeadAttention of com.microsoft: separate or packed operands, caches that
// grow or have room.
//
// Source: ONNX Runtime, docs/ContribOperators.md. Errors are INVALID_ARGUMENT with the operator's name and the sizes.

#include "engine/graph/graph.h"
#include "engine/operators/attention_layout.h"

namespace cutaway::operators {

// Where the inputs lie in each operator.
struct MultiHeadForm {
  std::string_view name;
  size_t bias, mask, scoreBias, pastKey, pastValue, pastLength, indirection;
  bool decoder;  // one step of decoding: query may be [batch, 1, 3 * hidden]
};
inline constexpr MultiHeadForm kMultiHeadForm{"MultiHeadAttention", 3, 4, 5, 6, 7, 8, 9, false};
inline constexpr MultiHeadForm kDecoderMaskedForm{"DecoderMaskedMultiHeadAttention", 10, 3, 4, 5, 6, 7, 9, true};

struct MultiHeadSettings {
  int64_t heads = 0;
  float scale = 0.0f;  // 0: defaultAttentionScale
  float maskFilter = -10000.0f;
  bool causal = false;

  float scaleOf(int64_t size) const { return scale != 0.0f ? scale : defaultAttentionScale(size); }
};
// num_heads is above 0; inputs that belong to the query are of its type.
Result<MultiHeadSettings> readMultiHead(const MultiHeadForm& form, const Graph& graph, const Node& node);

struct MultiHeadOperands {
  int64_t batch = 0, queries = 0, fresh = 0, size = 0, valueSize = 0;  // fresh: keys of this call
  HeadSteps q, k, v;     // k within `key`, v within `value`; where those are absent, within the input before them
  bool encoder = false;  // keys and values are [batch, heads, keys, size]: no bias, no past
};
// query [batch, queries, heads * size], or everything in it: [batch, queries, heads, 3, size] (of the decoder also
// [batch, 1, 3 * hidden]); key like query, [batch, keys, heads, 2, size] with the values, or [batch, heads, keys,
// size]. key, value: nullptr where absent.
Result<MultiHeadOperands> multiHeadOperands(const MultiHeadForm& form, int64_t heads, std::span<const int64_t> query,
                                            const Dims* key, const Dims* value);
// bias: [queries' hidden size | keys' | values'].
Result<void> checkMultiHeadBias(const MultiHeadForm& form, int64_t heads, const MultiHeadOperands& operands,
                                std::span<const int64_t> bias);

struct MultiHeadCache {
  int64_t kept = 0;      // tokens before this step
  int64_t held = 0;      // rows of the past tensors
  int64_t capacity = 0;  // rows of the present ones
};
// pastLength: one int32 in host memory, how many tokens of a past with room are taken; nullptr: all.
Result<MultiHeadCache> multiHeadCache(const MultiHeadForm& form, int64_t heads, const MultiHeadOperands& operands,
                                      const Tensor* pastKey, const Tensor* pastValue, const Tensor* pastLength);

}  // namespace cutaway::operators
