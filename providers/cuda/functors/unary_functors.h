#pragma once
// One operand in, one value out: float functions, the few that integers have, and which floats are NaN or infinite.
//
// Thread rule: as shared.h. Example: OneElement<FloatFunction<element::Relu, Half>, Half, Half>{p}(7).

#include "providers/cuda/functors/elementwise_functors.h"
#include "providers/cuda/functors/integer_math.h"

namespace cutaway::cuda {

template <typename Function, typename T>
struct FloatFunction {
  CUTAWAY_SHARED static T apply(T x, const ElementParameters<1>& p) {
    using C = Compute<T>;
    return store<T>(Function::template apply<C>(load(x), static_cast<C>(p.first), static_cast<C>(p.second)));
  }
};

// Through double, cut to the type's range (Shrink), or its fraction dropped (Erf).
template <typename T>
CUTAWAY_SHARED T integerFromDouble(double value, T lowest, T highest) {
  if (!(value > static_cast<double>(lowest))) return lowest;
  return value >= static_cast<double>(highest) ? highest : static_cast<T>(value);
}

template <typename T>
struct IntegerFunction {
  CUTAWAY_SHARED static T apply(T x, const ElementParameters<1>& p) {
    using W = element::Wrap<T>;
    switch (static_cast<element::IntegerOne>(p.code)) {
      case element::IntegerOne::kIdentity:
        return x;
      case element::IntegerOne::kAbs:
        return element::negative(x) ? static_cast<T>(W(0) - static_cast<W>(x)) : x;
      case element::IntegerOne::kNeg:
        return static_cast<T>(W(0) - static_cast<W>(x));
      case element::IntegerOne::kSign:
        return static_cast<T>(static_cast<int>(x > T(0)) - static_cast<int>(element::negative(x)));
      case element::IntegerOne::kRelu:
        return element::negative(x) ? T(0) : x;
      case element::IntegerOne::kNot:
        return static_cast<T>(~x);
      case element::IntegerOne::kClip:
        return element::clamped(x, static_cast<T>(p.low), static_cast<T>(p.high));
      case element::IntegerOne::kErf:
        return static_cast<T>(::erf(static_cast<double>(x)));
      case element::IntegerOne::kShrink:
        return integerFromDouble(element::Shrink::apply(static_cast<double>(x), p.first, p.second),
                                 static_cast<T>(p.low), static_cast<T>(p.high));
    }
    return x;
  }
};

inline constexpr int32_t kNanFlag = 1, kPositiveInfinityFlag = 2, kNegativeInfinityFlag = 4;

template <typename T>
struct FloatClass {
  CUTAWAY_SHARED static bool apply(T value, const ElementParameters<1>& p) {
    const Compute<T> x = load(value);
    if (x != x) return (p.flags & kNanFlag) != 0;
    const Compute<T> rest = x - x;  // 0, but NaN for an infinity
    return rest != rest && (p.flags & (x > Compute<T>(0) ? kPositiveInfinityFlag : kNegativeInfinityFlag)) != 0;
  }
};

struct BoolNot {
  CUTAWAY_SHARED static bool apply(uint8_t x, const ElementParameters<1>&) { return x == 0; }
};

}  // namespace cutaway::cuda
