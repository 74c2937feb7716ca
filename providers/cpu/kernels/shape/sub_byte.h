#pragma once
// 4- and 2-bit elements, one byte each and packed again: operators that move elements work on the bytes in between.
//
// Packed elements fill a byte from its low bits up. Unpacked bytes hold the raw bits (no sign extension).
// Thread rule: pure functions.
// Example: unpackBits(4, packed, bytes, count);  ...  packBits(4, bytes, packed, count);

#include <cstdint>

namespace cutaway::cpu {

void unpackBits(int bits, const uint8_t* packed, uint8_t* bytes, int64_t count);
// Bits of the last byte that no element uses are zero.
void packBits(int bits, const uint8_t* bytes, uint8_t* packed, int64_t count);

}  // namespace cutaway::cpu
