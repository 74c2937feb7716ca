// The tangent, hyperbolic functions and powers of fp32, worked out in double lanes: see trigonometry_vector.h. Compiled
// once per instruction set by Highway.
//
// In double the plain series suffice: they are cut where what is left out is below 1e-9 of the result, a sixtieth of a
// unit of fp32's last place. Reductions are the textbook ones: pi / 2 and ln 2 in two parts (Cody and Waite), log
// through 2 atanh((m - 1) / (m + 1)), asinh, acosh and atanh through log1p.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/elementwise/trigonometry_vector.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/elementwise/trigonometry_vector.h"

#include <cmath>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The file's own: pointwise_vector.cpp has functions of the same names on vectors of floats.
namespace {

using D = hn::ScalableTag<double>;
using F = hn::Rebind<float, D>;
using I = hn::RebindToSigned<D>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

constexpr double kPi = 3.14159265358979323846;

HWY_INLINE V value(double x) {
  return hn::Set(D(), x);
}

template <typename... Coefficients>
HWY_INLINE V series(V x, double last, Coefficients... descending) {
  V sum = value(last);
  ((sum = hn::MulAdd(sum, x, value(descending))), ...);
  return sum;
}

// x within [-700, 700].
HWY_INLINE V expOf(V x) {
  const V multiple = hn::Round(hn::Mul(x, value(1.44269504088896340736)));
  V r = hn::NegMulAdd(multiple, value(6.93147180369123816490e-01), x);
  r = hn::NegMulAdd(multiple, value(1.90821492927058770002e-10), r);
  const V p = series(r, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0);
  const auto power = hn::ShiftLeft<52>(hn::Add(hn::ConvertTo(I(), multiple), hn::Set(I(), 1023)));
  return hn::Mul(p, hn::BitCast(D(), power));
}

// x positive, normal and finite.
HWY_INLINE V logOf(V x) {
  const auto bits = hn::BitCast(I(), x);
  // The exponent is counted from sqrt(1/2), so that the mantissa lies around 1.
  const auto shifted = hn::Sub(bits, hn::Set(I(), 0x3FE6A09E667F3BCDLL));
  const auto exponent = hn::ShiftRight<52>(shifted);
  const V mantissa = hn::BitCast(D(), hn::Sub(bits, hn::ShiftLeft<52>(exponent)));
  const V f = hn::Div(hn::Sub(mantissa, value(1)), hn::Add(mantissa, value(1)));
  const V square = hn::Mul(f, f);
  const V p = series(square, 2.0 / 13, 2.0 / 11, 2.0 / 9, 2.0 / 7, 2.0 / 5, 2.0 / 3, 2.0);
  return hn::MulAdd(hn::ConvertTo(D(), exponent), value(0.693147180559945309417), hn::Mul(p, f));
}

// log(1 + u) for finite u > -1; what 1 + u rounded away is put back.
HWY_INLINE V logOnePlus(V u) {
  const V sum = hn::Add(u, value(1));
  return hn::Add(logOf(sum), hn::Div(hn::Sub(u, hn::Sub(sum, value(1))), sum));
}

struct Turn {
  V sine, cosine;      // of the remainder
  hn::Vec<I> quarter;  // quarter turns taken away
};

// |x| up to kLargestTurn: the multiple times the first part of pi / 2 (33 bits) is exact.
constexpr float kLargestTurn = 1e6f;
HWY_INLINE Turn reduceTurn(V x) {
  const V multiple = hn::Round(hn::Mul(x, value(2 / kPi)));
  V r = hn::NegMulAdd(multiple, value(1.57079632673412561417e+00), x);
  r = hn::NegMulAdd(multiple, value(6.07710050650619224932e-11), r);
  const V square = hn::Mul(r, r);
  const V sine = series(square, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6);
  const V cosine = series(square, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24, -0.5, 1.0);
  return {hn::MulAdd(hn::Mul(r, square), sine, r), cosine, hn::ConvertTo(I(), multiple)};
}

HWY_INLINE M isOdd(hn::Vec<I> quarter) {
  const auto one = hn::Set(I(), 1);
  return hn::RebindMask(D(), hn::Eq(hn::And(quarter, one), one));
}

HWY_INLINE V tanOf(V x) {
  const Turn turn = reduceTurn(x);
  const M odd = isOdd(turn.quarter);
  return hn::Div(hn::IfThenElse(odd, hn::Neg(turn.cosine), turn.sine), hn::IfThenElse(odd, turn.sine, turn.cosine));
}

HWY_INLINE V sinhOf(V x) {
  const V size = hn::Min(hn::Abs(x), value(100));  // from there on fp32 has infinity
  const V square = hn::Mul(size, size);
  const V near = hn::MulAdd(hn::Mul(size, square), series(square, 1.0 / 362880, 1.0 / 5040, 1.0 / 120, 1.0 / 6), size);
  const V grown = expOf(size);
  const V far = hn::Mul(value(0.5), hn::Sub(grown, hn::Div(value(1), grown)));
  return hn::CopySign(hn::IfThenElse(hn::Lt(size, value(0.5)), near, far), x);
}

HWY_INLINE V coshOf(V x) {
  const V grown = expOf(hn::Min(hn::Abs(x), value(100)));
  return hn::Mul(value(0.5), hn::Add(grown, hn::Div(value(1), grown)));
}

HWY_INLINE V asinhOf(V x) {
  const V size = hn::Min(hn::Abs(x), value(1e40));
  const V square = hn::Mul(size, size);
  const V u = hn::Add(size, hn::Div(square, hn::Add(value(1), hn::Sqrt(hn::Add(value(1), square)))));
  return hn::CopySign(hn::IfThenElse(hn::Gt(hn::Abs(x), value(1e39)), hn::Abs(x), logOnePlus(u)), x);
}

HWY_INLINE V acoshOf(V x) {
  const V past = hn::Sub(hn::Min(x, value(1e40)), value(1));
  const V u = hn::Add(past, hn::Sqrt(hn::Mul(past, hn::Add(past, value(2)))));
  const V result = hn::IfThenElse(hn::Gt(x, value(1e39)), x, logOnePlus(u));
  return hn::IfThenElse(hn::Lt(x, value(1)), value(NAN), result);
}

HWY_INLINE V atanhOf(V x) {
  const V size = hn::Abs(x);
  const M inside = hn::Lt(size, value(1));
  const V bounded = hn::IfThenElseZero(inside, size);
  const V result = hn::Mul(value(0.5), logOnePlus(hn::Div(hn::Add(bounded, bounded), hn::Sub(value(1), bounded))));
  const V outside = hn::IfThenElse(hn::Eq(size, value(1)), value(HUGE_VAL), value(NAN));
  return hn::CopySign(hn::IfThenElse(inside, result, outside), x);
}

template <PointwiseOp op>
HWY_INLINE V applyOp(V x) {
  using Op = PointwiseOp;
  if constexpr (op == Op::kTan) return tanOf(x);
  if constexpr (op == Op::kSinh) return sinhOf(x);
  if constexpr (op == Op::kCosh) return coshOf(x);
  if constexpr (op == Op::kAsinh) return asinhOf(x);
  if constexpr (op == Op::kAcosh) return acoshOf(x);
  if constexpr (op == Op::kAtanh) return atanhOf(x);
}

template <PointwiseOp op>
constexpr bool kTurns = op == PointwiseOp::kTan;

// One vector's worth: from and to hold a full vector. Angles too large for the reduction, and what is not a finite
// angle, go to the C library.
template <PointwiseOp op>
HWY_INLINE void block(const float* from, float* to) {
  const F f;
  const auto x = hn::LoadU(f, from);
  if constexpr (kTurns<op>) {
    if (!hn::AllTrue(f, hn::Le(hn::Abs(x), hn::Set(f, kLargestTurn)))) {
      scalarFloatLoop(op)(from, to, static_cast<int64_t>(hn::Lanes(f)), {});
      return;
    }
  }
  const V wide = hn::PromoteTo(D(), x);
  const auto y = hn::DemoteTo(f, applyOp<op>(wide));
  hn::StoreU(hn::IfThenElse(hn::IsNaN(x), x, y), f, to);
}

template <PointwiseOp op>
void loop(const float* from, float* to, int64_t count, const PointwiseParameters&) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(F()));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    block<op>(from + i, to + i);
  if (i == count) return;
  HWY_ALIGN float rest[HWY_MAX_BYTES / sizeof(double)] = {};
  for (int64_t k = i; k < count; ++k)
    rest[k - i] = from[k];
  block<op>(rest, rest);
  for (int64_t k = i; k < count; ++k)
    to[k] = rest[k - i];
}

}  // namespace

