#pragma once
// Sums and products of two runs of quantised bytes, by vector loops: y = round(result / scale + zero point). Unlike
// QuantizeLinear, whose zero point comes after rounding, so that exact halves go to the other neighbour where it is
// odd.
//
// Thread rule: pure functions.
// Example: byteArithmetic().add({a, 1}, {b, 0}, count, {.isSigned = true, .factorA = sa / sy, .factorB = sb / sy,
// .zeroA = za, .zeroB = zb, .zeroY = zy}, y);

#include <cstdint>

namespace cutaway::cpu {

struct ByteRun {
  const uint8_t* data = nullptr;
  int step = 1;  // 0: one element for the whole run
};

struct ByteArithmeticTerms {
  bool isSigned = false;
  float factorA = 1, factorB = 1;  // of the sum; the product takes factorA alone
  int32_t zeroA = 0, zeroB = 0, zeroY = 0;
};

struct ByteArithmetic {
  // round((a - za) * factorA + (b - zb) * factorB + zy)
  void (*add)(const ByteRun& a, const ByteRun& b, int64_t count, const ByteArithmeticTerms& terms, uint8_t* y);
  // round((a - za) * (b - zb) * factorA + zy)
  void (*multiply)(const ByteRun& a, const ByteRun& b, int64_t count, const ByteArithmeticTerms& terms, uint8_t* y);
};
const ByteArithmetic& byteArithmetic();

}  // namespace cutaway::cpu
