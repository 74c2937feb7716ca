// The fp32 loops of pointwise.h, compiled once per instruction set by Highway and chosen at run time.
//
// Polynomials are our own weighted minimax fits (Lawson's iteration on Chebyshev nodes, in double); the relative error
// of each is well below half a unit of the last place, so that what remains is rounding. Argument reductions are the
// textbook ones: exp by multiples of ln 2 in two parts (Cody and Waite), tanh and erf by an odd polynomial near zero
// and exp elsewhere.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/elementwise/pointwise_vector.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "engine/math/exp_vector.h"
#include "providers/cpu/kernels/elementwise/pointwise.h"
#include "providers/cpu/kernels/elementwise/trigonometry_vector.h"

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using math::HWY_NAMESPACE::boundedExp;
using math::HWY_NAMESPACE::boundedExps;
using math::HWY_NAMESPACE::boundedReciprocal;
using math::HWY_NAMESPACE::boundedReciprocals;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
using Parameters = PointwiseParameters;

HWY_INLINE V value(float x) {
  return hn::Set(D(), x);
}
HWY_INLINE V value(double x) {
  return hn::Set(D(), static_cast<float>(x));
}
HWY_INLINE V keepNan(V x, V y) {
  return hn::IfThenElse(hn::IsNaN(x), x, y);
}

template <typename... Coefficients>
HWY_INLINE V polynomial(V x, float last, Coefficients... descending) {
  V sum = value(last);
  ((sum = hn::MulAdd(sum, x, value(descending))), ...);
  return sum;
}

// 2^exponent for exponent in [-126, 127].
HWY_INLINE V powerOfTwo(hn::Vec<hn::RebindToSigned<D>> exponent) {
  const hn::RebindToSigned<D> di;
  return hn::BitCast(D(), hn::ShiftLeft<23>(hn::Add(exponent, hn::Set(di, 127))));
}

struct ReducedExp {
  V minusOne;  // expm1 of the remainder
  V half;      // two factors whose product is the power of two: subnormal results and overflow come out by themselves
  V rest;
};

HWY_INLINE ReducedExp reduceExp(V x) {
  const hn::RebindToSigned<D> di;
  x = hn::Min(hn::Max(x, value(-110.0f)), value(100.0f));
  const V multiple = hn::Round(hn::Mul(x, value(1.44269504f)));
  V r = hn::NegMulAdd(multiple, value(0.693359375f), x);
  r = hn::NegMulAdd(multiple, value(-2.12194440e-4f), r);
  const V p = polynomial(r, 0.000199145776f, 0.00139412993f, 0.00833327237f, 0.0416663512f, 0.166666668f, 0.500000005f);
  const auto whole = hn::ConvertTo(di, multiple);
  const auto first = hn::ShiftRight<1>(whole);
  return {hn::MulAdd(hn::Mul(r, r), p, r), powerOfTwo(first), powerOfTwo(hn::Sub(whole, first))};
}

HWY_INLINE V expOf(V x) {
  const ReducedExp parts = reduceExp(x);
  const V result = hn::Mul(hn::Mul(hn::Add(parts.minusOne, value(1.0f)), parts.half), parts.rest);
  return keepNan(x, result);
}

// exp(x) - 1 for x <= 0, without cancellation near zero.
HWY_INLINE V expMinusOne(V x) {
  const ReducedExp parts = reduceExp(x);
  const V scale = hn::Mul(parts.half, parts.rest);
  return keepNan(x, hn::MulAdd(scale, parts.minusOne, hn::Sub(scale, value(1.0f))));
}

