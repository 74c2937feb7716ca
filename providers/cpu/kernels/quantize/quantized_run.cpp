#include "providers/cpu/kernels/quantize/quantized_run.h"

#include "engine/operators/quantize_linear.h"
#include "engine/tensor/packed_bits.h"
#include "engine/tensor/six_bit_float.h"

namespace cutaway::cpu {
namespace {

template <typename T>
bool loadNumbers(const void* data, int64_t first, int64_t count, float* values) {
  const T* from = static_cast<const T*>(data) + first;
  for (int64_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(from[i]);
  return true;
}

template <typename T>
void storeNumbers(const float* values, void* data, int64_t first, int64_t count) {
  T* to = static_cast<T*>(data) + first;
  for (int64_t i = 0; i < count; ++i)
    to[i] = static_cast<T>(static_cast<int32_t>(values[i]));
}

bool isSignedPacked(ElementType type) {
  return type == ElementType::kInt4 || type == ElementType::kInt2;
}

bool loadPacked(ElementType type, const void* data, int64_t first, int64_t count, float* values) {
  const uint8_t* bytes = static_cast<const uint8_t*>(data);
  const int bits = bitsOf(type);
  for (int64_t i = 0; i < count; ++i) {
    const uint8_t raw = packedBits(bytes, first + i, bits);
    if (type == ElementType::kFloat4E2M1)
      values[i] = narrowToFloat(type, raw);
    else
      values[i] = isSignedPacked(type) ? static_cast<float>(signExtend(raw, bits)) : static_cast<float>(raw);
  }
  return true;
}

void storePacked(ElementType type, const float* values, void* data, int64_t first, int64_t count, bool saturate) {
  uint8_t* bytes = static_cast<uint8_t*>(data);
  const int bits = bitsOf(type);
  for (int64_t i = 0; i < count; ++i) {
    const uint8_t raw = type == ElementType::kFloat4E2M1 ? floatToNarrow(type, values[i], saturate)
                                                         : static_cast<uint8_t>(static_cast<int32_t>(values[i]));
    setPackedBits(bytes, first + i, bits, raw);
  }
}

// Narrow floats that fill a byte each.
bool loadNarrow(ElementType type, const void* data, int64_t first, int64_t count, float* values) {
  for (int64_t i = 0; i < count; ++i)
    values[i] = narrowToFloat(type, static_cast<const uint8_t*>(data)[first + i]);
  return true;
}

template <typename T>
bool loadHalves(const void* data, int64_t first, int64_t count, float* values) {
  const T* from = static_cast<const T*>(data) + first;
  for (int64_t i = 0; i < count; ++i)
    values[i] = from[i].toFloat();
  return true;
}

}  // namespace

bool loadRun(ElementType type, const void* data, int64_t first, int64_t count, float* values) {
  if (isSixBit(type)) return loadNarrow(type, data, first, count, values);
  switch (type) {
    case ElementType::kFloat:
      std::copy_n(static_cast<const float*>(data) + first, count, values);
      return true;
    case ElementType::kDouble:
      return loadNumbers<double>(data, first, count, values);
    case ElementType::kUint8:
      return loadNumbers<uint8_t>(data, first, count, values);
    case ElementType::kInt8:
      return loadNumbers<int8_t>(data, first, count, values);
    case ElementType::kUint16:
      return loadNumbers<uint16_t>(data, first, count, values);
    case ElementType::kInt16:
      return loadNumbers<int16_t>(data, first, count, values);
    case ElementType::kInt32:
      return loadNumbers<int32_t>(data, first, count, values);
    case ElementType::kFloat16:
      halfToFloat(static_cast<const Float16*>(data) + first, values, count);
      return true;
    case ElementType::kBfloat16:
      return loadHalves<Bfloat16>(data, first, count, values);
    case ElementType::kUint4:
    case ElementType::kInt4:
    case ElementType::kUint2:
    case ElementType::kInt2:
    case ElementType::kFloat4E2M1:
      return loadPacked(type, data, first, count, values);
    case ElementType::kFloat8E4M3FN:
    case ElementType::kFloat8E4M3FNUZ:
    case ElementType::kFloat8E5M2:
    case ElementType::kFloat8E5M2FNUZ:
    case ElementType::kFloat8E8M0:
      return loadNarrow(type, data, first, count, values);
    default:
      return false;
  }
}

void storeRun(ElementType type, const float* values, void* data, int64_t first, int64_t count, bool saturate) {
  switch (type) {
    case ElementType::kFloat:
      std::copy_n(values, count, static_cast<float*>(data) + first);
      return;
    case ElementType::kDouble:
      std::copy_n(values, count, static_cast<double*>(data) + first);
      return;
    case ElementType::kUint8:
      storeNumbers<uint8_t>(values, data, first, count);
      return;
    case ElementType::kInt8:
      storeNumbers<int8_t>(values, data, first, count);
      return;
    case ElementType::kUint16:
      storeNumbers<uint16_t>(values, data, first, count);
      return;
    case ElementType::kInt16:
      storeNumbers<int16_t>(values, data, first, count);
      return;
    case ElementType::kFloat16:
      floatToHalf(values, static_cast<Float16*>(data) + first, count);
      return;
    case ElementType::kBfloat16:
      for (int64_t i = 0; i < count; ++i)
        static_cast<Bfloat16*>(data)[first + i] = Bfloat16::fromFloat(values[i]);
      return;
    case ElementType::kUint4:
    case ElementType::kInt4:
    case ElementType::kUint2:
    case ElementType::kInt2:
    case ElementType::kFloat4E2M1:
      storePacked(type, values, data, first, count, saturate);
      return;
    default:
      for (int64_t i = 0; i < count; ++i)
        static_cast<uint8_t*>(data)[first + i] = floatToNarrow(type, values[i], saturate);
  }
}

QuantRange quantRange(ElementType type) {
  const operators::QuantizedRange range = operators::quantizedRange(type);
  return {static_cast<float>(range.low), static_cast<float>(range.high)};
}

bool isQuantInteger(ElementType type) {
  return quantRange(type).high != 0;
}

}  // namespace cutaway::cpu
