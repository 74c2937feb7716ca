#pragma once
// The function that an elementwise operator is, apart from its name, its attributes and the type of its elements.
//
// Operators that differ by a parameter's default are one function: Swish and QuickGelu are both kSwish. What the
// parameters a and b are called and what they default to stands in the operator's row (traits/operator_traits.h).
// Example: switch (traits->function) { case ElementFunction::kRelu: return FinishKind::kRelu; ... }

#include <cstdint>

namespace cutaway::operators {

enum class ElementFunction : uint8_t {
  kNone,  // not elementwise, or of no function that more than one kernel knows
  // of one operand
  kAbs,
  kNeg,
  kSign,
  kFloor,
  kCeil,
  kRound,  // halves to even
  kReciprocal,
  kSqrt,
  kExp,
  kLog,
  kErf,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kAsinh,
  kAcosh,
  kAtanh,
  kRelu,
  kLeakyRelu,        // x < 0 ? a x : x
  kThresholdedRelu,  // x > a ? x : 0
  kElu,              // x < 0 ? a (exp(x) - 1) : x
  kCelu,             // max(0, x) + min(0, a (exp(x / a) - 1))
  kSelu,             // b (x > 0 ? x : a (exp(x) - 1))
  kSigmoid,
  kHardSigmoid,  // clip(a x + b, 0, 1)
  kHardSwish,    // x clip(x / 6 + 1/2, 0, 1)
  kSwish,        // x sigmoid(a x)
  kMish,         // x tanh(softplus(x))
  kSoftplus,
  kSoftsign,
  kShrink,          // x < -a ? x + b : x > a ? x - b : 0
  kGelu,            // by erf
  kGeluTanh,        // by the cubic inside tanh
  kScaledTanh,      // a tanh(b x)
  kScaledSoftplus,  // a softplus(b x)
  kClip,
  kCast,
  kNot,
  kIsNaN,
  kIsInf,
  kBitwiseNot,
  // of several, broadcast
  kAdd,
  kSub,
  kMul,
  kDiv,
  kPow,
  kMod,
  kPRelu,
  kMax,
  kMin,
  kMean,
  kSum,
  kWhere,
  kEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kAnd,
  kOr,
  kXor,
};

}  // namespace cutaway::operators
