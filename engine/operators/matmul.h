#pragma once
// MatMul and Gemm in all versions, and their fused forms of com.microsoft: how the matrices of two tensors pair.
//
// As numpy.matmul: batch axes broadcast, 1-D operands gain an axis that the result loses. Sources: the ONNX operator
// specification; ONNX Runtime, docs/ContribOperators.md. Errors are INVALID_ARGUMENT with the sizes.
// Example: CUTAWAY_TRY(const MatMulShape shape, matMulShape(a.dims(), b.dims(), {}));

#include <array>
#include <optional>
#include <span>

#include "engine/base/result.h"
#include "engine/graph/graph.h"

namespace cutaway::operators {

inline constexpr size_t kMaxMatMulRank = 12;

// Of FusedMatMul: the last two axes swapped, or (batch forms) the first axis moved before the last one.
struct MatMulTransposes {
  bool a = false, b = false, batchA = false, batchB = false;
};

struct MatMulShape {
  int64_t rows = 1, columns = 1, depth = 1;
  bool transposeA = false, transposeB = false;  // the matrices are stored the other way round
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

// transA, transB, transBatchA, transBatchB.
MatMulTransposes readTransposes(const Node& node);
Result<MatMulShape> matMulShape(std::span<const int64_t> a, std::span<const int64_t> b, MatMulTransposes transposes);

// Y = alpha * op(A) op(B) + beta * C. Versions 1 and 6 had an attribute `broadcast`; a C of another shape is broadcast
// with or without it, because files that need it carry it and no file means to fail.
struct GemmSettings {
  bool transposeA = false, transposeB = false;
  float alpha = 1.0f, beta = 1.0f;
};
GemmSettings readGemm(const Node& node);
struct GemmShape {
  int64_t rows = 0, columns = 0, depth = 0;
  int64_t rowStrideC = 0, columnStrideC = 0;  // 0 where C is broadcast
};
// c: nullopt where absent.
Result<GemmShape> gemmShape(const GemmSettings& settings, std::span<const int64_t> a, std::span<const int64_t> b,
                            std::optional<std::span<const int64_t>> c);

}  // namespace cutaway::operators
