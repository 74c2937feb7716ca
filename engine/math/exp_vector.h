// exp of vectors whose exponents are bounded, to about a unit of the last place, compiled for each instruction set.
//
// No #pragma once: a file of loops reads itself again for every set of instructions, and this one with it. Include it
// behind highway.h. Thread rule: pure. Example: const V power = boundedExp(hn::Max(x, hn::Set(d, -87.0f)));

#if defined(CUTAWAY_ENGINE_MATH_EXP_VECTOR_H) == defined(HWY_TARGET_TOGGLE)
#ifdef CUTAWAY_ENGINE_MATH_EXP_VECTOR_H
#undef CUTAWAY_ENGINE_MATH_EXP_VECTOR_H
#else
#define CUTAWAY_ENGINE_MATH_EXP_VECTOR_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cutaway::math {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// exp(x) of floats in [-87.33, 88]: reduction by multiples of ln 2 in two parts (Cody and Waite), and a minimax
// polynomial of the remainder. Adding 1.5 * 2^23 rounds the multiple to a whole number and leaves it, with the
// exponent's bias, in the low bits.
template <class V>
HWY_INLINE V boundedExp(V x) {
  const hn::DFromV<V> d;
  const hn::RebindToSigned<hn::DFromV<V>> di;
  const auto value = [&](float number) HWY_ATTR { return hn::Set(d, number); };
  const V whole = value(12582912.0f + 127.0f);
  const V shifted = hn::MulAdd(x, value(1.44269504f), whole);
  const V multiple = hn::Sub(shifted, whole);
  V r = hn::NegMulAdd(multiple, value(0.693359375f), x);
  r = hn::NegMulAdd(multiple, value(-2.12194440e-4f), r);
  V p = hn::MulAdd(value(0.000199145776f), r, value(0.00139412993f));
  p = hn::MulAdd(p, r, value(0.00833327237f));
  p = hn::MulAdd(p, r, value(0.0416663512f));
  p = hn::MulAdd(p, r, value(0.166666668f));
  p = hn::MulAdd(p, r, value(0.500000005f));
  const V power = hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(di, shifted)));
  return hn::Mul(hn::Add(hn::MulAdd(hn::Mul(r, r), p, r), value(1.0f)), power);
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::math
HWY_AFTER_NAMESPACE();

#endif
