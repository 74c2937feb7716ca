#include "providers/cpu/kernels/elementwise/element_conversion.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "engine/tensor/packed_bits.h"
#include "engine/tensor/six_bit_float.h"
#include "providers/cpu/kernels/elementwise/run_vector.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using StorageTypes = Join<NumericTypes, TypeList<bool>>;

bool isNarrowFloat(ElementType type) {
  switch (type) {
    case ElementType::kFloat8E4M3FN:
    case ElementType::kFloat8E4M3FNUZ:
    case ElementType::kFloat8E5M2:
    case ElementType::kFloat8E5M2FNUZ:
    case ElementType::kFloat8E8M0:
    case ElementType::kFloat4E2M1:
      return true;
    default:
      return isSixBit(type);
  }
}

bool isSignedPacked(ElementType type) {
  return type == ElementType::kInt4 || type == ElementType::kInt2;
}

// ---- reading

WideKind kindOf(ElementType type) {
  if (type == ElementType::kDouble) return WideKind::kDouble;
  if (isFloating(type)) return WideKind::kFloat;
  return type == ElementType::kUint64 ? WideKind::kUint64 : WideKind::kInt64;
}

template <typename T, typename Wide>
int64_t readPlain(const void* base, int64_t offset, int64_t count, void* wide, ElementType) {
  const T* from = static_cast<const T*>(base) + offset;
  Wide* to = static_cast<Wide*>(wide);
  if constexpr (isHalf<T>) {
    widenRun(from, to, count);
  } else if constexpr (std::is_same_v<T, bool>) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(from);  // a file's bools may be any byte
    for (int64_t i = 0; i < count; ++i)
      to[i] = bytes[i] != 0;
  } else {
    for (int64_t i = 0; i < count; ++i)
      to[i] = static_cast<Wide>(from[i]);
  }
  return -1;
}

int64_t readNarrowFloat(const void* base, int64_t offset, int64_t count, void* wide, ElementType type) {
  const auto* from = static_cast<const uint8_t*>(base);
  float* to = static_cast<float*>(wide);
  const int bits = bitsOf(type);
  for (int64_t i = 0; i < count; ++i)
    to[i] = narrowToFloat(type, bits == 8 ? from[offset + i] : packedBits(from, offset + i, bits));
  return -1;
}

int64_t readPacked(const void* base, int64_t offset, int64_t count, void* wide, ElementType type) {
  const auto* from = static_cast<const uint8_t*>(base);
  int64_t* to = static_cast<int64_t*>(wide);
  const int bits = bitsOf(type);
  for (int64_t i = 0; i < count; ++i) {
    const uint8_t value = packedBits(from, offset + i, bits);
    to[i] = isSignedPacked(type) ? signExtend(value, bits) : value;
  }
  return -1;
}

ReadRun readerOf(ElementType type) {
  if (isNarrowFloat(type)) return readNarrowFloat;
  if (isSubByte(type)) return readPacked;
  ReadRun reader = nullptr;
  dispatchType(StorageTypes{}, type, [&]<typename T>(TypeTag<T>) {
    using Wide = std::conditional_t<std::is_same_v<T, double>, double,
                                    std::conditional_t<std::is_same_v<T, uint64_t>, uint64_t,
                                                       std::conditional_t<std::is_integral_v<T>, int64_t, float>>>;
    reader = readPlain<T, Wide>;
  });
  return reader;
}

// ---- writing

// Truncation; NaN and what does not fit become the smallest int64, as the processor's own conversion gives. Large
// positive floats keep their bits for uint64.
template <typename Float>
uint64_t truncated(Float value) {
  constexpr Float kLimit = static_cast<Float>(9223372036854775808.0);
  if (value >= -kLimit && value < kLimit) return static_cast<uint64_t>(static_cast<int64_t>(value));
  if (value >= kLimit && value < 2 * kLimit) return static_cast<uint64_t>(value);
  return uint64_t{1} << 63;
}

// Double to float so that a second rounding, to a narrower type, gives what one rounding would: inexact results get an
// odd last bit.
float roundToOdd(double value) {
  const float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || !std::isfinite(nearest) || std::isnan(value)) return nearest;
  uint32_t bits = std::bit_cast<uint32_t>(nearest);
  if ((bits & 1) != 0) return nearest;
  const bool tooLarge = std::fabs(static_cast<double>(nearest)) > std::fabs(value);
  return std::bit_cast<float>(tooLarge ? bits - 1 : bits + 1);
}

template <typename Wide>
float narrowSource(Wide value) {
  if constexpr (std::is_same_v<Wide, double>) {
    return roundToOdd(value);
  } else {
    return static_cast<float>(value);
  }
}

template <typename Wide>
uint64_t integerBits(Wide value) {
  if constexpr (std::is_floating_point_v<Wide>) {
    return truncated(value);
  } else {
    return static_cast<uint64_t>(value);
  }
}

