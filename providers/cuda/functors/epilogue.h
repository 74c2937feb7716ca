#pragma once
// What follows a product or convolution in the same kernel: y = activation(x), with the numbers of operations.h's
// Epilogue.
//
// Thread rule: pure. Example: const float y = activated(p.activation, x, p.first, p.second);

#include "providers/cuda/functors/number.h"
#include "providers/cuda/functors/shared.h"

namespace cutaway::cuda {

// Values as in Activation (backend/operations.h), which device code cannot include.
enum ActivationCode : int32_t {
  kActivationNone,
  kActivationRelu,
  kActivationClip,
  kActivationLeakyRelu,
  kActivationSigmoid,
  kActivationTanh,
  kActivationHardSigmoid,
  kActivationHardSwish,
  kActivationGeluErf,
  kActivationGeluTanh,
  kActivationSilu,
  kActivationElu,
};

// tanh with the formula of the Gelu paper (Hendrycks and Gimpel, 2016) for kActivationGeluTanh.
template <typename C>
CUTAWAY_SHARED C activated(int32_t activation, C x, float first, float second) {
  const C low = C(first), high = C(second);
  switch (activation) {
    case kActivationRelu:
      return x > C(0) || x != x ? x : C(0);
    case kActivationClip:
      return x < low ? low : x > high ? high : x;
    case kActivationLeakyRelu:
      return x < C(0) ? x * low : x;
    case kActivationSigmoid:
      return C(1) / (C(1) + exp(-x));
    case kActivationTanh:
      return tanh(x);
    case kActivationHardSigmoid: {
      const C y = low * x + high;
      return y < C(0) ? C(0) : y > C(1) ? C(1) : y;
    }
    case kActivationHardSwish: {
      const C y = x / C(6) + C(0.5);
      return x * (y < C(0) ? C(0) : y > C(1) ? C(1) : y);
    }
    case kActivationGeluErf:
      return C(0.5) * x * (C(1) + erf(x * C(0.70710678118654752)));
    case kActivationGeluTanh:
      return C(0.5) * x * (C(1) + tanh(C(0.79788456080286536) * (x + C(0.044715) * x * x * x)));
    case kActivationSilu:
      return x / (C(1) + exp(-x));
    case kActivationElu:
      return x < C(0) ? low * (exp(x) - C(1)) : x;
    default:
      return x;
  }
}

}  // namespace cutaway::cuda
