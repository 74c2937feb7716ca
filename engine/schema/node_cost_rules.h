#pragma once
// Formulas for operators whose work is not a fixed number of operations an element. A multiply and an add are two
// operations.
//
// Thread rule: pure. Each formula stands above its function in node_cost_products.cpp and node_cost_rules.cpp.
// Example: {.opType = "MatMul", .rule = cost::matMul}

#include "engine/schema/node_cost_input.h"

namespace cutaway::cost {

// Operations per element of what these formulas contain; the table's other weights stand in node_cost_table.cpp.
inline constexpr int kDivide = 4;          // division, square root
inline constexpr int kTranscendental = 8;  // exponential, logarithm, sine, tanh, erf
inline constexpr int kPower = 16;
inline constexpr int kSigmoid = 1 + kTranscendental + kDivide;
inline constexpr int kSoftmax = 4 + kTranscendental;  // largest, subtract, exponential, add up, scale

// node_cost_products.cpp
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

// node_cost_attention.cpp
Count attention(const CostInput& node);
Count projectedAttention(const CostInput& node);
Count quantizedAttention(const CostInput& node);
Count multiHeadAttention(const CostInput& node);
Count decoderAttention(const CostInput& node);
Count groupQueryAttention(const CostInput& node);

// node_cost_rules.cpp
Count pooling(const CostInput& node);
Count variadic(const CostInput& node);
Count skipNormalization(const CostInput& node);
Count localResponse(const CostInput& node);
Count resize(const CostInput& node);
Count gridSample(const CostInput& node);
Count affineGrid(const CostInput& node);
Count topK(const CostInput& node);
Count fourier(const CostInput& node);
Count shortTimeFourier(const CostInput& node);
Count determinant(const CostInput& node);
Count linearModel(const CostInput& node);

}  // namespace cutaway::cost