template <typename Wide, typename T>
void writePlain(const void* wide, int64_t offset, int64_t count, void* base, ElementType, const ConversionOptions&) {
  const Wide* from = static_cast<const Wide*>(wide);
  T* to = static_cast<T*>(base) + offset;
  if constexpr (isHalf<T> && std::is_same_v<Wide, float>) {
    narrowRun(from, to, count);
  } else if constexpr (isHalf<T>) {
    for (int64_t i = 0; i < count; ++i)
      to[i] = T::fromFloat(narrowSource(from[i]));
  } else if constexpr (std::is_same_v<T, bool>) {
    for (int64_t i = 0; i < count; ++i)
      to[i] = from[i] != 0;
  } else if constexpr (std::is_integral_v<T> && sizeof(T) <= 4 && std::is_same_v<Wide, float>) {
    vectorTruncate(from, to, count);
  } else if constexpr (std::is_integral_v<T>) {
    for (int64_t i = 0; i < count; ++i)
      to[i] = static_cast<T>(integerBits(from[i]));
  } else {
    for (int64_t i = 0; i < count; ++i)
      to[i] = static_cast<T>(from[i]);
  }
}

template <typename Wide>
void writeNarrowFloat(const void* wide, int64_t offset, int64_t count, void* base, ElementType type,
                      const ConversionOptions& options) {
  const Wide* from = static_cast<const Wide*>(wide);
  auto* to = static_cast<uint8_t*>(base);
  const int bits = bitsOf(type);
  for (int64_t i = 0; i < count; ++i) {
    const float value = narrowSource(from[i]);
    const uint8_t code = type == ElementType::kFloat8E8M0 ? floatToScale(value, options.rounding, options.saturate)
                                                          : floatToNarrow(type, value, options.saturate);
    if (bits == 8) {
      to[offset + i] = code;
    } else {
      setPackedBits(to, offset + i, bits, code);
    }
  }
}

template <typename Wide>
void writePacked(const void* wide, int64_t offset, int64_t count, void* base, ElementType type,
                 const ConversionOptions&) {
  const Wide* from = static_cast<const Wide*>(wide);
  const int bits = bitsOf(type);
  for (int64_t i = 0; i < count; ++i)
    setPackedBits(static_cast<uint8_t*>(base), offset + i, bits, static_cast<uint8_t>(integerBits(from[i])));
}

template <typename Wide>
WriteRun writerFrom(ElementType type) {
  if (isNarrowFloat(type)) return writeNarrowFloat<Wide>;
  if (isSubByte(type)) return writePacked<Wide>;
  WriteRun writer = nullptr;
  dispatchType(StorageTypes{}, type, [&]<typename T>(TypeTag<T>) { writer = writePlain<Wide, T>; });
  return writer;
}

WriteRun writerOf(WideKind kind, ElementType type) {
  switch (kind) {
    case WideKind::kFloat:
      return writerFrom<float>(type);
    case WideKind::kDouble:
      return writerFrom<double>(type);
    case WideKind::kInt64:
      return writerFrom<int64_t>(type);
    case WideKind::kUint64:
      return writerFrom<uint64_t>(type);
  }
  return nullptr;
}

}  // namespace

Result<ElementConverter> ElementConverter::make(ElementType from, ElementType to, const ConversionOptions& options) {
  ElementConverter converter;
  converter.m_from = from;
  converter.m_to = to;
  converter.m_options = options;
  const bool fromText = from == ElementType::kString;
  // Text is read as what it is to become; floats through double.
  const WideKind kind = !fromText ? kindOf(from) : isFloating(to) ? WideKind::kDouble : kindOf(to);
  converter.m_read = fromText ? textReader(kind) : readerOf(from);
  converter.m_write = to == ElementType::kString ? textWriter(kind) : writerOf(kind, to);
  if (converter.m_read == nullptr || converter.m_write == nullptr)
    return fail(ErrorCode::kNotImplemented, "{} does not convert to {}", elementTypeName(from), elementTypeName(to));
  return converter;
}

Result<void> ElementConverter::convert(const void* from, void* to, int64_t begin, int64_t end) const {
  alignas(64) std::byte wide[kConversionBlock * sizeof(double)];
  for (int64_t i = begin; i < end; i += kConversionBlock) {
    const int64_t count = std::min(kConversionBlock, end - i);
    const int64_t failed = m_read(from, i, count, wide, m_from);
    if (failed >= 0)
      return fail(ErrorCode::kInvalidArgument, "element {} is not a number: \"{}\"", i + failed,
                  static_cast<const std::string*>(from)[i + failed].substr(0, 64));
    if (isSubByte(m_to)) {  // unused bits of the last byte are zero
      const int64_t bits = bitsOf(m_to);
      std::memset(static_cast<uint8_t*>(to) + i * bits / 8, 0, static_cast<size_t>((count * bits + 7) / 8));
    }
    m_write(wide, i, count, to, m_to, m_options);
  }
  return {};
}

}  // namespace cutaway::cpu
