// One integer routine rounds for every format: the significand is cut at the format's last bit (further left below its
// smallest normal exponent) and rounded half to even; a carry runs into the exponent field by itself because codes of
// neighbouring values are neighbours.

#include "engine/tensor/narrow_float.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/tensor/six_bit_float.h"

namespace cutaway {
namespace {

enum class Special : uint8_t {
  kIeee,               // infinities and NaNs in the top exponent
  kOneNan,             // "FN": only the all-ones code of each sign is NaN, no infinity
  kNegativeZeroIsNan,  // "FNUZ": the code of -0 is the only NaN, no infinity, no -0
  kNone,               // neither
};

struct Format {
  int exponentBits;
  int mantissaBits;
  int bias;
  uint32_t maxFinite;  // code of the largest finite magnitude
  uint32_t nan;        // code of a quiet NaN, without sign
  Special special;

  constexpr uint32_t signBit() const { return 1u << (exponentBits + mantissaBits); }
};

constexpr Format kHalf{5, 10, 15, 0x7BFF, 0x7E00, Special::kIeee};
constexpr Format kE4M3FN{4, 3, 7, 0x7E, 0x7F, Special::kOneNan};
constexpr Format kE4M3FNUZ{4, 3, 8, 0x7F, 0x80, Special::kNegativeZeroIsNan};
constexpr Format kE5M2{5, 2, 15, 0x7B, 0x7E, Special::kIeee};
constexpr Format kE5M2FNUZ{5, 2, 16, 0x7F, 0x80, Special::kNegativeZeroIsNan};
constexpr Format kE2M1{2, 1, 1, 0x7, 0x0, Special::kNone};
constexpr Format kE2M3{2, 3, 1, 0x1F, 0x0, Special::kNone};
constexpr Format kE3M2{3, 2, 3, 0x1F, 0x0, Special::kNone};

constexpr uint32_t kFloatSign = 0x80000000;
constexpr uint32_t kFloatInfinity = 0x7F800000;
constexpr uint8_t kScaleNan = 0xFF;
constexpr uint8_t kScaleMax = 0xFE;

const Format* formatOf(ElementType type) {
  if (isSixBit(type)) return type == kFloat6E2M3 ? &kE2M3 : &kE3M2;
  switch (type) {
    case ElementType::kFloat8E4M3FN:
      return &kE4M3FN;
    case ElementType::kFloat8E4M3FNUZ:
      return &kE4M3FNUZ;
    case ElementType::kFloat8E5M2:
      return &kE5M2;
    case ElementType::kFloat8E5M2FNUZ:
      return &kE5M2FNUZ;
    case ElementType::kFloat4E2M1:
      return &kE2M1;
    default:
      return nullptr;
  }
}

// Code of a finite magnitude (bits of a float without sign), rounded half to even; may exceed format.maxFinite.
uint32_t encodeMagnitude(uint32_t magnitude, const Format& format) {
  const uint32_t exponentField = magnitude >> 23;
  const uint32_t significand = (magnitude & 0x7FFFFF) | (exponentField != 0 ? 0x800000u : 0u);
  const int exponent = exponentField != 0 ? static_cast<int>(exponentField) - 127 : -126;
  const int minExponent = 1 - format.bias;
  const int below = exponent < minExponent ? minExponent - exponent : 0;
  const int shift = 23 - format.mantissaBits + below;
  if (shift > 25) return 0;
  const uint32_t rest = significand & ((1u << shift) - 1);
  const uint32_t half = 1u << (shift - 1);
  uint32_t kept = significand >> shift;
  if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  return (static_cast<uint32_t>(exponent + below - minExponent) << format.mantissaBits) + kept;
}

uint32_t outOfRange(const Format& format, uint32_t sign, bool saturate) {
  if (saturate || format.special == Special::kNone) return sign | format.maxFinite;
  if (format.special == Special::kIeee) return sign | (format.maxFinite + 1);
  return format.special == Special::kOneNan ? sign | format.nan : format.nan;
}

uint32_t encode(float value, const Format& format, bool saturate) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & ~kFloatSign;
  const uint32_t sign = bits & kFloatSign ? format.signBit() : 0;
  if (magnitude > kFloatInfinity) {
    if (format.special == Special::kNone) return sign ^ format.signBit();
    return format.special == Special::kNegativeZeroIsNan ? format.nan : sign | format.nan;
  }
  if (magnitude == kFloatInfinity) return outOfRange(format, sign, saturate);
  const uint32_t code = encodeMagnitude(magnitude, format);
  if (code > format.maxFinite) return outOfRange(format, sign, saturate);
  if (code == 0 && format.special == Special::kNegativeZeroIsNan) return 0;
  return sign | code;
}

float decode(uint32_t code, const Format& format) {
  const uint32_t magnitude = code & (format.signBit() - 1);
  const bool negative = (code & format.signBit()) != 0;
  if (format.special == Special::kNegativeZeroIsNan && code == format.nan)
    return std::numeric_limits<float>::quiet_NaN();
  if (magnitude > format.maxFinite) {
    const bool infinite = format.special == Special::kIeee && magnitude == format.maxFinite + 1;
    const float value = infinite ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
    return std::copysign(value, negative ? -1.0f : 1.0f);
  }
  const uint32_t exponentField = magnitude >> format.mantissaBits;
  const uint32_t mantissa = magnitude & ((1u << format.mantissaBits) - 1);
  const uint32_t significand = exponentField == 0 ? mantissa : mantissa | (1u << format.mantissaBits);
  const int exponent = (exponentField == 0 ? 1 : static_cast<int>(exponentField)) - format.bias - format.mantissaBits;
  const float value = std::ldexp(static_cast<float>(significand), exponent);
  return negative ? -value : value;
}

std::array<float, 256> decodeTable(const Format& format) {
  std::array<float, 256> table{};
  for (uint32_t code = 0; code < table.size(); ++code)
    table[code] = decode(code & (2 * format.signBit() - 1), format);
  return table;
}

float scaleToFloat(uint8_t bits) {
  return bits == kScaleNan ? std::numeric_limits<float>::quiet_NaN() : std::ldexp(1.0f, static_cast<int>(bits) - 127);
}

}  // namespace

