#pragma once
// How numpy's matmul pairs the matrices of two tensors: batch axes broadcast, 1-D operands gain an axis that the result
// loses.
//
// Thread rule: plain values, no heap.
// Example: CUTAWAY_TRY(const MatMulShape shape, matMulShape(a.dims(), b.dims(), {}));

#include <array>
#include <span>

#include "engine/base/result.h"

namespace cutaway {

inline constexpr size_t kMaxMatMulRank = 12;

// Of FusedMatMul: the last two axes swapped, or (batch forms) the first axis moved before the last one.
struct MatMulTransposes {
  bool a = false, b = false, batchA = false, batchB = false;
};

struct MatMulShape {
  int64_t rows = 1, columns = 1, depth = 1;
  size_t batchRank = 0;
  std::array<int64_t, kMaxMatMulRank> batch{}, strideA{}, strideB{};  // strides in elements, 0 where broadcast
  int64_t rowStrideA = 1, rowStrideB = 1;                             // from stored row to stored row
  std::array<int64_t, kMaxMatMulRank> outputDims{};
  size_t outputRank = 0;

  int64_t batchCount() const;
  // Element offsets of pair number `index` of the batch.
  void offsets(int64_t index, int64_t& a, int64_t& b) const;
  std::span<const int64_t> output() const { return {outputDims.data(), outputRank}; }
};

Result<MatMulShape> matMulShape(std::span<const int64_t> a, std::span<const int64_t> b, MatMulTransposes transposes);

}  // namespace cutaway