HWY_INLINE V tanhOf(V x) {
  const V size = hn::Abs(x);
  const V bounded = hn::Min(size, value(10.0f));  // from there on the result is 1
  const V square = hn::Mul(x, x);
  const V p =
      polynomial(square, 0.00214754019f, -0.00818267779f, 0.0217029688f, -0.0539472046f, 0.133332098f, -0.333333309f);
  const V near = hn::MulAdd(hn::Mul(square, x), p, x);
  const V far = hn::Sub(value(1.0f), hn::Div(value(2.0f), hn::Add(boundedExp(hn::Add(bounded, bounded)), value(1.0f))));
  return keepNan(x, hn::IfThenElse(hn::Lt(size, value(0.625f)), near, hn::CopySign(far, x)));
}

// Beyond the bounds of boundedExp.
HWY_INLINE V sigmoidOfAny(V x) {
  const V e = expOf(hn::Neg(hn::Abs(x)));
  const V one = value(1.0f);
  return keepNan(x, hn::Div(hn::IfThenElse(hn::Lt(x, hn::Zero(D())), e, one), hn::Add(one, e)));
}

// What a lane comes to does not depend on those beside it.
template <size_t n>
HWY_INLINE void sigmoids(V (&x)[n]) {
  const D d;
  const V limit = value(80.0f);
  V y[n];
  for (size_t i = 0; i < n; ++i)
    y[i] = hn::Neg(x[i]);
  boundedExps(y);
  for (size_t i = 0; i < n; ++i)
    y[i] = hn::Add(y[i], value(1.0f));
  boundedReciprocals(y);
  auto bounded = hn::Le(hn::Abs(x[0]), limit);
  for (size_t i = 1; i < n; ++i)
    bounded = hn::And(bounded, hn::Le(hn::Abs(x[i]), limit));
  if (HWY_UNLIKELY(!hn::AllTrue(d, bounded))) {
    for (size_t i = 0; i < n; ++i)
      y[i] = hn::IfThenElse(hn::Le(hn::Abs(x[i]), limit), y[i], sigmoidOfAny(x[i]));
  }
  for (size_t i = 0; i < n; ++i)
    x[i] = y[i];
}

// x times the normal distribution's share below x. The polynomial is the logarithm of the share beyond |x|, which loses
// no digits near zero, unlike erf's.
template <size_t n>
HWY_INLINE void gelus(V (&x)[n]) {
  const D d;
  const V limit = value(8.0f);  // from there on the share is nothing
  V size[n], beyond[n];
  for (size_t i = 0; i < n; ++i)
    size[i] = hn::Min(hn::Abs(x[i]), limit);
  for (size_t i = 0; i < n; ++i)
    beyond[i] = hn::MulAdd(value(-1.92143803e-06f), size[i], value(2.67698618e-05f));
  for (const float coefficient : {-0.000126532354f, -0.000101109478f, 0.00490434332f, -0.0363937126f, -0.318296587f,
                                  -0.797885687f, -0.693147166f}) {
    for (size_t i = 0; i < n; ++i)
      beyond[i] = hn::MulAdd(beyond[i], size[i], value(coefficient));
  }
  boundedExps(beyond);
  for (size_t i = 0; i < n; ++i)
    beyond[i] = hn::IfThenZeroElse(hn::Ge(size[i], limit), beyond[i]);
  for (size_t i = 0; i < n; ++i)
    x[i] = hn::Mul(x[i], hn::IfThenElse(hn::Lt(x[i], hn::Zero(d)), beyond[i], hn::Sub(value(1.0f), beyond[i])));
}

// x (1 + tanh(y)) / 2 with y = sqrt(2 / pi) (x + 0.044715 x^3), which is x / (1 + exp(-2 y)).
HWY_INLINE V geluTanhOf(V x) {
  const V twice = hn::Mul(hn::Mul(value(-1.59576912f), x), hn::MulAdd(hn::Mul(x, x), value(0.044715f), value(1.0f)));
  const V limit = value(80.0f);
  const V e = boundedExp(hn::Min(hn::Max(twice, hn::Neg(limit)), limit));
  const V share = boundedReciprocal(hn::Add(value(1.0f), e));
  return hn::Mul(x, hn::IfThenZeroElse(hn::Gt(twice, limit), share));
}

