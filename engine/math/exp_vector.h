// exp of vectors whose exponents are bounded, and reciprocals, both to about a unit of the last place, compiled for
// each instruction set.
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

// exp(x) of floats in [-87.33, 88], of several vectors at once: one after the other each would wait for itself, step by
// step. Reduction by multiples of ln 2 in two parts (Cody and Waite), and a minimax polynomial of the remainder. Adding
// 1.5 * 2^23 rounds the multiple to a whole number and leaves it, with the exponent's bias, in the low bits.
template <size_t n, class V>
HWY_INLINE void boundedExps(V (&x)[n]) {
  const hn::DFromV<V> d;
  const hn::RebindToSigned<hn::DFromV<V>> di;
  const auto value = [&](float number) HWY_ATTR { return hn::Set(d, number); };
  const V whole = value(12582912.0f + 127.0f);
  V p[n], power[n];
  for (size_t i = 0; i < n; ++i)
    power[i] = hn::MulAdd(x[i], value(1.44269504f), whole);
  for (size_t i = 0; i < n; ++i)
    p[i] = hn::Sub(power[i], whole);
  for (size_t i = 0; i < n; ++i)
    x[i] = hn::NegMulAdd(p[i], value(0.693359375f), x[i]);
  for (size_t i = 0; i < n; ++i)
    x[i] = hn::NegMulAdd(p[i], value(-2.12194440e-4f), x[i]);
  for (size_t i = 0; i < n; ++i)
    p[i] = hn::MulAdd(value(0.000199145776f), x[i], value(0.00139412993f));
  for (const float coefficient : {0.00833327237f, 0.0416663512f, 0.166666668f, 0.500000005f}) {
    for (size_t i = 0; i < n; ++i)
      p[i] = hn::MulAdd(p[i], x[i], value(coefficient));
  }
  for (size_t i = 0; i < n; ++i)
    power[i] = hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(di, power[i])));
  for (size_t i = 0; i < n; ++i)
    x[i] = hn::Mul(hn::Add(hn::MulAdd(hn::Mul(x[i], x[i]), p[i], x[i]), value(1.0f)), power[i]);
}

template <class V>
HWY_INLINE V boundedExp(V x) {
  V one[1] = {x};
  boundedExps(one);
  return one[0];
}

// exp(x) for x <= 0; below -87.33 the result is 0. The order of Max keeps what is not a number.
template <size_t n, class V>
HWY_INLINE void expsOfNegative(V (&x)[n]) {
  const V lowest = hn::Set(hn::DFromV<V>(), -87.33f);
  V power[n];
  for (size_t i = 0; i < n; ++i)
    power[i] = hn::Max(lowest, x[i]);
  boundedExps(power);
  for (size_t i = 0; i < n; ++i)
    x[i] = hn::IfThenZeroElse(hn::Lt(x[i], lowest), power[i]);
}

template <class V>
HWY_INLINE V expOfNegative(V x) {
  V one[1] = {x};
  expsOfNegative(one);
  return one[0];
}

// 1 / x of floats whose reciprocal is a normal number: with AVX-512 the processor's 14 bits and one step of Newton's
// iteration, which take a third of a division's time.
template <size_t n, class V>
HWY_INLINE void boundedReciprocals(V (&x)[n]) {
  const hn::DFromV<V> d;
  const V one = hn::Set(d, 1.0f);
#if HWY_TARGET <= HWY_AVX3
  V rough[n];
  for (size_t i = 0; i < n; ++i)
    rough[i] = hn::ApproximateReciprocal(x[i]);
  for (size_t i = 0; i < n; ++i)
    x[i] = hn::NegMulAdd(x[i], rough[i], one);
  for (size_t i = 0; i < n; ++i)
    x[i] = hn::MulAdd(rough[i], x[i], rough[i]);
#else
  for (size_t i = 0; i < n; ++i)
    x[i] = hn::Div(one, x[i]);
#endif
}

template <class V>
HWY_INLINE V boundedReciprocal(V x) {
  V one[1] = {x};
  boundedReciprocals(one);
  return one[0];
}

// x, of n vectors, becomes x * gate(alpha * x); with sigmoids() of the caller's bounds, Swish. The gate works in place.
template <size_t n, class V, class Gate>
HWY_INLINE void gateThemselves(V (&x)[n], V alpha, Gate gate) {
  V share[n];
  for (size_t i = 0; i < n; ++i)
    share[i] = hn::Mul(alpha, x[i]);
  gate(share);
  for (size_t i = 0; i < n; ++i)
    x[i] = hn::Mul(x[i], share[i]);
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::math
HWY_AFTER_NAMESPACE();

#endif
