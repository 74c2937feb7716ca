#pragma once
// Runs of elements between their storage (integers of 2 to 32 bits, fp8, fp4, half kinds) and float, where quantisation
// is computed.
//
// Integers of up to 16 bits are exact in float; 32-bit ones are rounded.
// Thread rule: pure functions. Writing sub-byte elements rewrites whole bytes, so runs that share a byte must not be
// written at once. Example: float values[256];  loadRun(ElementType::kInt4, data, first, 256, values);

#include <cstdint>

#include "engine/tensor/tensor.h"

namespace cutaway::cpu {

// Elements per step of a loop over long runs.
inline constexpr int64_t kQuantRun = 512;

// Elements [first, first + count) as floats. False for types that have no such values.
bool loadRun(ElementType type, const void* data, int64_t first, int64_t count, float* values);

// Saturates to the type's range (integers: values are whole numbers already; fp8 as `saturate` says).
void storeRun(ElementType type, const float* values, void* data, int64_t first, int64_t count, bool saturate);

// Smallest and largest value of an integer type of up to 16 bits.
struct QuantRange {
  float low, high;
};
QuantRange quantRange(ElementType type);
bool isQuantInteger(ElementType type);  // 2 to 16 bits

// Nearest whole number, ties to even, for |value| below 2^22. Vectorises without help from the instruction set.
inline float roundHalfEven(float value) {
  constexpr float kMagic = 12582912.0f;  // 1.5 * 2^23: adding it pushes the fraction out
  return (value + kMagic) - kMagic;
}

// round(value) + zeroPoint within the range; NaN becomes the low end.
inline float requantize(float value, float zeroPoint, const QuantRange& range) {
  const float low = range.low - zeroPoint;
  const float high = range.high - zeroPoint;
  float clamped = value > low ? value : low;
  clamped = clamped < high ? clamped : high;
  return roundHalfEven(clamped) + zeroPoint;
}

}  // namespace cutaway::cpu
