// Operations of the attention operators: projections, scores, softmax and the weighted sum of values.
//
// Q [B, heads, S, D] against keys of length T: scores 2 x B x heads x S x T x D = 2 x T x elements(Q); the weighted sum
// 2 x T x elements(output); scale and softmax for each of B x heads x S x T scores. A causal mask saves nothing here:
// the figure is the dense one.

#include "engine/operators/cost/cost_rules.h"

namespace cutaway::operators::cost {
namespace {

struct AttentionSizes {
  Count query;   // elements
  Count output;  // elements
  Count keys;    // length T, with what is cached
  Count rows;    // B x heads x S
};

Count dense(const AttentionSizes& sizes) {
  return sizes.keys * (2 * sizes.query + 2 * sizes.output + (1 + kSoftmaxFlops) * sizes.rows);
}

Count withPast(const CostInput& node, Count length, size_t past, int axis) {
  return node.hasInput(past) ? length + node.dim(past, axis) : length;
}

// Input [B, S, hidden] through weights [hidden, 3 x hidden], then attention over S rows and what `past` [2, B, heads,
// P, D] holds.
Count projected(const CostInput& node, size_t past) {
  const Count tokens = node.dim(0, 0) * node.dim(0, 1);
  const Count packed = tokens * node.dim(1, 1);                // queries, keys and values
  const Count projection = packed * (2 * node.dim(0, 2) + 1);  // with its bias
  const std::vector<int64_t> hidden = node.integers("qkv_hidden_sizes");
  const Count query = hidden.size() == 3 ? tokens * hidden[0] : packed / 3;
  return projection + dense({.query = query,
                             .output = node.outElements(0),
                             .keys = withPast(node, node.dim(0, 1), past, 3),
                             .rows = tokens * node.integer("num_heads", -1)});
}

// Query [B, S, hidden] (or [B, S, heads, 3, D] with keys and values in it), keys [B, L, hidden], [B, heads, L, D] or
// [B, L, heads, 2, D].
Count overQueries(const CostInput& node, size_t past) {
  const Shape* query = node.shape(0);
  const Shape* key = node.shape(1);
  if (query == nullptr || (node.hasInput(1) && key == nullptr)) return {};
  const Count length = key == nullptr ? node.dim(0, 1) : node.dim(1, key->rank() == 4 ? 2 : 1);
  const Count rows = node.dim(0, 0) * node.dim(0, 1) * node.integer("num_heads", -1);
  const Count elements = query->rank() == 5 || key == nullptr ? node.elements(0) / 3 : node.elements(0);
  return dense(
      {.query = elements, .output = node.outElements(0), .keys = withPast(node, length, past, 2), .rows = rows});
}

}  // namespace

// ai.onnx: Q, K, V of rank 4 [B, heads, length, D] or 3 [B, length, heads x D]; past keys in slot 4.
Count attention(const CostInput& node) {
  const Shape* query = node.shape(0);
  if (query == nullptr) return {};
  const bool split = query->rank() == 4;
  const Count rows = split ? node.dim(0, 0) * node.dim(0, 1) * node.dim(0, 2)
                           : node.dim(0, 0) * node.dim(0, 1) * node.integer("q_num_heads", -1);
  return dense({.query = node.elements(0),
                .output = node.outElements(0),
                .keys = withPast(node, node.dim(1, split ? 2 : 1), 4, 2),
                .rows = rows});
}

Count projectedAttention(const CostInput& node) {
  return projected(node, 4);
}
Count quantizedAttention(const CostInput& node) {
  return projected(node, 8);
}
Count multiHeadAttention(const CostInput& node) {
  return overQueries(node, 6);
}
Count decoderAttention(const CostInput& node) {
  return overQueries(node, 5);
}

// Queries and values have heads of one size, so scores cost what the weighted sum costs. Length: that of the present
// keys where it is known, else past and new ones.
Count groupQueryAttention(const CostInput& node) {
  const Count fresh = node.dim(0, 1);
  const Count keys = node.outDim(1, 2).known() ? node.outDim(1, 2) : withPast(node, fresh, 3, 2);
  return dense({.query = node.outElements(0),
                .output = node.outElements(0),
                .keys = keys,
                .rows = node.dim(0, 0) * fresh * node.integer("num_heads", -1)});
}

// Of domain cutaway: q, k and v of rank 4 (3: without the batch), rows before heads where an attribute says so.
Count fusedAttention(const CostInput& node) {
  const Shape* query = node.shape(0);
  if (query == nullptr) return {};
  const int heads = query->rank() == 4 ? 1 : 0;
  Count rows = node.dim(0, 0) * node.dim(0, 1);
  if (query->rank() == 4) rows = rows * node.dim(0, 2);
  return dense({.query = node.elements(0),
                .output = node.outElements(0),
                .keys = node.dim(1, node.integer("k_rows_first", 0) != 0 ? heads : heads + 1),
                .rows = rows});
}

}  // namespace cutaway::operators::cost
