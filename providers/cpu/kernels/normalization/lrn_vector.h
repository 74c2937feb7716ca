#pragma once
// The fp32 loop of LRN with the exponent 0.75, compiled once per instruction set.
//
// Thread rule: pure function. Example: see lrn.cpp.

#include <cstdint>

namespace cutaway::cpu {

// to[i] = x[i] / (bias + factor * (sum of squares of neighbours' i)) ^ 0.75 for `cells` cells. neighbours: that many
// planes of `cells` cells behind each other; x: one of them.
void normalizeAcross(const float* neighbours, int64_t planes, const float* x, int64_t cells, float factor, float bias,
                     float* to);

}  // namespace cutaway::cpu