FloatLoop turnLoopFor(PointwiseOp op) {
  using Op = PointwiseOp;
  switch (op) {
    case Op::kTan:
      return &loop<Op::kTan>;
    case Op::kSinh:
      return &loop<Op::kSinh>;
    case Op::kCosh:
      return &loop<Op::kCosh>;
    case Op::kAsinh:
      return &loop<Op::kAsinh>;
    case Op::kAcosh:
      return &loop<Op::kAcosh>;
    case Op::kAtanh:
      return &loop<Op::kAtanh>;
    default:
      return nullptr;
  }
}

namespace {

// |x|^y with the sign of a negative base to a whole exponent. Zeros and what is not finite go to the C library, vector
// by vector.
HWY_INLINE void powerBlock(const float* base, const float* exponent, float* to) {
  const F f;
  const auto x = hn::LoadU(f, base);
  const auto y = hn::LoadU(f, exponent);
  const auto largest = hn::Set(f, 3.402823466e+38f);
  const auto plain =
      hn::And(hn::And(hn::Gt(hn::Abs(x), hn::Zero(f)), hn::Le(hn::Abs(x), largest)), hn::Le(hn::Abs(y), largest));
  if (!hn::AllTrue(f, plain)) {
    for (size_t i = 0; i < hn::Lanes(f); ++i)
      to[i] = std::pow(base[i], exponent[i]);
    return;
  }
  const V wideX = hn::PromoteTo(D(), x);
  const V wideY = hn::PromoteTo(D(), y);
  const V t = hn::Mul(wideY, logOf(hn::Abs(wideX)));
  V result = expOf(hn::Min(hn::Max(t, value(-200)), value(200)));
  const M negative = hn::Lt(wideX, hn::Zero(D()));
  if (!hn::AllFalse(D(), negative)) {
    const V half = hn::Mul(wideY, value(0.5));
    const M whole = hn::Eq(hn::Round(wideY), wideY);
    const M odd = hn::And(whole, hn::Ne(hn::Round(half), half));
    result = hn::IfThenElse(hn::And(negative, odd), hn::Neg(result), result);
    result = hn::IfThenElse(hn::AndNot(whole, negative), value(NAN), result);
  }
  hn::StoreU(hn::DemoteTo(f, result), f, to);
}

}  // namespace

