#pragma once
// Vector loops over runs of elements that change their type or are chosen among: classes of floats, floats to integers,
// selection by a mask.
//
// In place is fine where the elements are of one size. Thread rule: pure functions.
// Example: vectorSelect<uint32_t>(mask, x, y, target, count, 1, 0);

#include <cstdint>

namespace cutaway::cpu {

// to[i] = 1 where the class of x[i] is among the wanted ones, else 0.
void vectorClassify(const float* x, uint8_t* to, int64_t count, bool nan, bool positiveInfinity, bool negativeInfinity);

// Truncated; the low bits of the integer of 64 bits, and 0 for what does not fit that (see element_conversion.h). T:
// int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t.
template <typename T>
void vectorTruncate(const float* x, T* to, int64_t count);

// to[i] = condition[i] != 0 ? x[i] : y[i]; a step is 1, or 0 where one element meets the whole run. T: uint8_t,
// uint16_t, uint32_t, uint64_t.
template <typename T>
void vectorSelect(const uint8_t* condition, const T* x, const T* y, T* to, int64_t count, int xStep, int yStep);

}  // namespace cutaway::cpu
