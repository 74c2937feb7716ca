#pragma once
// Max pooling of plain floats in vectors: a plane is folded down its rows first, then along the row that is left.
//
// NaN stays, and a window that covers nothing is minus infinity, as in engine/math/exact_maximum.h. Thread rule: pure
// functions, split over threads by rows of output cells; results do not depend on the split. Example:
// if (fitsVectorRows(window)) maxPoolPlanes(planes, window, x, y);

#include "providers/cpu/kernels/spatial_window.h"

namespace cutaway::cpu {

// Whether a window is narrow enough for maxPoolPlanes.
bool fitsVectorRows(const Window& window);
void maxPoolPlanes(int64_t planes, const Window& window, const float* x, float* y);

}  // namespace cutaway::cpu