HWY_INLINE V erfOf(V x) {
  const V size = hn::Abs(x);
  const V square = hn::Mul(x, x);
  const V p = polynomial(square, 7.85390742e-05f, -0.000801020873f, 0.00518832959f, -0.0268538131f, 0.112835852f,
                         -0.376126258f, 0.128379166f);
  const V near = hn::MulAdd(x, p, x);
  const V bounded = hn::Min(size, value(4.0f));
  const V logarithm = polynomial(bounded, -2.12178621e-05f, 0.000435884068f, -0.00417795919f, 0.0251376137f,
                                 -0.108308259f, -0.633321262f, -1.12952764f, 0.00017733384f);
  const V far = hn::Sub(value(1.0f), boundedExp(logarithm));
  return keepNan(x, hn::IfThenElse(hn::Lt(size, value(1.0f)), near, hn::CopySign(far, x)));
}

HWY_INLINE V logOf(V x) {
  const V zero = hn::Zero(D());
  V result = hn::Log(D(), x);
  result = hn::IfThenElse(hn::Eq(x, zero), value(-HUGE_VALF), result);
  result = hn::IfThenElse(hn::Eq(x, value(HUGE_VALF)), x, result);
  return keepNan(x, hn::IfThenElse(hn::Lt(x, zero), value(NAN), result));
}

