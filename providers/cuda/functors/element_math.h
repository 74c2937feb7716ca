#pragma once
// Functions of one to three elements, on the type that arithmetic happens in (float for 16-bit floats). The one
// definition for compiled functors, for chains compiled at run time (whose source holds this very text, see
// providers/cuda/chain), and for their interpreter.
//
// Thread rule: pure. Example: const float y = element::Sigmoid::apply(x, 0.0f, 0.0f);
// Formulas are those of the ONNX operators; the tanh form of Gelu is Hendrycks and Gimpel, 2016. This file includes
// only number.h, and uses nothing that run-time compilation has not.

#include "providers/cuda/functors/number.h"

#ifndef __CUDACC__
#include <math.h>
#endif

namespace cutaway::cuda::element {

template <typename T>
struct IsFloat {
  static constexpr bool value = false;
};
template <>
struct IsFloat<float> {
  static constexpr bool value = true;
};
template <>
struct IsFloat<double> {
  static constexpr bool value = true;
};
template <typename T>
inline constexpr bool kIsFloat = IsFloat<T>::value;
template <typename T>
inline constexpr bool kIsSigned = T(-1) < T(0);

// x < 0, which compilers need not be asked of unsigned numbers.
template <typename T>
CUTAWAY_SHARED bool negative([[maybe_unused]] T x) {
  if constexpr (kIsSigned<T>)
    return x < T(0);
  else
    return false;
}

// Both widths of a C function under one name.
#define CUTAWAY_BOTH(name, function)     \
  CUTAWAY_SHARED float name(float x) {   \
    return ::function##f(x);             \
  }                                      \
  CUTAWAY_SHARED double name(double x) { \
    return ::function(x);                \
  }
CUTAWAY_BOTH(absolute, fabs)
CUTAWAY_BOTH(floorOf, floor)
CUTAWAY_BOTH(ceilOf, ceil)
CUTAWAY_BOTH(nearest, rint)
CUTAWAY_BOTH(squareRoot, sqrt)
CUTAWAY_BOTH(exponential, exp)
CUTAWAY_BOTH(exponentialLess1, expm1)
CUTAWAY_BOTH(logarithm, log)
CUTAWAY_BOTH(logarithm1Plus, log1p)
CUTAWAY_BOTH(errorFunction, erf)
CUTAWAY_BOTH(sine, sin)
CUTAWAY_BOTH(cosine, cos)
CUTAWAY_BOTH(tangent, tan)
CUTAWAY_BOTH(arcSine, asin)
CUTAWAY_BOTH(arcCosine, acos)
CUTAWAY_BOTH(arcTangent, atan)
CUTAWAY_BOTH(hyperbolicSine, sinh)
CUTAWAY_BOTH(hyperbolicCosine, cosh)
CUTAWAY_BOTH(hyperbolicTangent, tanh)
CUTAWAY_BOTH(arcHyperbolicSine, asinh)
CUTAWAY_BOTH(arcHyperbolicCosine, acosh)
CUTAWAY_BOTH(arcHyperbolicTangent, atanh)
#undef CUTAWAY_BOTH
CUTAWAY_SHARED float power(float a, float b) {
  return ::powf(a, b);
}
CUTAWAY_SHARED double power(double a, double b) {
  return ::pow(a, b);
}
CUTAWAY_SHARED float remainderOf(float a, float b) {
  return ::fmodf(a, b);
}
CUTAWAY_SHARED double remainderOf(double a, double b) {
  return ::fmod(a, b);
}
CUTAWAY_SHARED float withSign(float a, float b) {
  return ::copysignf(a, b);
}
CUTAWAY_SHARED double withSign(double a, double b) {
  return ::copysign(a, b);
}

// NaN stays; a lower bound above the upper one gives the upper.
template <typename C>
CUTAWAY_SHARED C clamped(C x, C low, C high) {
  const C raised = x < low ? low : x;
  return raised > high ? high : raised;
}
template <typename C>
CUTAWAY_SHARED C sigmoid(C x) {
  return C(1) / (C(1) + exponential(-x));
}
template <typename C>
CUTAWAY_SHARED C softplus(C x) {
  return (x < C(0) ? C(0) : x) + logarithm1Plus(exponential(-absolute(x)));
}

// One formula a line: clang-format would take x * y for pointers.
// clang-format off

// --- One operand. a, b: the operator's parameters, as PointwiseParameters of the cpu provider has them.
#define CUTAWAY_FUNCTION(name, expression) \
  struct name { \
    template <typename C> \
    CUTAWAY_SHARED static C apply(C x, [[maybe_unused]] C a, [[maybe_unused]] C b) { return expression; } \
  };
CUTAWAY_FUNCTION(Identity, x)
CUTAWAY_FUNCTION(Abs, absolute(x))
CUTAWAY_FUNCTION(Neg, -x)
CUTAWAY_FUNCTION(Sign, x != x ? x : C(x > C(0)) - C(x < C(0)))
CUTAWAY_FUNCTION(Floor, floorOf(x))
CUTAWAY_FUNCTION(Ceil, ceilOf(x))
CUTAWAY_FUNCTION(Round, nearest(x))
CUTAWAY_FUNCTION(Reciprocal, C(1) / x)
CUTAWAY_FUNCTION(Sqrt, squareRoot(x))
CUTAWAY_FUNCTION(Exp, exponential(x))
CUTAWAY_FUNCTION(Log, logarithm(x))
CUTAWAY_FUNCTION(Erf, errorFunction(x))
CUTAWAY_FUNCTION(Sin, sine(x))
CUTAWAY_FUNCTION(Cos, cosine(x))
CUTAWAY_FUNCTION(Tan, tangent(x))
CUTAWAY_FUNCTION(Asin, arcSine(x))
CUTAWAY_FUNCTION(Acos, arcCosine(x))
CUTAWAY_FUNCTION(Atan, arcTangent(x))
CUTAWAY_FUNCTION(Sinh, hyperbolicSine(x))
CUTAWAY_FUNCTION(Cosh, hyperbolicCosine(x))
CUTAWAY_FUNCTION(Tanh, hyperbolicTangent(x))
CUTAWAY_FUNCTION(Asinh, arcHyperbolicSine(x))
CUTAWAY_FUNCTION(Acosh, arcHyperbolicCosine(x))
CUTAWAY_FUNCTION(Atanh, arcHyperbolicTangent(x))
CUTAWAY_FUNCTION(Relu, x < C(0) ? C(0) : x)
CUTAWAY_FUNCTION(LeakyRelu, x < C(0) ? a * x : x)
CUTAWAY_FUNCTION(Elu, x < C(0) ? a * exponentialLess1(x) : x)
CUTAWAY_FUNCTION(Selu, b * (x <= C(0) ? a * exponentialLess1(x) : x))
CUTAWAY_FUNCTION(Celu, x < C(0) ? a * exponentialLess1(x / a) : x)
CUTAWAY_FUNCTION(ThresholdedRelu, x != x || x > a ? x : C(0))
CUTAWAY_FUNCTION(Sigmoid, sigmoid(x))
CUTAWAY_FUNCTION(HardSigmoid, clamped(a * x + b, C(0), C(1)))
CUTAWAY_FUNCTION(HardSwish, x * clamped(x / C(6) + C(0.5), C(0), C(1)))
CUTAWAY_FUNCTION(Swish, x * sigmoid(a * x))
CUTAWAY_FUNCTION(Mish, x * hyperbolicTangent(softplus(x)))
CUTAWAY_FUNCTION(Softplus, softplus(x))
CUTAWAY_FUNCTION(Softsign, x / (C(1) + absolute(x)))
CUTAWAY_FUNCTION(Gelu, C(0.5) * x * (C(1) + errorFunction(x * C(0.70710678118654752440))))
CUTAWAY_FUNCTION(GeluTanh, C(0.5) * x *
                           (C(1) + hyperbolicTangent(C(0.79788456080286535588) * (x + C(0.044715) * x * x * x))))
CUTAWAY_FUNCTION(Clip, clamped(x, a, b))
CUTAWAY_FUNCTION(Shrink, x < -a ? x + b : (x > a ? x - b : (x != x ? x : C(0))))
CUTAWAY_FUNCTION(Affine, a * x + b)
CUTAWAY_FUNCTION(ScaledTanh, a * hyperbolicTangent(b * x))
CUTAWAY_FUNCTION(ScaledSoftplus, a * softplus(b * x))
CUTAWAY_FUNCTION(DivideBy, x / a)
#undef CUTAWAY_FUNCTION

// Every function of one float operand: CUTAWAY_FLOAT_FUNCTIONS(F) expands to F(Abs) F(Neg) ... The order is that of
// chain programs' codes; add at the end.
#define CUTAWAY_FLOAT_MATH(F) \
  F(Identity) F(Abs) F(Neg) F(Sign) F(Floor) F(Ceil) F(Round) F(Reciprocal) F(Sqrt) F(Exp) F(Log) F(Erf) F(Sin) \
  F(Cos) F(Tan) F(Asin) F(Acos) F(Atan) F(Sinh) F(Cosh) F(Tanh) F(Asinh) F(Acosh) F(Atanh)
#define CUTAWAY_FLOAT_ACTIVATIONS(F) \
  F(Relu) F(LeakyRelu) F(Elu) F(Selu) F(Celu) F(ThresholdedRelu) F(Sigmoid) F(HardSigmoid) F(HardSwish) F(Swish) \
  F(Mish) F(Softplus) F(Softsign) F(Gelu) F(GeluTanh) F(Clip) F(Shrink) F(Affine) \
  F(ScaledTanh) F(ScaledSoftplus) F(DivideBy)

// --- Two floats.
#define CUTAWAY_FUNCTION(name, expression) \
  struct name { template <typename C> CUTAWAY_SHARED static C apply(C a, C b) { return expression; } };
CUTAWAY_FUNCTION(Add, a + b)
CUTAWAY_FUNCTION(Sub, a - b)
CUTAWAY_FUNCTION(Mul, a * b)
CUTAWAY_FUNCTION(Div, a / b)
CUTAWAY_FUNCTION(Max, a != a ? a : (b != b ? b : (a > b ? a : b)))
CUTAWAY_FUNCTION(Min, a != a ? a : (b != b ? b : (a < b ? a : b)))
CUTAWAY_FUNCTION(Pow, b == C(2) ? a * a : (b == C(1) ? a : power(a, b)))
CUTAWAY_FUNCTION(PRelu, a < C(0) ? a * b : a)
CUTAWAY_FUNCTION(TruncMod, remainderOf(a, b))
#undef CUTAWAY_FUNCTION
// The sign of the divisor; an infinite b of the other sign gives b; NaN stays.
struct FloorMod {
  template <typename C> CUTAWAY_SHARED static C apply(C a, C b) {
    const C rest = remainderOf(a, b);
    if (rest == C(0)) return withSign(C(0), b);
    return (rest < C(0)) != (b < C(0)) ? rest + b : rest;
  }
};
#define CUTAWAY_FLOAT_PAIRS(F) F(Add) F(Sub) F(Mul) F(Div) F(Max) F(Min) F(Pow) F(PRelu) F(TruncMod) F(FloorMod)

// clang-format on

}  // namespace cutaway::cuda::element
