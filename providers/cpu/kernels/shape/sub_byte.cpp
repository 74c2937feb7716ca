#include "providers/cpu/kernels/shape/sub_byte.h"

namespace cutaway::cpu {

void unpackBits(int bits, const uint8_t* packed, uint8_t* bytes, int64_t count) {
  const int perByte = 8 / bits;
  const int mask = (1 << bits) - 1;
  for (int64_t i = 0; i < count; ++i)
    bytes[i] = static_cast<uint8_t>((packed[i / perByte] >> (i % perByte * bits)) & mask);
}

void packBits(int bits, const uint8_t* bytes, uint8_t* packed, int64_t count) {
  const int perByte = 8 / bits;
  const int mask = (1 << bits) - 1;
  for (int64_t i = 0; i < count; i += perByte) {
    int byte = 0;
    for (int k = 0; k < perByte && i + k < count; ++k)
      byte |= (bytes[i + k] & mask) << (k * bits);
    packed[i / perByte] = static_cast<uint8_t>(byte);
  }
}

}  // namespace cutaway::cpu
