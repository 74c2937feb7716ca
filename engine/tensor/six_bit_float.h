#pragma once
// The six-bit floats of ONNX: one element a byte in memory (code in the low six bits), four elements in three bytes in
// files.
//
// Their two element types stand here and not in the enumeration of element_type.h, whose functions know them all the
// same. Thread rule: pure. Example: if (isSixBit(type)) unpackSixBits(file.data(), tensor.span<uint8_t>().data(),
// tensor.elementCount());

#include <cstdint>

#include "engine/tensor/element_type.h"

namespace cutaway {

inline constexpr ElementType kFloat6E2M3{27};
inline constexpr ElementType kFloat6E3M2{28};

constexpr bool isSixBit(ElementType type) {
  return type == kFloat6E2M3 || type == kFloat6E3M2;
}

// Bytes that so many elements take in a file.
constexpr int64_t sixBitFileBytes(int64_t count) {
  return count / 4 * 3 + (count % 4 * 6 + 7) / 8;
}

// The file's form is one stream of bits, lowest first; the last byte is filled with zeros.
void unpackSixBits(const void* file, uint8_t* memory, int64_t count);
void packSixBits(const uint8_t* memory, void* file, int64_t count);

}  // namespace cutaway
