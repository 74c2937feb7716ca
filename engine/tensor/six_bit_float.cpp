#include "engine/tensor/six_bit_float.h"

#include <algorithm>

namespace cutaway {

void unpackSixBits(const void* file, uint8_t* memory, int64_t count) {
  const auto* bytes = static_cast<const uint8_t*>(file);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t bit = i % 4 * 6;
    const uint8_t* at = bytes + i / 4 * 3 + bit / 8;
    const int shift = static_cast<int>(bit % 8);
    unsigned code = *at >> shift;
    if (shift > 2) code |= static_cast<unsigned>(at[1]) << (8 - shift);
    memory[i] = static_cast<uint8_t>(code & 0x3F);
  }
}

void packSixBits(const uint8_t* memory, void* file, int64_t count) {
  auto* bytes = static_cast<uint8_t*>(file);
  std::fill_n(bytes, sixBitFileBytes(count), uint8_t{0});  // for no elements it may be nullptr
  for (int64_t i = 0; i < count; ++i) {
    const int64_t bit = i % 4 * 6;
    uint8_t* at = bytes + i / 4 * 3 + bit / 8;
    const int shift = static_cast<int>(bit % 8);
    const unsigned code = memory[i] & 0x3Fu;
    at[0] = static_cast<uint8_t>(at[0] | code << shift);
    if (shift > 2) at[1] = static_cast<uint8_t>(code >> (8 - shift));
  }
}

}  // namespace cutaway
