#pragma once
// Private to engine/math: how 8-bit products stay exact on processors that add pairs of products in saturating 16-bit
// numbers.
//
// Without VNNI the library multiplies unsigned by signed bytes with instructions whose pairwise sums saturate at 16
// bits: 255 * 127 * 2 does not fit. Weights of seven bits do fit (255 * 64 * 2 = 32640), so a weight w is split into w
// = 2 * (w >> 1) + (w & 1), two products are made and put together in 32 bits. Thread rule: pure functions. Example: if
// (!addsExactly()) splitHalves(weights, high, low);

#include <cstddef>
#include <cstdint>
#include <span>

namespace cutaway::math {

// Whether the library's 8-bit products are exact here as they are.
bool addsExactly();

// weights[i] == 2 * high[i] + low[i] with high in -64..63 and low 0 or 1.
void splitHalves(std::span<const int8_t> weights, int8_t* high, int8_t* low);

// high[i] = 2 * high[i] + low[i], modulo 2^32.
void joinHalves(int32_t* high, const int32_t* low, size_t count);

}  // namespace cutaway::math