void powerRun(const float* base, const float* exponent, float* to, int64_t count, int baseStep, int exponentStep) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(F()));
  HWY_ALIGN float left[HWY_MAX_BYTES / sizeof(double)];
  HWY_ALIGN float right[HWY_MAX_BYTES / sizeof(double)];
  std::fill_n(left, lanes, *base);
  std::fill_n(right, lanes, *exponent);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    powerBlock(baseStep == 1 ? base + i : left, exponentStep == 1 ? exponent + i : right, to + i);
  if (i == count) return;
  for (int64_t k = i; k < count; ++k) {
    left[k - i] = base[k * baseStep];
    right[k - i] = exponent[k * exponentStep];
  }
  HWY_ALIGN float result[HWY_MAX_BYTES / sizeof(double)];
  powerBlock(left, right, result);
  for (int64_t k = i; k < count; ++k)
    to[k] = result[k - i];
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {

HWY_EXPORT(turnLoopFor);
HWY_EXPORT(powerRun);

FloatLoop trigonometryLoop(PointwiseOp op) {
  return HWY_DYNAMIC_DISPATCH(turnLoopFor)(op);
}

void vectorPower(const float* base, const float* exponent, float* to, int64_t count, int baseStep, int exponentStep) {
  if (count > 0) HWY_DYNAMIC_DISPATCH(powerRun)(base, exponent, to, count, baseStep, exponentStep);
}

}  // namespace cutaway::cpu
#endif
