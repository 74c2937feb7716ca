#pragma once
// Attention of com.microsoft: queries, keys and values are one projection of the input; the past of both lies in one
// tensor [2, batch, heads, tokens, size].
//
// Source: ONNX Runtime, docs/ContribOperators.md. Errors are INVALID_ARGUMENT with the sizes.

#include <vector>

#include "engine/graph/graph.h"
#include "engine/operators/attention_layout.h"

namespace cutaway::operators {

struct ProjectedSlots {
  enum : size_t { kInput, kWeights, kBias, kMask, kPast, kScoreBias, kPastLength };
};

struct ProjectedSettings {
  int64_t heads = 0;
  std::vector<int64_t> hiddenSizes;  // of queries, keys, values; empty: three alike
  float scale = 0.0f;                // 0: defaultAttentionScale
  float maskFilter = -10000.0f;
  bool causal = false, rotary = false;
  int64_t rotarySize = 0;    // channels of a head that turn; 0: all
  bool sharedCache = false;  // past and present are one buffer with room

  float scaleOf(int64_t size) const { return scale != 0.0f ? scale : defaultAttentionScale(size); }
};
Result<ProjectedSettings> readProjectedAttention(const Graph& graph, const Node& node);

struct ProjectedSizes {
  int64_t batch = 0, sequence = 0, depth = 0;
  int64_t hidden = 0, valueHidden = 0;  // of all heads; keys have the queries'
  int64_t size = 0, valueSize = 0;      // of one head

  // The projection: [batch, sequence, queries | keys | values].
  int64_t columns() const { return 2 * hidden + valueHidden; }
};
// input [batch, sequence, depth], weights [depth, columns], bias [columns] (nullptr: none).
Result<ProjectedSizes> projectedSizes(const ProjectedSettings& settings, std::span<const int64_t> input,
                                      std::span<const int64_t> weights, const Dims* bias);

struct ProjectedCache {
  int64_t kept = 0;      // tokens before this step
  int64_t held = 0;      // tokens that the past has room for
  int64_t capacity = 0;  // and the present
};
// past [2, batch, heads, held, size]; pastLength: one int32 in host memory, needed with a shared cache. present:
// whether the node has that output. nullptr: absent.
Result<ProjectedCache> projectedCache(const ProjectedSettings& settings, const ProjectedSizes& sizes,
                                      const Tensor* past, const Tensor* pastLength, bool present);

}  // namespace cutaway::operators
