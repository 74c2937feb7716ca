#pragma once
// What a convolution node asks for, and what that is for given operands: dims, the library's description, the functor's
// parameters.
//
// One rule for Conv, FusedConv, ConvTranspose, their forms with channels last, and the nodes that this provider's own
// rewrites make (domain kCudaDomain: attributes channels_last, weights_last). Thread rule: plain values. Example:
// CUTAWAY_TRY(const ConvolutionRule rule, readConvolutionRule(info));  CUTAWAY_TRY(const ConvolutionShape shape,
// shapeOf(rule, x.dims(), w.dims(), pads));

#include "providers/cuda/functors/convolution_functors.h"
#include "providers/cuda/gpu_kernel.h"
#include "providers/cuda/kernels/convolution/window.h"

namespace cutaway::cuda {

struct ConvolutionRule {
  operators::TransposedWindowAttributes attributes;  // of a forward convolution: .window alone
  int64_t groups = 1;
  bool transposed = false;
  bool channelsLast = false;  // x and y
  bool weightsLast =
      false;  // w is [M, k.., C / groups] (transposed: [C, k.., M / groups]), not the operator's [M, C / groups, k..]
  bool padsAreInput = false;  // com.microsoft's ConvTransposeWithDynamicPads: input 2; the bias is input 3 then
  Epilogue epilogue;          // bias and residual: whether the node has them
  size_t biasSlot() const { return padsAreInput ? 3 : 2; }
  static constexpr size_t kResidualSlot = 3;
};

// NOT_IMPLEMENTED for activations that are not known and more than three spatial axes.
Result<ConvolutionRule> readConvolutionRule(const KernelInfo& info);

struct ConvolutionShape {
  int64_t batch = 0, channels = 0, filters = 0;
  Window window;
  ImageDims output;
};
Result<ConvolutionShape> shapeOf(const ConvolutionRule& rule, std::span<const int64_t> x, std::span<const int64_t> w,
                                 std::span<const int64_t> pads);

ConvolutionDescription describeConvolution(const ConvolutionRule& rule, const ConvolutionShape& shape, ElementType type,
                                           bool tf32);
// Pointers are left open. NOT_IMPLEMENTED for sizes beyond 31 bits.
Result<ConvolutionParameters> convolutionParameters(const ConvolutionRule& rule, const ConvolutionShape& shape);

}  // namespace cutaway::cuda