// Highway's trigonometry holds for arguments up to some ten thousand; lanes beyond it (and infinities) go through the C
// library.
template <bool cosine>
HWY_INLINE V sineOf(V x) {
  const D d;
  const V result = cosine ? hn::Cos(d, x) : hn::Sin(d, x);
  if (HWY_LIKELY(hn::AllTrue(d, hn::Le(hn::Abs(x), value(30000.0f))))) return result;
  HWY_ALIGN float lanes[HWY_MAX_BYTES / sizeof(float)];
  HWY_ALIGN float results[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(x, d, lanes);
  hn::Store(result, d, results);
  for (size_t i = 0; i < hn::Lanes(d); ++i) {
    if (!(std::fabs(lanes[i]) <= 30000.0f))
      results[i] = static_cast<float>(cosine ? std::cos(static_cast<double>(lanes[i]))
                                             : std::sin(static_cast<double>(lanes[i])));
  }
  return hn::Load(d, results);
}

// The inverse functions have values in [-1, 1] only.
template <bool cosine>
HWY_INLINE V inverseSineOf(V x) {
  const D d;
  const V result = cosine ? hn::Acos(d, x) : hn::Asin(d, x);
  return hn::IfThenElse(hn::Le(hn::Abs(x), value(1.0f)), result, keepNan(x, value(NAN)));
}

HWY_INLINE V softplusOf(V x) {
  return keepNan(x, hn::Add(hn::Max(x, hn::Zero(D())), hn::Log1p(D(), expOf(hn::Neg(hn::Abs(x))))));
}

// tanh(log(1 + e^x)) = n / (n + 2) with n = e^x (e^x + 2).
HWY_INLINE V mishOf(V x) {
  const V e = expOf(hn::Min(x, value(20.0f)));
  const V n = hn::Mul(e, hn::Add(e, value(2.0f)));
  const V factor = hn::Div(n, hn::Add(n, value(2.0f)));
  return keepNan(x, hn::IfThenElse(hn::Gt(x, value(20.0f)), x, hn::Mul(x, factor)));
}

HWY_INLINE V clampOf(V x, V low, V high) {
  return keepNan(x, hn::Min(hn::Max(x, low), high));
}

template <PointwiseOp op>
HWY_INLINE V applyOp(V x, V a, V b) {
  using Op = PointwiseOp;
  const V zero = hn::Zero(D());
  const V one = value(1.0f);
  if constexpr (op == Op::kAbs) return hn::Abs(x);
  if constexpr (op == Op::kNeg) return hn::Neg(x);
  if constexpr (op == Op::kFloor) return hn::Floor(x);
  if constexpr (op == Op::kCeil) return hn::Ceil(x);
  if constexpr (op == Op::kRound) return hn::Round(x);
  if constexpr (op == Op::kReciprocal) return hn::Div(one, x);
  if constexpr (op == Op::kSqrt) return hn::Sqrt(x);
  if constexpr (op == Op::kExp) {
    const auto bounded = hn::Le(hn::Abs(x), value(80.0f));
    const V y = boundedExp(x);
    return HWY_LIKELY(hn::AllTrue(D(), bounded)) ? y : hn::IfThenElse(bounded, y, expOf(x));
  }
  if constexpr (op == Op::kLog) return logOf(x);
  if constexpr (op == Op::kErf) return erfOf(x);
  if constexpr (op == Op::kTanh) return tanhOf(x);
  if constexpr (op == Op::kSin) return sineOf<false>(x);
  if constexpr (op == Op::kCos) return sineOf<true>(x);
  if constexpr (op == Op::kAsin) return inverseSineOf<false>(x);
  if constexpr (op == Op::kAcos) return inverseSineOf<true>(x);
  if constexpr (op == Op::kAtan) return keepNan(x, hn::Atan(D(), x));
  if constexpr (op == Op::kRelu) return hn::IfThenElse(hn::Lt(x, zero), zero, x);
  if constexpr (op == Op::kLeakyRelu) return hn::IfThenElse(hn::Lt(x, zero), hn::Mul(a, x), x);
  if constexpr (op == Op::kElu) return hn::IfThenElse(hn::Lt(x, zero), hn::Mul(a, expMinusOne(x)), x);
  if constexpr (op == Op::kSelu) return hn::Mul(b, hn::IfThenElse(hn::Le(x, zero), hn::Mul(a, expMinusOne(x)), x));
  if constexpr (op == Op::kCelu) return hn::IfThenElse(hn::Lt(x, zero), hn::Mul(a, expMinusOne(hn::Div(x, a))), x);
  if constexpr (op == Op::kThresholdedRelu) return hn::IfThenElse(hn::Le(x, a), zero, x);
  if constexpr (op == Op::kHardSigmoid) return clampOf(hn::MulAdd(a, x, b), zero, one);
  if constexpr (op == Op::kHardSwish)
    return hn::Mul(x, clampOf(hn::MulAdd(x, value(1.0f / 6), value(0.5f)), zero, one));
  if constexpr (op == Op::kMish) return mishOf(x);
  if constexpr (op == Op::kSoftplus) return softplusOf(x);
  if constexpr (op == Op::kSoftsign) return hn::Div(x, hn::Add(one, hn::Abs(x)));
  if constexpr (op == Op::kGeluTanh) return geluTanhOf(x);
  if constexpr (op == Op::kClip) return clampOf(x, a, b);
  return x;
}

// The same of several vectors; those that models wait for do it together.
template <PointwiseOp op, size_t n>
HWY_INLINE void applyTo(V (&x)[n], V a, V b) {
  if constexpr (op == PointwiseOp::kSigmoid) {
    sigmoids(x);
  } else if constexpr (op == PointwiseOp::kSwish) {
    math::HWY_NAMESPACE::gateThemselves(x, a, [](auto& share) { sigmoids(share); });
  } else if constexpr (op == PointwiseOp::kGelu) {
    gelus(x);
  } else {
    for (size_t i = 0; i < n; ++i)
      x[i] = applyOp<op>(x[i], a, b);
  }
}

template <PointwiseOp op, size_t n>
HWY_INLINE void applyAt(const float* from, float* to, V a, V b) {
  const D d;
  V x[n];
  for (size_t i = 0; i < n; ++i)
    x[i] = hn::LoadU(d, from + i * hn::Lanes(d));
  applyTo<op>(x, a, b);
  for (size_t i = 0; i < n; ++i)
    hn::StoreU(x[i], d, to + i * hn::Lanes(d));
}

template <PointwiseOp op>
void loop(const float* from, float* to, int64_t count, const Parameters& parameters) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const V a = value(parameters.alpha);
  const V b = value(parameters.beta);
  constexpr bool together = op == PointwiseOp::kSigmoid || op == PointwiseOp::kSwish || op == PointwiseOp::kGelu;
  int64_t i = 0;
  if constexpr (together) {
    constexpr size_t kTogether = 4;
    for (; i + static_cast<int64_t>(kTogether) * lanes <= count; i += static_cast<int64_t>(kTogether) * lanes)
      applyAt<op, kTogether>(from + i, to + i, a, b);
  }
  for (; i + lanes <= count; i += lanes)
    applyAt<op, 1>(from + i, to + i, a, b);
  if (i == count) return;
  HWY_ALIGN float rest[HWY_MAX_BYTES / sizeof(float)] = {};
  for (int64_t k = i; k < count; ++k)
    rest[k - i] = from[k];
  applyAt<op, 1>(rest, rest, a, b);
  for (int64_t k = i; k < count; ++k)
    to[k] = rest[k - i];
}

