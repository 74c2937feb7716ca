#pragma once
// QLinearConv by math::RequantizedConvolution: bytes in, bytes out, for constant weights whose zero point is that of
// signed bytes.
//
// Thread rule: pure functions; weights are packed before the first run. Example:
//   CUTAWAY_CHECK(packRequantized(weights, groups, dilations, zeros));
//   if (weights.requantized.valid()) return requantizeBytes(context, weights, geometry, operands, epilogue, y);

#include "providers/cpu/kernels/quantize/byte_convolution.h"

namespace cutaway::cpu {

// Fills weights.requantized where this machine, the window and the zero points allow it. dilations: empty means 1.
Result<void> packRequantized(ConstantWeights& weights, int64_t groups, std::span<const int64_t> dilations,
                             const ByteZeros& zeros);

// What follows a sum: + bias (int32, one for each map, or nullptr), * scale, rounded, + zero point.
struct ByteEpilogue {
  ByteFormat format;
  const float* scales = nullptr;  // one for each map
  const int32_t* bias = nullptr;
};

// y: of the geometry's order.
Result<void> requantizeBytes(KernelContext& context, const ConstantWeights& weights, const ByteGeometry& geometry,
                             const ByteConvolutionOperands& operands, const ByteEpilogue& epilogue, uint8_t* y);

}  // namespace cutaway::cpu
