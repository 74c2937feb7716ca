#pragma once
// Floats narrower than 32 bits as storage types with exact conversion (round to nearest, ties to even).
//
// Thread rule: pure. Example: Float16 h{floatToHalf(1.5f)}; float back = h.toFloat();
// fp8/fp4 conversions take the saturation switch of the ONNX Cast operator.

#include <cstdint>

#include "engine/tensor/element_type.h"

namespace cutaway {

struct Float16 {
  uint16_t bits = 0;
  static Float16 fromFloat(float value);
  float toFloat() const;
};

struct Bfloat16 {
  uint16_t bits = 0;
  static Bfloat16 fromFloat(float value);
  float toFloat() const;
};

// type: one of the fp8 kinds or kFloat4E2M1 (value in the low 4 bits).
float narrowToFloat(ElementType type, uint8_t bits);
uint8_t floatToNarrow(ElementType type, float value, bool saturate);

// Whole runs, for weights and casts.
void halfToFloat(const Float16* from, float* to, int64_t count);
void floatToHalf(const float* from, Float16* to, int64_t count);

}  // namespace cutaway
