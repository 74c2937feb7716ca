#pragma once
// Element types and activations for the emulator's library work, written apart from the functors on purpose: each
// checks the other.
//
// Thread rule: pure. Example: readFloats(ElementType::kFloat16, x, n, row.data());

#include <cstdint>
#include <vector>

#include "providers/cuda/backend/operations.h"

namespace cutaway::cuda {

// float, float16, bfloat16 and double.
bool isFloatOperand(ElementType type);
size_t bytesOf(ElementType type);
// count elements from `from` on, as float (as double below).
void readFloats(ElementType type, const void* from, int64_t count, float* to);
void writeFloats(ElementType type, const float* from, int64_t count, void* to);
double readNumber(ElementType type, const void* from, int64_t at);
void writeNumber(ElementType type, double value, void* to, int64_t at);
double afterwards(const Epilogue& epilogue, double x);

inline const void* advanced(ElementType type, const void* from, int64_t elements) {
  return static_cast<const std::byte*>(from) + elements * static_cast<int64_t>(bytesOf(type));
}
inline void* advanced(ElementType type, void* from, int64_t elements) {
  return static_cast<std::byte*>(from) + elements * static_cast<int64_t>(bytesOf(type));
}

}  // namespace cutaway::cuda
