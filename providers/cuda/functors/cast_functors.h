#pragma once
// Casts of whole tensors, and 8-bit floats.
//
// Thread rule: as shared.h. Example: OneElement<CastFunction<float, Half>, float, Half>{p}(7).

#include "engine/tensor/element_type.h"
#include "providers/cuda/functors/conversion.h"
#include "providers/cuda/functors/elementwise_functors.h"

namespace cutaway::cuda {

template <typename From, typename To>
struct CastFunction {
  CUTAWAY_SHARED static To apply(From x, const ElementParameters<1>&) { return converted<From, To>(x); }
};
// A file's bools may be any byte.
template <typename To>
struct CastFunction<bool, To> {
  CUTAWAY_SHARED static To apply(uint8_t x, const ElementParameters<1>&) {
    return converted<uint8_t, To>(x != 0 ? 1 : 0);
  }
};

// --- 8-bit floats; types are numbers of ElementType. One integer routine rounds half to even: codes of neighbouring
// values are neighbours.
struct ByteFormat {
  int mantissaBits, bias;
  uint32_t maxFinite, nan;
  bool infinity, zeroIsNan;
};
CUTAWAY_SHARED ByteFormat byteFormat(int32_t type) {
  switch (static_cast<ElementType>(type)) {
    case ElementType::kFloat8E4M3FN:
      return {3, 7, 0x7E, 0x7F, false, false};
    case ElementType::kFloat8E4M3FNUZ:
      return {3, 8, 0x7F, 0x80, false, true};
    case ElementType::kFloat8E5M2:
      return {2, 15, 0x7B, 0x7E, true, false};
    default:
      return {2, 16, 0x7F, 0x80, false, true};
  }
}
CUTAWAY_SHARED float byteToFloat(int32_t type, uint8_t code) {
  const ByteFormat f = byteFormat(type);
  const uint32_t magnitude = code & 0x7Fu, sign = (code & 0x80u) << 24;
  if (f.zeroIsNan && code == 0x80) return floatOfBits(0x7FC00000u);
  if (magnitude > f.maxFinite)
    return floatOfBits(sign | (f.infinity && magnitude == f.maxFinite + 1 ? 0x7F800000u : 0x7FC00000u));
  const uint32_t field = magnitude >> f.mantissaBits, mantissa = magnitude & ((1u << f.mantissaBits) - 1);
  const uint32_t significand = field == 0 ? mantissa : mantissa | (1u << f.mantissaBits);
  const int exponent = (field == 0 ? 1 : static_cast<int>(field)) - f.bias - f.mantissaBits;
  const float scale = floatOfBits(static_cast<uint32_t>(exponent + 127) << 23);
  return floatOfBits(bitsOfFloat(static_cast<float>(significand) * scale) | sign);
}
CUTAWAY_SHARED uint8_t floatToByte(int32_t type, float value, bool saturate) {
  const ByteFormat f = byteFormat(type);
  const uint32_t bits = bitsOfFloat(value), magnitude = bits & 0x7FFFFFFFu, sign = (bits >> 24) & 0x80u;
  if (magnitude > 0x7F800000u) return static_cast<uint8_t>(f.zeroIsNan ? f.nan : sign | f.nan);
  const int exponentField = static_cast<int>(magnitude >> 23);
  const int exponent = exponentField != 0 ? exponentField - 127 : -126, least = 1 - f.bias;
  const uint32_t significand = (magnitude & 0x7FFFFFu) | (exponentField != 0 ? 0x800000u : 0u);
  const int below = exponent < least ? least - exponent : 0, shift = 23 - f.mantissaBits + below;
  uint32_t code = 0;
  if (magnitude == 0x7F800000u) {
    code = f.maxFinite + 1;
  } else if (shift <= 25) {
    const uint32_t rest = significand & ((1u << shift) - 1), half = 1u << (shift - 1);
    uint32_t kept = significand >> shift;
    if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
    code = (static_cast<uint32_t>(exponent + below - least) << f.mantissaBits) + kept;
  }
  if (code > f.maxFinite) {
    if (saturate) return static_cast<uint8_t>(sign | f.maxFinite);
    if (f.infinity) return static_cast<uint8_t>(sign | (f.maxFinite + 1));
    return static_cast<uint8_t>(f.zeroIsNan ? f.nan : sign | f.nan);
  }
  return static_cast<uint8_t>(code == 0 && f.zeroIsNan ? 0 : sign | code);
}

// Every pair that has no kernel of its own. code: the type converted from; flags: the type converted to; low: saturate.
struct CastAny {
  ElementParameters<1> p;
  template <typename Wide>
  CUTAWAY_SHARED void write(int64_t i, Wide x) const {
    switch (static_cast<ElementType>(p.flags)) {
      case ElementType::kFloat:
        static_cast<float*>(p.to)[i] = converted<Wide, float>(x);
        break;
      case ElementType::kUint8:
      case ElementType::kInt8:
        static_cast<uint8_t*>(p.to)[i] = converted<Wide, uint8_t>(x);
        break;
      case ElementType::kUint16:
      case ElementType::kInt16:
        static_cast<uint16_t*>(p.to)[i] = converted<Wide, uint16_t>(x);
        break;
      case ElementType::kInt32:
      case ElementType::kUint32:
        static_cast<uint32_t*>(p.to)[i] = converted<Wide, uint32_t>(x);
        break;
      case ElementType::kInt64:
      case ElementType::kUint64:
        static_cast<uint64_t*>(p.to)[i] = converted<Wide, uint64_t>(x);
        break;
      case ElementType::kBool:
        static_cast<bool*>(p.to)[i] = converted<Wide, bool>(x);
        break;
      case ElementType::kFloat16:
        static_cast<Half*>(p.to)[i] = converted<Wide, Half>(x);
        break;
      case ElementType::kDouble:
        static_cast<double*>(p.to)[i] = converted<Wide, double>(x);
        break;
      case ElementType::kBfloat16:
        static_cast<Brain*>(p.to)[i] = converted<Wide, Brain>(x);
        break;
      default:
        if constexpr (sizeof(Wide) == 8 && element::kIsFloat<Wide>)
          static_cast<uint8_t*>(p.to)[i] = floatToByte(p.flags, roundedToOdd(x), p.low != 0);
        else
          static_cast<uint8_t*>(p.to)[i] = floatToByte(p.flags, static_cast<float>(x), p.low != 0);
    }
  }
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const void* x = p.from[0];
    switch (static_cast<ElementType>(p.code)) {
      case ElementType::kFloat:
        return write<float>(i, static_cast<const float*>(x)[i]);
      case ElementType::kUint8:
        return write<int64_t>(i, static_cast<const uint8_t*>(x)[i]);
      case ElementType::kInt8:
        return write<int64_t>(i, static_cast<const int8_t*>(x)[i]);
      case ElementType::kUint16:
        return write<int64_t>(i, static_cast<const uint16_t*>(x)[i]);
      case ElementType::kInt16:
        return write<int64_t>(i, static_cast<const int16_t*>(x)[i]);
      case ElementType::kInt32:
        return write<int64_t>(i, static_cast<const int32_t*>(x)[i]);
      case ElementType::kInt64:
        return write<int64_t>(i, static_cast<const int64_t*>(x)[i]);
      case ElementType::kBool:
        return write<int64_t>(i, static_cast<const uint8_t*>(x)[i] != 0 ? 1 : 0);
      case ElementType::kFloat16:
        return write<float>(i, load(static_cast<const Half*>(x)[i]));
      case ElementType::kDouble:
        return write<double>(i, static_cast<const double*>(x)[i]);
      case ElementType::kUint32:
        return write<int64_t>(i, static_cast<const uint32_t*>(x)[i]);
      case ElementType::kUint64:
        return write<uint64_t>(i, static_cast<const uint64_t*>(x)[i]);
      case ElementType::kBfloat16:
        return write<float>(i, load(static_cast<const Brain*>(x)[i]));
      default:
        return write<float>(i, byteToFloat(p.code, static_cast<const uint8_t*>(x)[i]));
    }
  }
};

}  // namespace cutaway::cuda
