#pragma once
// Where the numbers of attention lie: rows of heads in their operands, masks and biases over the scores.
//
// All steps are in elements. Sources: Attention of the ONNX operator specification; MultiHeadAttention and Attention of
// ONNX Runtime's contrib operators (forms of mask_index).

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "engine/base/result.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

// The row of (batch, head, row) begins at start + batch * batchStep + head * headStep + row * rowStep; its channels are
// adjacent.
struct HeadSteps {
  int64_t batchStep = 0, headStep = 0, rowStep = 0;
  int64_t start = 0;
};
// Of a dense [batch, head, row, size].
HeadSteps headsOutside(std::span<const int64_t> dims);
// Of a dense [batch, row, heads * size].
HeadSteps headsInside(std::span<const int64_t> dims, int64_t size);

// 1 / sqrt(size), rounded once; 1 for empty heads.
float defaultAttentionScale(int64_t size);

struct ScoreDims {
  int64_t batch = 0, heads = 0, queries = 0, keys = 0;
};

// A tensor over [batch, heads, queries, keys]: steps of 0 where it broadcasts; keys from `columns` on are not in it.
struct ScorePlane {
  std::array<int64_t, 4> step{};
  int64_t columns = 0;
};
// A mask or bias of rank 0 to 4 that broadcasts to the scores from the right. shorter: its last axis may be shorter
// than the keys (and then never broadcasts). INVALID_ARGUMENT with `name` and the sizes.
Result<ScorePlane> scorePlane(const ScoreDims& scores, std::span<const int64_t> dims, std::string_view name,
                              bool shorter = false);
// attention_bias of the contrib operators: the same, and of rank 4.
Result<ScorePlane> scoreBiasPlane(const ScoreDims& scores, std::span<const int64_t> dims, std::string_view name);

// mask_index of the contrib operators, int32: which keys count.
//   [batch]                      keys before ends[batch] count
//   [2 * batch]                  ends, then starts
//   [3 * batch + 2]              ends, then numbers that only packed kernels read
//   [batch, keys], [batch, queries, keys], [batch, 1, longest, longest]     those above 0 count; the square one is
//                                indexed by position: the queries are the last of the keys
struct PaddingMask {
  bool ends = false, starts = false;  // of rank 1; else `step` and `start` tell where a number lies
  std::array<int64_t, 4> step{};
  int64_t start = 0;
};
Result<PaddingMask> paddingMask(const ScoreDims& scores, ElementType type, std::span<const int64_t> dims,
                                std::string_view name);

}  // namespace cutaway::operators
