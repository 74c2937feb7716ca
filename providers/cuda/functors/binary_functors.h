#pragma once
// Two operands of one type: float arithmetic, integers by code, comparisons, bools; and powers, whose exponent may be
// of another type.
//
// Thread rule: as shared.h. Example: TwoElements<FloatPairFunction<element::Add, float>, float, float>{p}(7).

#include "engine/tensor/element_type.h"
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

// Any element as an int64 (integers and bool) or a double.
CUTAWAY_SHARED bool isReadAsInteger(ElementType type) {
  switch (type) {
    case ElementType::kUint8:
    case ElementType::kInt8:
    case ElementType::kUint16:
    case ElementType::kInt16:
    case ElementType::kInt32:
    case ElementType::kInt64:
    case ElementType::kUint32:
    case ElementType::kUint64:
    case ElementType::kBool:
      return true;
    default:
      return false;
  }
}
CUTAWAY_SHARED int64_t integerAt(const void* base, int64_t i, ElementType type) {
  switch (type) {
    case ElementType::kUint8:
      return static_cast<const uint8_t*>(base)[i];
    case ElementType::kInt8:
      return static_cast<const int8_t*>(base)[i];
    case ElementType::kUint16:
      return static_cast<const uint16_t*>(base)[i];
    case ElementType::kInt16:
      return static_cast<const int16_t*>(base)[i];
    case ElementType::kInt32:
      return static_cast<const int32_t*>(base)[i];
    case ElementType::kInt64:
      return static_cast<const int64_t*>(base)[i];
    case ElementType::kBool:
      return static_cast<const uint8_t*>(base)[i] != 0;
    case ElementType::kUint32:
      return static_cast<const uint32_t*>(base)[i];
    case ElementType::kUint64:
      return static_cast<int64_t>(static_cast<const uint64_t*>(base)[i]);
    default:
      return 0;
  }
}
CUTAWAY_SHARED double floatAt(const void* base, int64_t i, ElementType type) {
  switch (type) {
    case ElementType::kFloat:
      return static_cast<double>(static_cast<const float*>(base)[i]);
    case ElementType::kFloat16:
      return static_cast<double>(load(static_cast<const Half*>(base)[i]));
    case ElementType::kDouble:
      return static_cast<const double*>(base)[i];
    case ElementType::kUint64:
      return static_cast<double>(static_cast<const uint64_t*>(base)[i]);
    case ElementType::kBfloat16:
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
    const auto exponent = static_cast<ElementType>(p.code);
    if constexpr (element::kIsFloat<Compute<T>>) {
      return store<T>(
          element::Pow::apply<Compute<T>>(load(base), static_cast<Compute<T>>(floatAt(p.from[1], at, exponent))));
    } else {
      if (isReadAsInteger(exponent))
        return static_cast<T>(element::integerPower<int64_t>(base, integerAt(p.from[1], at, exponent)));
      const double value = ::pow(static_cast<double>(base), floatAt(p.from[1], at, exponent));
      if (!(value > static_cast<double>(p.low))) return static_cast<T>(p.low);
      return value >= static_cast<double>(p.high) ? static_cast<T>(p.high) : static_cast<T>(value);
    }
  }
};

}  // namespace cutaway::cuda
