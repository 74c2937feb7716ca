#pragma once
// What the floating point and the integer convolution share.
//
// Thread rule: pure. Example: CUTAWAY_TRY(const ConvolutionShapes shapes, convolutionShapes(builder, node));

#include "providers/onednn/operators/window.h"
#include "providers/onednn/plan_builder.h"

namespace cutaway::onednn {

struct ConvolutionShapes {
  Window window;
  Dimensions source, weights, result;  // weights: [groups,] out, in, kernel
  int64_t groups = 1;
  bool transposed = false;
  bool bias = false;
  int64_t work = 0;  // multiplications
};
Result<ConvolutionShapes> convolutionShapes(const PlanBuilder& builder, const Node& node);

// On integers, when input and weights are known by them and the library computes on them; false: it is for the floating
// point form.
Result<bool> lowerIntegerConvolution(PlanBuilder& builder, const Node& node, const ConvolutionShapes& shapes);

// ONNX's order of the weights in the library's terms: [groups,] out, in, kernel; ConvTranspose keeps in before out.
Descriptor givenWeights(const ConvolutionShapes& shapes);

// By our own loops, where they are faster and the weights are constant; false: it is for the library.
Result<bool> lowerOwnConvolution(PlanBuilder& builder, const Node& node, const ConvolutionShapes& shapes);

}  // namespace cutaway::onednn
