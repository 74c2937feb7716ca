#pragma once
// Arithmetic, comparisons and logic of integers and bools, by codes that are chosen when a kernel runs. The text is
// part of every chain's source, like element_math.h, and includes only that. Thread rule: pure.

#include "providers/cuda/functors/element_math.h"

namespace cutaway::cuda::element {

// --- Integers: arithmetic wraps. A zero on the right of a division gives 0: a device has no way to refuse one element.
template <typename T>
struct WrapOf {
  using type = unsigned;
};
template <>
struct WrapOf<int64_t> {
  using type = uint64_t;
};
template <>
struct WrapOf<uint64_t> {
  using type = uint64_t;
};
template <typename T>
using Wrap = typename WrapOf<T>::type;

// Codes of what integer kernels do, chosen when they run: one kernel a type.
enum class IntegerPair : int32_t {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kMax,
  kMin,
  kPow,
  kPRelu,
  kTruncMod,
  kFloorMod,
  kAnd,
  kOr,
  kXor,
  kShiftLeft,
  kShiftRight
};
enum class IntegerOne : int32_t { kIdentity, kAbs, kNeg, kSign, kRelu, kNot, kClip, kErf, kShrink };
enum class Comparison : int32_t { kEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };
enum class BoolPair : int32_t { kAnd, kOr, kXor, kEqual };

template <typename T>
CUTAWAY_SHARED T integerPower(T base, T exponent) {
  if constexpr (kIsSigned<T>) {
    if (exponent < T(0)) return base == T(1) ? T(1) : (base == T(-1) ? (exponent % T(2) == T(0) ? T(1) : T(-1)) : T(0));
  }
  T result = 1;
  for (T factor = base; exponent > T(0); exponent = static_cast<T>(exponent >> 1)) {
    if ((exponent & T(1)) != T(0)) result = static_cast<T>(static_cast<Wrap<T>>(result) * static_cast<Wrap<T>>(factor));
    factor = static_cast<T>(static_cast<Wrap<T>>(factor) * static_cast<Wrap<T>>(factor));
  }
  return result;
}
template <typename T>
CUTAWAY_SHARED T integerQuotient(T a, T b) {
  if (b == T(0)) return T(0);
  if constexpr (kIsSigned<T>) {
    if (b == T(-1)) return static_cast<T>(Wrap<T>(0) - static_cast<Wrap<T>>(a));
  }
  return static_cast<T>(a / b);
}
template <typename T>
CUTAWAY_SHARED T integerRest(T a, T b, bool floor) {
  if (b == T(0)) return T(0);
  if constexpr (kIsSigned<T>) {
    if (b == T(-1)) return T(0);
  }
  const T rest = static_cast<T>(a % b);
  return floor && rest != T(0) && negative(rest) != negative(b) ? static_cast<T>(rest + b) : rest;
}
// A shift that is negative or at least as wide as the type leaves only the sign.
template <typename T>
CUTAWAY_SHARED T shifted(T a, T b, bool left) {
  if (negative(b) || static_cast<uint64_t>(b) >= sizeof(T) * 8) return !left && negative(a) ? static_cast<T>(-1) : T(0);
  return left ? static_cast<T>(static_cast<uint64_t>(a) << b) : static_cast<T>(a >> b);
}

template <typename T>
CUTAWAY_SHARED T integerPair(IntegerPair code, T a, T b) {
  using W = Wrap<T>;
  switch (code) {
    case IntegerPair::kAdd:
      return static_cast<T>(static_cast<W>(a) + static_cast<W>(b));
    case IntegerPair::kSub:
      return static_cast<T>(static_cast<W>(a) - static_cast<W>(b));
    case IntegerPair::kMul:
      return static_cast<T>(static_cast<W>(a) * static_cast<W>(b));
    case IntegerPair::kDiv:
      return integerQuotient(a, b);
    case IntegerPair::kMax:
      return a > b ? a : b;
    case IntegerPair::kMin:
      return a < b ? a : b;
    case IntegerPair::kPow:
      return integerPower(a, b);
    case IntegerPair::kPRelu:
      return negative(a) ? static_cast<T>(static_cast<W>(a) * static_cast<W>(b)) : a;
    case IntegerPair::kTruncMod:
      return integerRest(a, b, false);
    case IntegerPair::kFloorMod:
      return integerRest(a, b, true);
    case IntegerPair::kAnd:
      return static_cast<T>(a & b);
    case IntegerPair::kOr:
      return static_cast<T>(a | b);
    case IntegerPair::kXor:
      return static_cast<T>(a ^ b);
    case IntegerPair::kShiftLeft:
      return shifted(a, b, true);
    case IntegerPair::kShiftRight:
      return shifted(a, b, false);
  }
  return T(0);
}

template <typename T>
CUTAWAY_SHARED bool compared(Comparison code, T a, T b) {
  switch (code) {
    case Comparison::kEqual:
      return a == b;
    case Comparison::kLess:
      return a < b;
    case Comparison::kLessOrEqual:
      return a <= b;
    case Comparison::kGreater:
      return a > b;
    case Comparison::kGreaterOrEqual:
      return a >= b;
  }
  return false;
}

// Bytes are read as numbers: a file's bools may be any byte.
CUTAWAY_SHARED bool boolPair(BoolPair code, uint8_t a, uint8_t b) {
  if (code == BoolPair::kAnd) return a != 0 && b != 0;
  if (code == BoolPair::kOr) return a != 0 || b != 0;
  return ((a != 0) != (b != 0)) == (code == BoolPair::kXor);
}

}  // namespace cutaway::cuda::element
