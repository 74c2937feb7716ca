#pragma once
// Weights stored in few bits a number, in blocks with a scale (and a zero point) each: MatMulNBits, MatMulBnb4 and
// GatherBlockQuantized of com.microsoft. Which sizes their tensors have, and what is refused.
//
// Source: ONNX Runtime, docs/ContribOperators.md. Errors are INVALID_ARGUMENT, NOT_IMPLEMENTED for forms nobody builds;
// they begin with the operator's name.

#include <array>

#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

struct NbitsSlots {
  enum : size_t { kA, kB, kScales, kZeros, kGroups, kBias };
};

// Y [.., n] = A [.., k] times the transpose of B [n, k], whose rows are cut into blocks of blockSize numbers.
struct NbitsWeights {
  int64_t n = 0, k = 0, blockSize = 0;
  int bits = 4;

  int64_t blocks() const { return (k + blockSize - 1) / blockSize; }
  int64_t zeroBytes() const { return (blocks() * bits + 7) / 8; }  // a row of packed zero points
  float defaultZero() const { return static_cast<float>(1 << (bits - 1)); }
};
Result<NbitsWeights> readNbits(const Node& node);
// B: n * blocks blocks of bytes; scales: a number a block; zero_points (nullptr: none): packed bytes, or a number a
// block.
Result<void> checkNbitsWeights(const NbitsWeights& weights, const Tensor& b, const Tensor& scales, const Tensor* zeros);
// g_idx: the block of each column; bias: n numbers of A's type. nullptr: absent.
Result<void> checkNbitsOperands(const NbitsWeights& weights, ElementType a, const Tensor* groups, const Tensor* bias);

// [n, k] indices of four bits, two a byte, into a table of floats; blocks go on over the ends of rows.
struct TableWeights {
  int64_t n = 0, k = 0, blockSize = 0;
  bool transposed = true;  // Y = A W^T; else Y = A W
  const std::array<float, 16>* table = nullptr;

  int64_t numbers() const { return n * k; }
  int64_t blocks() const { return (numbers() + blockSize - 1) / blockSize; }
  int64_t depth() const { return transposed ? k : n; }    // the last axis of A
  int64_t columns() const { return transposed ? n : k; }  // the last axis of Y
};
Result<TableWeights> readBnb4(const Node& node);
// B: two numbers a byte; absmax: a number a block.
Result<void> checkBnb4Weights(const TableWeights& weights, const Tensor& b, const Tensor& absmax);

// Dims of Y where the last axis of A, `depth` long, becomes `columns`.
Result<Dims> packedProductDims(std::string_view op, std::span<const int64_t> a, int64_t depth, int64_t columns);

struct GatherBlockSettings {
  int64_t bits = 4, blockSize = 128, quantizeAxis = 1, gatherAxis = 0;
};
// Attributes against the types of data (input 0) and zero points (input 3).
Result<GatherBlockSettings> readGatherBlockQuantized(const Graph& graph, const Node& node);

// 8 bits and fewer, with a sign, an exponent and a fraction.
bool isNarrowFloat(ElementType type);

struct GatherBlockLayout {
  static constexpr size_t kMaximumRank = 8;
  size_t rank = 0, quantizeAxis = 0, gatherAxis = 0;
  int bits = 4;
  int64_t blockSize = 0;
  std::array<int64_t, kMaximumRank> dims{};                       // in numbers
  std::array<int64_t, kMaximumRank> scaleStride{}, zeroStride{};  // in numbers; 0 where the scale is shared
  int64_t inner = 1;                                              // numbers behind the gathered axis
  Dims outputDims;
};
// zeros: nullptr where absent. uint8 data holds 8 / bits numbers a byte along the last axis.
Result<GatherBlockLayout> gatherBlockLayout(const GatherBlockSettings& settings, const Tensor& data,
                                            std::span<const int64_t> indices, std::span<const int64_t> scales,
                                            const Dims* zeros);

}  // namespace cutaway::operators
