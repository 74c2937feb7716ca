#pragma once
// Numbers to small integers and back: saturate(round(x / scale) + zero point), ties to even; (x - zero point) * scale.
// Scales for the tensor, for each place of an axis, or for blocks along one.
//
// A thread does kQuantGroup neighbours, read and written at once where memory is aligned; packed 4-bit integers are two
// to a byte, low half first. Thread rule: as shared.h. Example: Quantize<float, int8_t>{parameters}(7);

#include "providers/cuda/functors/number.h"
#include "providers/cuda/functors/shared.h"

namespace cutaway::cuda {

inline constexpr int kQuantGroup = 4;

CUTAWAY_SHARED float roundEven4(float value) {
#ifdef __CUDA_ARCH__
  return rintf(value);
#else
  return __builtin_rintf(value);
#endif
}

// Kinds of scales and zero points, which are read one by one.
enum class NumberKind : int32_t { kFloat, kHalf, kBrain, kInt8, kUint8, kInt16, kUint16, kInt32, kInt4, kUint4 };
CUTAWAY_SHARED float loadNumber(NumberKind kind, const void* data, int64_t i) {
  switch (kind) {
    case NumberKind::kFloat:
      return static_cast<const float*>(data)[i];
    case NumberKind::kHalf:
      return load(static_cast<const Half*>(data)[i]);
    case NumberKind::kBrain:
      return load(static_cast<const Brain*>(data)[i]);
    case NumberKind::kInt8:
      return static_cast<const int8_t*>(data)[i];
    case NumberKind::kUint8:
      return static_cast<const uint8_t*>(data)[i];
    case NumberKind::kInt16:
      return static_cast<const int16_t*>(data)[i];
    case NumberKind::kUint16:
      return static_cast<const uint16_t*>(data)[i];
    case NumberKind::kInt32:
      return static_cast<float>(static_cast<const int32_t*>(data)[i]);
    default: {
      const int nibble = static_cast<const uint8_t*>(data)[i / 2] >> (i % 2 * 4) & 15;
      return static_cast<float>(kind == NumberKind::kInt4 && nibble > 7 ? nibble - 16 : nibble);
    }
  }
}

// Which scale an element has: the tensor is [outer, length, inner].
struct ScaleMap {
  int64_t length = 1, inner = 1;
  int64_t block = 0;   // elements of the axis that share a scale; 0: one scale for all
  int64_t blocks = 0;  // along the axis; scales differ along outer and inner too; 0: they do not
  int32_t narrow = 1;  // 32-bit divisions serve
  template <typename Index>
  CUTAWAY_SHARED int64_t atAs(Index i) const {
    const Index line = i / static_cast<Index>(inner), column = i - line * static_cast<Index>(inner);
    const Index outer = line / static_cast<Index>(length), place = line - outer * static_cast<Index>(length);
    if (blocks == 0) return static_cast<int64_t>(place);
    return (static_cast<int64_t>(outer) * blocks + static_cast<int64_t>(place / static_cast<Index>(block))) * inner +
           static_cast<int64_t>(column);
  }
  CUTAWAY_SHARED int64_t operator()(int64_t i) const {
    return block == 0 ? 0 : narrow != 0 ? atAs<uint32_t>(static_cast<uint32_t>(i)) : atAs<int64_t>(i);
  }
};

enum class QuotientRounding : int32_t { kNone, kHalf, kBrain };

struct QuantizeParameters {
  const void* x = nullptr;
  const void* scale = nullptr;
  const void* zero = nullptr;  // nullptr: 0
  void* y = nullptr;
  int64_t count = 0;  // elements
  ScaleMap map;
  NumberKind scaleKind = NumberKind::kFloat, zeroKind = NumberKind::kUint8;
  QuotientRounding rounding = QuotientRounding::kNone;
  float low = 0, high = 255;  // of the packed kinds
  int32_t aligned = 0;        // whole groups may be read and written at once

