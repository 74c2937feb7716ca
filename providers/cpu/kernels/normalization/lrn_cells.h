#pragma once
// Local response normalisation of floats that lie channels last, with the exponent 0.75 of every published network.
//
// Thread rule: pure. Example: normalizeLrnCell(x, y, channels, 2, 2, alpha / size, bias, squares);

#include <cstdint>

namespace cutaway::cpu {

// The channels of one cell, which lie beside each other: y = x / (bias + factor * sum of the squares of the neighbours)
// ^ 0.75, by two square roots. squares: room for channels + before + after numbers, of which the first `before` and the
// last `after` are zero.
void normalizeLrnCell(const float* x, float* y, int64_t channels, int64_t before, int64_t after, float factor,
                      float bias, float* squares);

}  // namespace cutaway::cpu
