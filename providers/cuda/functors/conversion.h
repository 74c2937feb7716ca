#pragma once
// One number converted to another type, as the ONNX Cast operator has it. Chains compiled at run time hold this text
// too: only number.h and element_math.h are included.
//
// Floats to integers: truncation; NaN and what does not fit 64 bits give the smallest int64, and a narrower type keeps
// its low bits. Doubles to narrow floats round once. Thread rule: pure. Example: converted<float, int64_t>(2.7f) == 2.

#include "providers/cuda/functors/element_math.h"

namespace cutaway::cuda {

CUTAWAY_SHARED uint32_t bitsOfFloat(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, 4);
  return bits;
}
CUTAWAY_SHARED float floatOfBits(uint32_t bits) {
  float value;
  __builtin_memcpy(&value, &bits, 4);
  return value;
}

template <typename Float>
CUTAWAY_SHARED uint64_t truncatedBits(Float value) {
  constexpr Float kLimit = static_cast<Float>(9223372036854775808.0);
  if (value >= -kLimit && value < kLimit) return static_cast<uint64_t>(static_cast<int64_t>(value));
  if (value >= kLimit && value < 2 * kLimit) return static_cast<uint64_t>(value);
  return uint64_t{1} << 63;
}

// Double to float so that a second rounding gives what one would: inexact results get an odd last bit (Boldo and
// Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
CUTAWAY_SHARED float roundedToOdd(double value) {
  const float nearest = static_cast<float>(value);
  const float rest = nearest - nearest;
  if (static_cast<double>(nearest) == value || rest != rest) return nearest;
  const uint32_t bits = bitsOfFloat(nearest);
  if ((bits & 1) != 0) return nearest;
  const double size = value < 0 ? -value : value,
               near = nearest < 0 ? -static_cast<double>(nearest) : static_cast<double>(nearest);
  return floatOfBits(near > size ? bits - 1 : bits + 1);
}

template <typename A, typename B>
struct SameType {
  static constexpr bool value = false;
};
template <typename A>
struct SameType<A, A> {
  static constexpr bool value = true;
};
template <typename T>
struct IsNarrow {
  static constexpr bool value = false;
};
template <>
struct IsNarrow<Half> {
  static constexpr bool value = true;
};
template <>
struct IsNarrow<Brain> {
  static constexpr bool value = true;
};

template <typename From, typename To>
CUTAWAY_SHARED To converted(From x) {
  const Compute<From> wide = load(x);
  using Wide = Compute<From>;
  if constexpr (SameType<To, bool>::value) {
    return wide != Wide(0);
  } else if constexpr (IsNarrow<To>::value) {
    if constexpr (sizeof(Wide) == 8 && element::kIsFloat<Wide>)
      return store<To>(roundedToOdd(wide));
    else
      return store<To>(static_cast<float>(wide));
  } else if constexpr (!element::kIsFloat<To> && element::kIsFloat<Wide>) {
    return static_cast<To>(truncatedBits(wide));
  } else {
    return static_cast<To>(wide);
  }
}

}  // namespace cutaway::cuda
