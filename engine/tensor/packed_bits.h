#pragma once
// Access to single elements of packed 2- and 4-bit tensors: several elements a byte, the first in the lowest bits.
//
// Thread rule: pure; writing one element rewrites its whole byte.
// Example: const int8_t value = signExtend(packedBits(bytes, index, 4), 4);

#include <cstdint>

namespace cutaway {

// bits: 2 or 4.
inline uint8_t packedBits(const uint8_t* bytes, int64_t index, int bits) {
  const int64_t perByte = 8 / bits;
  return static_cast<uint8_t>((bytes[index / perByte] >> (index % perByte * bits)) & ((1 << bits) - 1));
}

inline void setPackedBits(uint8_t* bytes, int64_t index, int bits, uint8_t value) {
  const int64_t perByte = 8 / bits;
  const int shift = static_cast<int>(index % perByte) * bits;
  const int mask = ((1 << bits) - 1) << shift;
  uint8_t& byte = bytes[index / perByte];
  byte = static_cast<uint8_t>((byte & ~mask) | ((value << shift) & mask));
}

// The low `bits` of value as a two's complement number.
inline int8_t signExtend(uint8_t value, int bits) {
  const int sign = 1 << (bits - 1);
  return static_cast<int8_t>(((value & ((1 << bits) - 1)) ^ sign) - sign);
}

}  // namespace cutaway
