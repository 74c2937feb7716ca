#pragma once
// Two-operand arithmetic on single elements, free of undefined behaviour: integers wrap.
//
// Thread rule: pure. Example: AddElement::apply(int8_t{127}, int8_t{1}) == -128.

#include <cmath>
#include <type_traits>

namespace cutaway::cpu {

// Unsigned arithmetic at least as wide as unsigned int, so that promotion cannot bring signed overflow back.
template <typename T>
using Wrapping = std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;

struct AddElement {
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
    else
      return a + b;
  }
};

struct SubElement {
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
    else
      return a - b;
  }
};

struct MulElement {
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
    else
      return a * b;
  }
};

// Floats only; integers divide through checkedRun.
struct DivElement {
  template <typename T>
  static T apply(T a, T b) {
    return a / b;
  }
};

struct MaxElement {
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return std::isnan(a) ? a : (std::isnan(b) ? b : (a > b ? a : b));
    else
      return a > b ? a : b;
  }
};

struct MinElement {
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return std::isnan(a) ? a : (std::isnan(b) ? b : (a < b ? a : b));
    else
      return a < b ? a : b;
  }
};

// Towards zero; the smallest value divided by -1 wraps to itself. b is not 0.
struct IntegerDivide {
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_signed_v<T>) {
      if (b == T{-1}) return SubElement::apply(T{0}, a);
    }
    return static_cast<T>(a / b);
  }
};

// Sign of the divisor, as Python and numpy.
struct IntegerFloorMod {
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_signed_v<T>) {
      if (b == T{-1}) return T{0};
      const T rest = static_cast<T>(a % b);
      return rest != 0 && ((rest < 0) != (b < 0)) ? static_cast<T>(rest + b) : rest;
    } else {
      return static_cast<T>(a % b);
    }
  }
};

// Sign of the dividend, as C.
struct IntegerTruncMod {
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::is_signed_v<T>) {
      if (b == T{-1}) return T{0};
    }
    return static_cast<T>(a % b);
  }
};

// Integer operators that a zero on the right has no answer for: stops at the first.
template <typename Op, typename T>
int64_t checkedRun(const void* a, const void* b, void* y, int64_t count, int aStep, int bStep) {
  const T* left = static_cast<const T*>(a);
  const T* right = static_cast<const T*>(b);
  T* target = static_cast<T*>(y);
  for (int64_t i = 0; i < count; ++i) {
    const T divisor = right[i * bStep];
    if (divisor == 0) return i;
    target[i] = Op::apply(left[i * aStep], divisor);
  }
  return -1;
}

}  // namespace cutaway::cpu
