#pragma once
// Activations that a convolution or matrix product can apply to its result before it is stored.
//
// Thread rule: plain values. Example: Activation{ActivationKind::kClip, 0.0f, 6.0f}(7.0f) == 6.0f.

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cutaway::math {

enum class ActivationKind : uint8_t {
  kNone,
  kRelu,
  kLeakyRelu,
  kClip,
  kSigmoid,
  kTanh,
  kHardSwish,
  kHardSigmoid,
  kElu,
  kSwish
};

struct Activation {
  ActivationKind kind = ActivationKind::kNone;
  float alpha =
      0.0f;  // kLeakyRelu, kElu: slope; kClip: lower bound; kHardSigmoid: factor; kSwish: of x inside of the sigmoid
  float beta = 0.0f;  // kClip: upper bound; kHardSigmoid: summand

  bool operator==(const Activation&) const = default;
  float operator()(float x) const {
    switch (kind) {
      case ActivationKind::kNone:
        return x;
      case ActivationKind::kRelu:
        return x < 0.0f ? 0.0f : x;
      case ActivationKind::kLeakyRelu:
        return x < 0.0f ? alpha * x : x;
      case ActivationKind::kClip:
        return std::min(std::max(x, alpha), beta);
      case ActivationKind::kSigmoid:
        return 1.0f / (1.0f + std::exp(-x));
      case ActivationKind::kTanh:
        return std::tanh(x);
      case ActivationKind::kHardSwish:
        return x * std::clamp(x / 6.0f + 0.5f, 0.0f, 1.0f);
      case ActivationKind::kHardSigmoid:
        return std::clamp(alpha * x + beta, 0.0f, 1.0f);
      case ActivationKind::kElu:
        return x < 0.0f ? alpha * std::expm1(x) : x;
      case ActivationKind::kSwish:
        return x / (1.0f + std::exp(-alpha * x));
    }
    return x;
  }
};

}  // namespace cutaway::math
