#pragma once
// Attention of ai.onnx, versions 23 and later: attributes, operands of three or four axes, caches.
//
// Source: the ONNX operator specification, Attention-23 to -25. Errors are INVALID_ARGUMENT with the rule and the
// sizes.

#include <optional>

#include "engine/graph/graph.h"
#include "engine/operators/attention_layout.h"

namespace cutaway::operators {

struct AttentionSlots {
  enum : size_t { kQ, kK, kV, kMask, kPastKey, kPastValue, kLengths };
};

struct AttentionSettings {
  int64_t queryHeads = 0, keyHeads = 0;  // of 3-D operands; 0: not given
  std::optional<float> scale;            // nullopt: defaultAttentionScale
  float softcap = 0.0f;                  // 0: none
  bool causal = false;
  int64_t left = -1, right = -1;  // window around the query's position; -1: all
  int64_t scoreStage = 0;         // of qk_matmul_output: 0 scaled products, 1 capped, 2 masked, 3 probabilities
  int32_t version = 0;

  float scaleOf(int64_t size) const { return scale ? *scale : defaultAttentionScale(size); }
  bool masksMayBeShorter() const { return version >= 24; }
};
Result<AttentionSettings> readAttention(const Node& node);

struct AttentionOperand {
  int64_t batch = 0, heads = 0, rows = 0, size = 0;
  HeadSteps steps;
};
struct AttentionOperands {
  AttentionOperand query, key, value;
  bool inside = false;  // 3-D: heads lie inside the last axis

  // Of Y: [batch, queries, heads * size] or [batch, heads, queries, size].
  Dims outputDims() const;
};
// Types are not looked at.
Result<AttentionOperands> attentionOperands(const AttentionSettings& settings, std::span<const int64_t> q,
                                            std::span<const int64_t> k, std::span<const int64_t> v);

// Tokens of past_key [batch, heads, tokens, size] and past_value, which have the types of K and V; 0 without them. Both
// are given or none (readAttention has checked that).
Result<int64_t> attentionPast(const AttentionOperands& operands, const Tensor* pastKey, const Tensor* pastValue,
                              ElementType key, ElementType value);

// nonpad_kv_seqlen has one length a batch.
Result<void> checkKeyLengths(std::span<const int64_t> dims, int64_t batch);

}  // namespace cutaway::operators
