// Activations on vectors of floats, for loops that Highway compiles once per instruction set. No include guard of the
// common kind: foreach_target includes it again for each.
//
// exp by multiples of ln 2 in two parts (Cody and Waite) and our own minimax polynomial; the quotients are exact to
// rounding. NaN stays NaN. Thread rule: pure functions.
// Example: hn::StoreU(activated(hn::LoadU(d, x), activation), d, x);

#if defined(CUTAWAY_ENGINE_MATH_ACTIVATION_VECTOR_H) == defined(HWY_TARGET_TOGGLE)
#ifdef CUTAWAY_ENGINE_MATH_ACTIVATION_VECTOR_H
#undef CUTAWAY_ENGINE_MATH_ACTIVATION_VECTOR_H
#else
#define CUTAWAY_ENGINE_MATH_ACTIVATION_VECTOR_H
#endif

#include <hwy/highway.h>

#include "engine/math/activation.h"

HWY_BEFORE_NAMESPACE();
namespace cutaway::math {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::ScalableTag<float>;
using FloatVector = hn::Vec<FloatTag>;

// exp(x) for x in [-87, 0]: adding 1.5 * 2^23 rounds the multiple of ln 2 to a whole number and leaves it, with the
// exponent's bias, in the low bits.
HWY_INLINE FloatVector expOfNegative(FloatVector x) {
  const FloatTag d;
  const hn::RebindToSigned<FloatTag> di;
  const auto value = [&](float number) { return hn::Set(d, number); };
  const FloatVector whole = value(12582912.0f + 127.0f);
  const FloatVector shifted = hn::MulAdd(x, value(1.44269504f), whole);
  const FloatVector multiple = hn::Sub(shifted, whole);
  FloatVector r = hn::NegMulAdd(multiple, value(0.693359375f), x);
  r = hn::NegMulAdd(multiple, value(-2.12194440e-4f), r);
  FloatVector p = hn::MulAdd(value(0.000199145776f), r, value(0.00139412993f));
  p = hn::MulAdd(p, r, value(0.00833327237f));
  p = hn::MulAdd(p, r, value(0.0416663512f));
  p = hn::MulAdd(p, r, value(0.166666668f));
  p = hn::MulAdd(p, r, value(0.500000005f));
  const FloatVector power = hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(di, shifted)));
  return hn::Mul(hn::Add(hn::MulAdd(hn::Mul(r, r), p, r), value(1.0f)), power);
}

// 1 / (1 + exp(-x)); below -87 it stays at what it is there, 1.6e-38.
HWY_INLINE FloatVector sigmoidOf(FloatVector x) {
  const FloatTag d;
  const FloatVector one = hn::Set(d, 1.0f);
  const FloatVector e = expOfNegative(hn::Max(hn::Neg(hn::Abs(x)), hn::Set(d, -87.0f)));
  const FloatVector result = hn::Div(hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one), hn::Add(one, e));
  return hn::IfThenElse(hn::IsNaN(x), x, result);
}

// Lane by lane, for functions no model has behind its convolutions often enough to matter.
HWY_INLINE FloatVector activatedByLane(FloatVector x, const Activation& activation) {
  const FloatTag d;
  HWY_ALIGN float lanes[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(x, d, lanes);
  for (size_t i = 0; i < hn::Lanes(d); ++i)
    lanes[i] = activation(lanes[i]);
  return hn::Load(d, lanes);
}

HWY_INLINE void activate(FloatVector* values, size_t count, const Activation& activation) {
  const FloatTag d;
  const FloatVector zero = hn::Zero(d), one = hn::Set(d, 1.0f);
  const FloatVector alpha = hn::Set(d, activation.alpha), beta = hn::Set(d, activation.beta);
  const auto each = [&](auto&& function) {
    for (size_t i = 0; i < count; ++i)
      values[i] = function(values[i]);
  };
  const auto keepNan = [](FloatVector x, FloatVector y) { return hn::IfThenElse(hn::IsNaN(x), x, y); };
  switch (activation.kind) {
    case ActivationKind::kNone:
      return;
    case ActivationKind::kRelu:
      return each([&](FloatVector x) { return hn::IfThenElse(hn::Lt(x, zero), zero, x); });
    case ActivationKind::kLeakyRelu:
      return each([&](FloatVector x) { return hn::IfThenElse(hn::Lt(x, zero), hn::Mul(alpha, x), x); });
    case ActivationKind::kClip:
      return each([&](FloatVector x) { return keepNan(x, hn::Min(hn::Max(x, alpha), beta)); });
    case ActivationKind::kSigmoid:
      return each([&](FloatVector x) { return sigmoidOf(x); });
    case ActivationKind::kSwish:
      return each([&](FloatVector x) { return hn::Mul(x, sigmoidOf(hn::Mul(alpha, x))); });
    case ActivationKind::kHardSwish:
      return each([&](FloatVector x) {
        const FloatVector gate = hn::MulAdd(x, hn::Set(d, 1.0f / 6), hn::Set(d, 0.5f));
        return hn::Mul(x, keepNan(x, hn::Min(hn::Max(gate, zero), one)));
      });
    case ActivationKind::kHardSigmoid:
      return each([&](FloatVector x) { return keepNan(x, hn::Min(hn::Max(hn::MulAdd(alpha, x, beta), zero), one)); });
    case ActivationKind::kTanh:
    case ActivationKind::kElu:
      return each([&](FloatVector x) { return activatedByLane(x, activation); });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::math
HWY_AFTER_NAMESPACE();

#endif
