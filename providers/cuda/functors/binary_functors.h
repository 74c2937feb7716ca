#pragma once
// Two operands of one type: float arithmetic, integers by code, comparisons, bools; and powers, whose exponent may be
// of another type.
//
// Thread rule: as shared.h. Example: TwoElements<FloatPairFunction<element::Add, float>, float, float>{p}(7).

#include "providers/cuda/functors/elementwise_functors.h"
#include "providers/cuda/functors/integer_math.h"

namespace cutaway::cuda {

template <typename Function, typename T>
struct FloatPairFunction {
  CUTAWAY_SHARED static T apply(T a, T b, const ElementParameters<2>&) {
    return store<T>(Function::template apply<Compute<T>>(load(a), load(b)));
  }
};

template <typename T>
struct IntegerPairFunction {
  CUTAWAY_SHARED static T apply(T a, T b, const ElementParameters<2>& p) {
    return element::integerPair<T>(static_cast<element::IntegerPair>(p.code), a, b);
  }
};

template <typename T>
struct CompareFunction {
  CUTAWAY_SHARED static bool apply(T a, T b, const ElementParameters<2>& p) {
    return element::compared(static_cast<element::Comparison>(p.code), load(a), load(b));
  }
};

struct BoolPairFunction {
  CUTAWAY_SHARED static bool apply(uint8_t a, uint8_t b, const ElementParameters<2>& p) {
    return element::boolPair(static_cast<element::BoolPair>(p.code), a, b);
  }
};

// Any element as an int64 (integers) or a double, by the number of its ElementType.
CUTAWAY_SHARED bool isIntegerCode(int32_t type) {
  return (type >= 2 && type <= 7) || type == 12 || type == 13 || type == 9;
}
CUTAWAY_SHARED int64_t integerAt(const void* base, int64_t i, int32_t type) {
  switch (type) {
    case 2:
      return static_cast<const uint8_t*>(base)[i];
    case 3:
      return static_cast<const int8_t*>(base)[i];
    case 4:
      return static_cast<const uint16_t*>(base)[i];
    case 5:
      return static_cast<const int16_t*>(base)[i];
    case 6:
      return static_cast<const int32_t*>(base)[i];
    case 7:
      return static_cast<const int64_t*>(base)[i];
    case 9:
      return static_cast<const uint8_t*>(base)[i] != 0;
    case 12:
      return static_cast<const uint32_t*>(base)[i];
    case 13:
      return static_cast<int64_t>(static_cast<const uint64_t*>(base)[i]);
    default:
      return 0;
  }
}
CUTAWAY_SHARED double floatAt(const void* base, int64_t i, int32_t type) {
  switch (type) {
    case 1:
      return static_cast<double>(static_cast<const float*>(base)[i]);
    case 10:
      return static_cast<double>(load(static_cast<const Half*>(base)[i]));
    case 11:
      return static_cast<const double*>(base)[i];
    case 13:
      return static_cast<double>(static_cast<const uint64_t*>(base)[i]);
    case 16:
      return static_cast<double>(load(static_cast<const Brain*>(base)[i]));
    default:
      return static_cast<double>(integerAt(base, i, type));
  }
}

// Integers to integers by squaring; an integer to a fraction through double, cut to the type's range. p.code: the
// exponent's type; p.low, p.high: the range. width is 1.
template <typename T>
struct MixedPower {
  ElementParameters<2> p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    int64_t at[2];
    operandOffsets(p, i, at);
    static_cast<T*>(p.to)[i] = powered(static_cast<const T*>(p.from[0])[at[0]], at[1]);
  }
  CUTAWAY_SHARED T powered(T base, int64_t at) const {
    if constexpr (element::kIsFloat<Compute<T>>) {
      return store<T>(
          element::Pow::apply<Compute<T>>(load(base), static_cast<Compute<T>>(floatAt(p.from[1], at, p.code))));
    } else {
      if (isIntegerCode(p.code))
        return static_cast<T>(element::integerPower<int64_t>(base, integerAt(p.from[1], at, p.code)));
      const double value = ::pow(static_cast<double>(base), floatAt(p.from[1], at, p.code));
      if (!(value > static_cast<double>(p.low))) return static_cast<T>(p.low);
      return value >= static_cast<double>(p.high) ? static_cast<T>(p.high) : static_cast<T>(value);
    }
  }
};

}  // namespace cutaway::cuda