FloatLoop loopFor(PointwiseOp op) {
  using Op = PointwiseOp;
  switch (op) {
#define CUTAWAY_VECTOR_LOOP(name) \
  case Op::name:                  \
    return &loop<Op::name>;
    CUTAWAY_VECTOR_LOOP(kAbs)
    CUTAWAY_VECTOR_LOOP(kNeg)
    CUTAWAY_VECTOR_LOOP(kFloor)
    CUTAWAY_VECTOR_LOOP(kCeil)
    CUTAWAY_VECTOR_LOOP(kRound)
    CUTAWAY_VECTOR_LOOP(kReciprocal)
    CUTAWAY_VECTOR_LOOP(kSqrt)
    CUTAWAY_VECTOR_LOOP(kExp)
    CUTAWAY_VECTOR_LOOP(kLog)
    CUTAWAY_VECTOR_LOOP(kErf)
    CUTAWAY_VECTOR_LOOP(kTanh)
    CUTAWAY_VECTOR_LOOP(kSin)
    CUTAWAY_VECTOR_LOOP(kCos)
    CUTAWAY_VECTOR_LOOP(kAsin)
    CUTAWAY_VECTOR_LOOP(kAcos)
    CUTAWAY_VECTOR_LOOP(kAtan)
    CUTAWAY_VECTOR_LOOP(kRelu)
    CUTAWAY_VECTOR_LOOP(kLeakyRelu)
    CUTAWAY_VECTOR_LOOP(kElu)
    CUTAWAY_VECTOR_LOOP(kSelu)
    CUTAWAY_VECTOR_LOOP(kCelu)
    CUTAWAY_VECTOR_LOOP(kThresholdedRelu)
    CUTAWAY_VECTOR_LOOP(kSigmoid)
    CUTAWAY_VECTOR_LOOP(kHardSigmoid)
    CUTAWAY_VECTOR_LOOP(kHardSwish)
    CUTAWAY_VECTOR_LOOP(kSwish)
    CUTAWAY_VECTOR_LOOP(kMish)
    CUTAWAY_VECTOR_LOOP(kSoftplus)
    CUTAWAY_VECTOR_LOOP(kSoftsign)
    CUTAWAY_VECTOR_LOOP(kGelu)
    CUTAWAY_VECTOR_LOOP(kGeluTanh)
    CUTAWAY_VECTOR_LOOP(kClip)
#undef CUTAWAY_VECTOR_LOOP
    default:
      return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {

HWY_EXPORT(loopFor);

FloatLoop vectorLoop(PointwiseOp op) {
  const FloatLoop found = HWY_DYNAMIC_DISPATCH(loopFor)(op);
  return found != nullptr ? found : trigonometryLoop(op);
}

}  // namespace cutaway::cpu
#endif
