#pragma once
// QLinearConv by math::RequantizedConvolution: bytes in, bytes out, for constant weights whose zero point is that of
// signed bytes.
//
// Thread rule: pure functions; weights are packed, and terms placed where they are constant, before the first run.
// Example:
//   CUTAWAY_TRY(weights, packRequantized(w, groups, dilations, zeros));
//   if (weights.requantized.valid()) return requantizeBytes(context, weights, geometry, operands, placed, y);

#include "engine/math/requantized_convolution.h"
#include "providers/cpu/kernels/quantize/byte_convolution.h"

namespace cutaway::cpu {

// Weights with `requantized`, where this machine, the window and the zero points allow it; else empty ones. w may be
// prepared; dilations: empty means 1.
Result<ConstantWeights> packRequantized(const Tensor& w, int64_t groups, std::span<const int64_t> dilations,
                                        const ByteZeros& zeros);

// How kernels that do so are shown: by what adds their products.
std::string_view requantizedVariant();

// What follows a sum: + bias (int32, one for each map, or nullptr), * scale, rounded, + zero point.
struct ByteEpilogue {
  ByteFormat format;
  const float* scales = nullptr;  // one for each map
  const int32_t* bias = nullptr;
};

// What the zero point of an input adds to the sums of each map, and the epilogue's bias: one for each map.
void addedToSums(const ConstantWeights& weights, ElementType inputType, int32_t inputZero, const int32_t* bias,
                 int32_t* added);

// Summands and scales of constants, in the order of the weights.
struct PlacedTerms {
  ByteFormat format;
  ElementType inputType = ElementType::kUndefined;  // that the zero point is of
  std::vector<int32_t> added;
  std::vector<float> scales;
  bool mayOverflow = true;  // see math::SumsToBytes
  bool valid() const { return !scales.empty(); }
};
PlacedTerms placedTerms(const math::RequantizedConvolution& convolution, const ConstantWeights& weights,
                        ElementType inputType, int32_t inputZero, const ByteEpilogue& epilogue);

// placed: of the input's type. y: of the geometry's order.
Result<void> requantizeBytes(KernelContext& context, const ConstantWeights& weights, const ByteGeometry& geometry,
                             const ByteConvolutionOperands& operands, const PlacedTerms& placed, uint8_t* y);
Result<void> requantizeBytes(KernelContext& context, const ConstantWeights& weights, const ByteGeometry& geometry,
                             const ByteConvolutionOperands& operands, const ByteEpilogue& epilogue, uint8_t* y);

}  // namespace cutaway::cpu
