#pragma once
// Formulas for operators whose work is not a fixed number of operations an element. A multiply and an add are two
// operations.
//
// Each formula stands above its function. Example: {.opType = "MatMul", .flops = {.rule = cost::matMul}}

#include "engine/operators/cost/cost_input.h"

namespace cutaway::operators::cost {

// Operations per element of what these formulas contain; what else a row weighs stands beside it in traits/. Weights:
// 1 for add, multiply, compare, round and logic; composed operators are the sum of their parts.
inline constexpr int kDivide = 4;          // division, square root
inline constexpr int kTranscendental = 8;  // exponential, logarithm, sine, tanh, erf
inline constexpr int kPower = 16;
inline constexpr int kSigmoidFlops = 1 + kTranscendental + kDivide;
inline constexpr int kSoftmaxFlops = 4 + kTranscendental;  // largest, subtract, exponential, add up, scale

using Rule = Count (*)(const CostInput& node);

// Nobody says what the operator costs.
Count unknown(const CostInput& node);

// products.cpp
Count matMul(const CostInput& node);
Count matMulBits(const CostInput& node);
Count fusedMatMul(const CostInput& node);
Count gemm(const CostInput& node);
Count quantizedGemm(const CostInput& node);
Count gemmFastGelu(const CostInput& node);
Count einsum(const CostInput& node);
Count convolution(const CostInput& node);
Count quantizedConvolution(const CostInput& node);
Count integerConvolution(const CostInput& node);
Count transposedConvolution(const CostInput& node);
Count experts(const CostInput& node);
Count recurrent(const CostInput& node);
Count gatedRecurrent(const CostInput& node);
Count longShortTerm(const CostInput& node);

// attention.cpp
Count attention(const CostInput& node);
Count projectedAttention(const CostInput& node);
Count quantizedAttention(const CostInput& node);
Count multiHeadAttention(const CostInput& node);
Count decoderAttention(const CostInput& node);
Count groupQueryAttention(const CostInput& node);
Count fusedAttention(const CostInput& node);

// cost_rules.cpp
Count pooling(const CostInput& node);
Count variadic(const CostInput& node);
Count skipNormalization(const CostInput& node);
Count localResponse(const CostInput& node);
Count resize(const CostInput& node);
Count gridSample(const CostInput& node);
Count roiAlign(const CostInput& node);
Count affineGrid(const CostInput& node);
Count topK(const CostInput& node);
Count fourier(const CostInput& node);
Count shortTimeFourier(const CostInput& node);
Count determinant(const CostInput& node);
Count linearModel(const CostInput& node);
Count lpPooling(const CostInput& node);
Count globalLpPooling(const CostInput& node);
Count distances(const CostInput& node);

// cost_bounds.cpp: the most it may be
Count unbounded(const CostInput& node);
Count roiPoolAtMost(const CostInput& node);
Count ngramsAtMost(const CostInput& node);
Count supportVectorsAtMost(const CostInput& node);
Count treesAtMost(const CostInput& node);

}  // namespace cutaway::operators::cost