float narrowToFloat(ElementType type, uint8_t bits) {
  static const std::array<float, 256> e4m3fn = decodeTable(kE4M3FN);
  static const std::array<float, 256> e4m3fnuz = decodeTable(kE4M3FNUZ);
  static const std::array<float, 256> e5m2 = decodeTable(kE5M2);
  static const std::array<float, 256> e5m2fnuz = decodeTable(kE5M2FNUZ);
  static const std::array<float, 256> e2m1 = decodeTable(kE2M1);
  static const std::array<float, 256> e2m3 = decodeTable(kE2M3);
  static const std::array<float, 256> e3m2 = decodeTable(kE3M2);
  if (isSixBit(type)) return type == kFloat6E2M3 ? e2m3[bits] : e3m2[bits];
  switch (type) {
    case ElementType::kFloat8E4M3FN:
      return e4m3fn[bits];
    case ElementType::kFloat8E4M3FNUZ:
      return e4m3fnuz[bits];
    case ElementType::kFloat8E5M2:
      return e5m2[bits];
    case ElementType::kFloat8E5M2FNUZ:
      return e5m2fnuz[bits];
    case ElementType::kFloat4E2M1:
      return e2m1[bits];
    case ElementType::kFloat8E8M0:
      return scaleToFloat(bits);
    default:
      return std::numeric_limits<float>::quiet_NaN();
  }
}

uint8_t floatToNarrow(ElementType type, float value, bool saturate) {
  if (type == ElementType::kFloat8E8M0) return floatToScale(value, ScaleRounding::kUp, saturate);
  const Format* format = formatOf(type);
  return format == nullptr ? 0 : static_cast<uint8_t>(encode(value, *format, saturate));
}

uint8_t floatToScale(float value, ScaleRounding rounding, bool saturate) {
  const uint32_t magnitude = std::bit_cast<uint32_t>(value) & ~kFloatSign;
  if (magnitude > kFloatInfinity) return kScaleNan;
  if (magnitude == kFloatInfinity) return saturate ? kScaleMax : kScaleNan;
  // 2^-127, the smallest scale, is a subnormal float: bits 0x400000. Code c >= 1 is the float with exponent field c and
  // no mantissa.
  constexpr uint32_t kSmallest = 0x400000;
  if (magnitude < kSmallest) return saturate ? 0 : kScaleNan;
  uint32_t code = magnitude >> 23;
  const uint32_t floor = code == 0 ? kSmallest : code << 23;
  const uint32_t next = (code + 1) << 23;
  // Between two scales floats are evenly spaced, so the distance in bits tells which is nearer. (Infinity's bits stand
  // for 2^128 above the last one.)
  const bool up = rounding == ScaleRounding::kUp
                      ? magnitude > floor
                      : rounding == ScaleRounding::kNearest && magnitude - floor >= next - magnitude;
  if (up) ++code;
  if (code > kScaleMax) return saturate ? kScaleMax : kScaleNan;
  return static_cast<uint8_t>(code);
}

Float16 Float16::fromFloat(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  // NaNs keep the top of their payload, as the processor's own conversion does.
  if ((bits & ~kFloatSign) > kFloatInfinity)
    return {static_cast<uint16_t>((bits >> 16 & 0x8000) | 0x7E00 | (bits >> 13 & 0x3FF))};
  return {static_cast<uint16_t>(encode(value, kHalf, false))};
}

float Float16::toFloat() const {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  const uint32_t exponent = bits >> 10 & 0x1F;
  const uint32_t mantissa = bits & 0x3FF;
  if (exponent == 0x1F)
    return std::bit_cast<float>(sign | kFloatInfinity | mantissa << 13 | (mantissa != 0 ? 0x400000u : 0u));
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign);
}

Bfloat16 Bfloat16::fromFloat(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if ((bits & ~kFloatSign) > kFloatInfinity) return {static_cast<uint16_t>((bits >> 16) | 0x40)};
  return {static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16)};
}

float Bfloat16::toFloat() const {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

}  // namespace cutaway