  CUTAWAY_SHARED float scaleAt(int64_t i) const { return loadNumber(scaleKind, scale, i); }
  CUTAWAY_SHARED float zeroAt(int64_t i) const { return zero == nullptr ? 0.0f : loadNumber(zeroKind, zero, i); }
};

template <typename T>
struct alignas(sizeof(T) * kQuantGroup) QuantGroup {
  T values[kQuantGroup];
};

template <typename T>
struct QuantLimits;
template <>
struct QuantLimits<uint8_t> {
  static constexpr float low = 0, high = 255;
};
template <>
struct QuantLimits<int8_t> {
  static constexpr float low = -128, high = 127;
};
template <>
struct QuantLimits<uint16_t> {
  static constexpr float low = 0, high = 65535;
};
template <>
struct QuantLimits<int16_t> {
  static constexpr float low = -32768, high = 32767;
};

// units: multiples of the scale. NaN becomes the low end.
CUTAWAY_SHARED float quantizedUnits(float units, float zero, float low, float high) {
  const float least = low - zero, most = high - zero;
  float clamped = units > least ? units : least;
  clamped = clamped < most ? clamped : most;
  return roundEven4(clamped) + zero;
}

CUTAWAY_SHARED float quotient(const QuantizeParameters& p, float x, float scale) {
  const float value = x / scale;
  if (p.rounding == QuotientRounding::kHalf) return load(store<Half>(value));
  if (p.rounding == QuotientRounding::kBrain) return load(store<Brain>(value));
  return value;
}

// Index: a group.
template <typename X, typename Y>
struct Quantize {
  QuantizeParameters p;
  CUTAWAY_SHARED Y one(float x, int64_t place) const {
    return static_cast<Y>(static_cast<int32_t>(
        quantizedUnits(quotient(p, x, p.scaleAt(place)), p.zeroAt(place), QuantLimits<Y>::low, QuantLimits<Y>::high)));
  }
  CUTAWAY_SHARED void operator()(int64_t group) const {
    const int64_t first = group * kQuantGroup;
    if (p.aligned != 0 && first + kQuantGroup <= p.count) {
      const QuantGroup<X> x = static_cast<const QuantGroup<X>*>(p.x)[group];
      QuantGroup<Y> y;
      for (int k = 0; k < kQuantGroup; ++k)
        y.values[k] = one(static_cast<float>(load(x.values[k])), p.map(first + k));
      static_cast<QuantGroup<Y>*>(p.y)[group] = y;
      return;
    }
    for (int64_t i = first; i < first + kQuantGroup && i < p.count; ++i)
      static_cast<Y*>(p.y)[i] = one(static_cast<float>(load(static_cast<const X*>(p.x)[i])), p.map(i));
  }
};

// Index: a byte of two 4-bit integers; the bits of the last byte that no element uses are zero.
template <typename X>
struct QuantizePacked {
  QuantizeParameters p;
  CUTAWAY_SHARED int one(int64_t i) const {
    if (i >= p.count) return 0;
    const int64_t place = p.map(i);
    const float x = static_cast<float>(load(static_cast<const X*>(p.x)[i]));
    return static_cast<int>(quantizedUnits(quotient(p, x, p.scaleAt(place)), p.zeroAt(place), p.low, p.high)) & 15;
  }
  CUTAWAY_SHARED void operator()(int64_t byte) const {
    static_cast<uint8_t*>(p.y)[byte] = static_cast<uint8_t>(one(byte * 2) | one(byte * 2 + 1) << 4);
  }
};

// Differences of 32-bit integers are taken in integers: floats would round both sides first.
template <typename X>
CUTAWAY_SHARED float difference(const QuantizeParameters& p, X x, int64_t place) {
  return static_cast<float>(x) - p.zeroAt(place);
}
template <>
CUTAWAY_SHARED float difference<int32_t>(const QuantizeParameters& p, int32_t x, int64_t place) {
  return static_cast<float>(static_cast<int64_t>(x) -
                            (p.zero == nullptr ? 0 : static_cast<const int32_t*>(p.zero)[place]));
}

template <typename X, typename Y>
struct Dequantize {
  QuantizeParameters p;
  CUTAWAY_SHARED Y one(X x, int64_t place) const { return store<Y>(difference(p, x, place) * p.scaleAt(place)); }
  CUTAWAY_SHARED void operator()(int64_t group) const {
    const int64_t first = group * kQuantGroup;
    if (p.aligned != 0 && first + kQuantGroup <= p.count) {
      const QuantGroup<X> x = static_cast<const QuantGroup<X>*>(p.x)[group];
      QuantGroup<Y> y;
      for (int k = 0; k < kQuantGroup; ++k)
        y.values[k] = one(x.values[k], p.map(first + k));
      static_cast<QuantGroup<Y>*>(p.y)[group] = y;
      return;
    }
    for (int64_t i = first; i < first + kQuantGroup && i < p.count; ++i)
      static_cast<Y*>(p.y)[i] = one(static_cast<const X*>(p.x)[i], p.map(i));
  }
};

// x is packed: p.zeroKind says how, with or without a zero point. Index: an element.
template <typename Y>
struct DequantizePacked {
  QuantizeParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const int64_t place = p.map(i);
    static_cast<Y*>(p.y)[i] = store<Y>((loadNumber(p.zeroKind, p.x, i) - p.zeroAt(place)) * p.scaleAt(place));
  }
};

}  // namespace cutaway::cuda
