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

// type: one of the fp8 kinds or kFloat4E2M1 (value in the low 4 bits). Out of range: the largest finite value when
// saturating, else infinity or NaN as the kind has it. kFloat4E2M1 has neither and always saturates; NaN becomes a zero
// of the opposite sign, as in ONNX's own conformance data. kFloat8E8M0 rounds as Cast does by default (kUp).
float narrowToFloat(ElementType type, uint8_t bits);
uint8_t floatToNarrow(ElementType type, float value, bool saturate);

// The round_mode of Cast to kFloat8E8M0. The sign is ignored. Below the smallest power (zero too): the smallest when
// saturating, else NaN; above the largest likewise.
enum class ScaleRounding : uint8_t { kUp, kDown, kNearest };
uint8_t floatToScale(float value, ScaleRounding rounding, bool saturate);

// Whole runs, for weights and casts.
void halfToFloat(const Float16* from, float* to, int64_t count);
void floatToHalf(const float* from, Float16* to, int64_t count);

}  // namespace cutaway
