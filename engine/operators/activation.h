#pragma once
// Elementwise functions as a node has them: their parameters, the form of Gelu, the bounds of Clip, the slope of PRelu.
//
// Sources: the ONNX operator specification; ONNX Runtime, docs/ContribOperators.md.
// Example: const auto [alpha, beta] = functionParameters(node);

#include <array>

#include "engine/base/result.h"
#include "engine/operators/traits/operator_traits.h"

namespace cutaway::operators {

// Parameters a and b of the node's function (OperatorTraits::parameters) as its attributes give them; 0 where the
// function has fewer, and for operators without a row.
std::array<float, 2> functionParameters(const Node& node);

// kGelu or kGeluTanh, as attribute `approximate` of Gelu says. INVALID_ARGUMENT for another word.
Result<ElementFunction> geluFunction(const Node& node);

// Clip's bounds up to version 10, where they are attributes.
struct ClipBounds {
  float low = 0, high = 0;
};
ClipBounds readClipBounds(const Node& node);
// From version 11 on they are inputs 1 and 2: INVALID_ARGUMENT unless one element of the data's type.
Result<void> checkClipBound(const Tensor& bound, size_t slot, ElementType type);

// PRelu before version 7: a slope of C elements belongs to axis 1. Since then it broadcasts to X.
bool slopeIsPerChannel(const Node& node);
// Dims of the slope that broadcast to x's. INVALID_ARGUMENT where none do, or the types differ.
Result<Dims> alignedSlope(const Tensor& x, const Tensor& slope, bool perChannel);

}  // namespace cutaway::operators
