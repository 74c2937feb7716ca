#pragma once
// Max pooling of planes of floats that stay as large as they are (stride 1, padded): all planes are one run of numbers,
// which vectors go along without stopping at the ends of rows or planes. What a window sees beyond an edge is left out
// by masks, which come back after as many planes as fill whole vectors.
//
// NaN stays, as in engine/math/exact_maximum.h. Thread rule: pure functions, split over threads by planes; results do
// not depend on the split. Example: if (areEqualPlanes(window)) maxPoolEqualPlanes(planes, window, x, y);

#include "providers/cpu/kernels/spatial_window.h"

namespace cutaway::cpu {

// Whether results lie where cells do, the masks of such planes are few, and this processor has masked vectors
// (AVX-512).
bool areEqualPlanes(const Window& window);
void maxPoolEqualPlanes(int64_t planes, const Window& window, const float* x, float* y);

}  // namespace cutaway::cpu
