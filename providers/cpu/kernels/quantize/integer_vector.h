#pragma once
// The loops of quantised operators over 8- and 16-bit elements and 32-bit sums, compiled once per instruction set by
// Highway and chosen at run time.
//
// Rounding is to nearest, ties to even; integers saturate where they are narrowed and wrap where they are summed.
// Thread rule: pure functions.
// Example: integerLoops().requantize({.sums = sums, .count = n, .scales = &scale}, {.isSigned = true, .zeroPoint = 3},
// bytes);

#include <cstdint>

namespace cutaway::cpu {

// A row of 32-bit sums and what belongs to each: an optional summand, and a scale (scaleStep 0: one for all).
struct SumRow {
  const int32_t* sums = nullptr;
  int64_t count = 0;
  const int32_t* added = nullptr;
  const float* scales = nullptr;
  int64_t scaleStep = 0;
};

struct ByteFormat {
  bool isSigned = false;
  int32_t zeroPoint = 0;
};

// Scales and zero points of a run of elements: one (step 0) or one each (step 1).
struct LinearRun {
  int64_t count = 0;
  const float* scales = nullptr;
  const float* zeroPoints = nullptr;
  int64_t step = 0;
};

struct FloatRange {
  float low = 0, high = 0;
};

struct IntegerLoops {
  // to[i] += factor * terms[i], modulo 2^32.
  void (*addScaled)(int32_t* to, int32_t factor, const int32_t* terms, int64_t count);
  // round((sum + added) * scale) + zero point, as bytes.
  void (*requantize)(const SumRow& row, const ByteFormat& format, uint8_t* out);
  // (sum + added) * scale [+ bias].
  void (*scale)(const SumRow& row, const float* bias, float* out);
  // Sum of `count` unsigned bytes, modulo 2^32.
  uint32_t (*sum)(const uint8_t* bytes, int64_t count);
  // to[i] = from[i] ^ mask; mask 0x80 moves between signed and unsigned bytes.
  void (*copyFlipped)(const uint8_t* from, uint8_t mask, uint8_t* to, int64_t count);
  // to[c * toStride + r] = from[r * fromStride + c] ^ mask. With three rows and a toStride of 4 the fourth byte is 0.
  void (*transpose)(const uint8_t* from, int64_t rows, int64_t columns, int64_t fromStride, uint8_t mask, uint8_t* to,
                    int64_t toStride);
  // round(x / scale) + zero point. NaN gives the smallest value.
  void (*quantizeU8)(const float* x, const LinearRun& run, uint8_t* out);
  void (*quantizeS8)(const float* x, const LinearRun& run, int8_t* out);
  void (*quantizeU16)(const float* x, const LinearRun& run, uint16_t* out);
  void (*quantizeS16)(const float* x, const LinearRun& run, int16_t* out);
  // (x - zero point) * scale.
  void (*dequantizeU8)(const uint8_t* x, const LinearRun& run, float* out);
  void (*dequantizeS8)(const int8_t* x, const LinearRun& run, float* out);
  void (*dequantizeU16)(const uint16_t* x, const LinearRun& run, float* out);
  void (*dequantizeS16)(const int16_t* x, const LinearRun& run, float* out);
  // Smallest and largest of the elements and `start`; NaN is passed over.
  FloatRange (*range)(const float* x, int64_t count, FloatRange start);
};

const IntegerLoops& integerLoops();

}  // namespace cutaway::cpu
