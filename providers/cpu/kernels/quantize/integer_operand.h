#pragma once
// 8-bit operands of integer products, as 32-bit numbers with their zero points taken off.
//
// Thread rule: pure functions.
// Example: CUTAWAY_CHECK(checkZeroPoint(zeroPoint, 1, 2));  widenRow(type, data, first, count, zeroPointAt(zeroPoint,
// 0), row);

#include <cstdint>
#include <span>

#include "engine/provider/kernel.h"

namespace cutaway::cpu {

bool isByteInteger(ElementType type);  // int8 or uint8

// Elements [first, first + count) minus the zero point.
void widenRow(ElementType type, const void* data, int64_t first, int64_t count, int32_t zeroPoint, int32_t* to);
inline int32_t byteAt(ElementType type, const void* data, int64_t index) {
  return type == ElementType::kInt8 ? static_cast<const int8_t*>(data)[index]
                                    : static_cast<const uint8_t*>(data)[index];
}

// The zero point that belongs to place `index`: 0 without a tensor, its one element, or element `index`.
inline int32_t zeroPointAt(const Tensor* zeroPoint, int64_t index) {
  if (zeroPoint == nullptr) return 0;
  return byteAt(zeroPoint->type(), zeroPoint->data(), zeroPoint->elementCount() == 1 ? 0 : index);
}

// A zero point must be absent, one element, or `count` elements of an 8-bit type.
Result<void> checkZeroPoint(const Tensor* zeroPoint, int64_t count, size_t slot);

// A floating scale of one or `count` elements; the value at a place.
Result<void> checkScale(const Tensor& scale, int64_t count, size_t slot);
float scaleAt(const Tensor& scale, int64_t index);

}  // namespace cutaway::cpu
