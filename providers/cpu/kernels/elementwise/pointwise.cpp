#include "providers/cpu/kernels/elementwise/pointwise.h"

#include <array>
#include <cmath>
#include <utility>

namespace cutaway::cpu {

namespace {

using Op = PointwiseOp;
constexpr int kOpCount = static_cast<int>(Op::kShrink) + 1;

double sigmoid(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}
double softplus(double x) {
  return std::isnan(x) ? x : std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x)));
}
// NaN stays NaN; a lower bound above the upper one gives the upper, as min(max(x, low), high) does.
double clamp(double x, double low, double high) {
  return std::isnan(x) ? x : std::fmin(std::fmax(x, low), high);
}

// Arithmetic, rounding and the functions of the C library.
template <Op op>
double elementary(double x) {
  if constexpr (op == Op::kAbs) return std::fabs(x);
  if constexpr (op == Op::kNeg) return -x;
  if constexpr (op == Op::kSign) return std::isnan(x) ? x : static_cast<double>((x > 0) - (x < 0));
  if constexpr (op == Op::kFloor) return std::floor(x);
  if constexpr (op == Op::kCeil) return std::ceil(x);
  if constexpr (op == Op::kRound)
    return std::nearbyint(x);  // ties to even: the process keeps the default rounding mode
  if constexpr (op == Op::kReciprocal) return 1 / x;
  if constexpr (op == Op::kSqrt) return std::sqrt(x);
  if constexpr (op == Op::kExp) return std::exp(x);
  if constexpr (op == Op::kLog) return std::log(x);
  if constexpr (op == Op::kErf) return std::erf(x);
  if constexpr (op == Op::kSin) return std::sin(x);
  if constexpr (op == Op::kCos) return std::cos(x);
  if constexpr (op == Op::kTan) return std::tan(x);
  if constexpr (op == Op::kAsin) return std::asin(x);
  if constexpr (op == Op::kAcos) return std::acos(x);
  if constexpr (op == Op::kAtan) return std::atan(x);
  if constexpr (op == Op::kSinh) return std::sinh(x);
  if constexpr (op == Op::kCosh) return std::cosh(x);
  if constexpr (op == Op::kTanh) return std::tanh(x);
  if constexpr (op == Op::kAsinh) return std::asinh(x);
  if constexpr (op == Op::kAcosh) return std::acosh(x);
  if constexpr (op == Op::kAtanh) return std::atanh(x);
  return x;
}

template <Op op>
double activation(double x, double a, double b) {
  if constexpr (op == Op::kRelu) return x < 0 ? 0 : x;
  if constexpr (op == Op::kLeakyRelu) return x < 0 ? a * x : x;
  if constexpr (op == Op::kElu) return x < 0 ? a * std::expm1(x) : x;
  if constexpr (op == Op::kSelu) return b * (x <= 0 ? a * std::expm1(x) : x);
  if constexpr (op == Op::kCelu) return x < 0 ? a * std::expm1(x / a) : x;
  if constexpr (op == Op::kThresholdedRelu) return std::isnan(x) || x > a ? x : 0;
  if constexpr (op == Op::kSigmoid) return sigmoid(x);
  if constexpr (op == Op::kHardSigmoid) return clamp(a * x + b, 0, 1);
  if constexpr (op == Op::kHardSwish) return x * clamp(x / 6 + 0.5, 0, 1);
  if constexpr (op == Op::kSwish) return x * sigmoid(a * x);
  if constexpr (op == Op::kMish) return x * std::tanh(softplus(x));
  if constexpr (op == Op::kSoftplus) return softplus(x);
  if constexpr (op == Op::kSoftsign) return x / (1 + std::fabs(x));
  if constexpr (op == Op::kGelu) return 0.5 * x * (1 + std::erf(x * 0.70710678118654752440));
  if constexpr (op == Op::kGeluTanh)
    return 0.5 * x * (1 + std::tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)));
  if constexpr (op == Op::kClip) return clamp(x, a, b);
  if constexpr (op == Op::kShrink) return x < -a ? x + b : (x > a ? x - b : (std::isnan(x) ? x : 0));
  return elementary<op>(x);
}

template <Op op, typename T>
void scalarLoop(const T* from, T* to, int64_t count, const PointwiseParameters& parameters) {
  const double alpha = parameters.alpha;
  const double beta = parameters.beta;
  for (int64_t i = 0; i < count; ++i)
    to[i] = static_cast<T>(activation<op>(static_cast<double>(from[i]), alpha, beta));
}

struct ScalarLoops {
  double (*one)(double, double, double);
  FloatLoop single;
  DoubleLoop wide;
};

template <int... ops>
constexpr std::array<ScalarLoops, kOpCount> allLoops(std::integer_sequence<int, ops...>) {
  return {ScalarLoops{&activation<static_cast<Op>(ops)>, &scalarLoop<static_cast<Op>(ops), float>,
                      &scalarLoop<static_cast<Op>(ops), double>}...};
}

constexpr std::array<ScalarLoops, kOpCount> kLoops = allLoops(std::make_integer_sequence<int, kOpCount>{});

}  // namespace

double pointwiseReference(PointwiseOp op, double x, const PointwiseParameters& parameters) {
  return kLoops[static_cast<size_t>(op)].one(x, parameters.alpha, parameters.beta);
}

FloatLoop scalarFloatLoop(PointwiseOp op) {
  return kLoops[static_cast<size_t>(op)].single;
}

DoubleLoop scalarDoubleLoop(PointwiseOp op) {
  return kLoops[static_cast<size_t>(op)].wide;
}

FloatLoop floatLoop(PointwiseOp op) {
  const FloatLoop fast = vectorLoop(op);
  return fast != nullptr ? fast : scalarFloatLoop(op);
}

int64_t pointwiseGrain(PointwiseOp op) {
  switch (op) {
    case Op::kAbs:
    case Op::kNeg:
    case Op::kSign:
    case Op::kFloor:
    case Op::kCeil:
    case Op::kRound:
    case Op::kReciprocal:
    case Op::kSqrt:
    case Op::kRelu:
    case Op::kLeakyRelu:
    case Op::kThresholdedRelu:
    case Op::kHardSigmoid:
    case Op::kHardSwish:
    case Op::kSoftsign:
    case Op::kClip:
    case Op::kShrink:
      return 16384;
    default:
      return vectorLoop(op) != nullptr ? 8192 : 2048;
  }
}

}  // namespace cutaway::cpu
