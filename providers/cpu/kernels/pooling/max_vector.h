#pragma once
// Max pooling in vectors: of floats, for plain tensors and for those that lie channels last, and of bytes that lie
// channels last.
//
// Of floats, NaN stays, and a window that covers nothing is minus infinity, as in engine/math/exact_maximum.h. A plain
// plane is folded down its rows first, then along the row that is left; channels last, a window's cells are folded
// channel by channel. Thread rule: pure functions, split over threads by rows of output cells; results do not depend on
// the split. Example: if (fitsVectorRows(window)) maxPoolPlanes(planes, window, x, y);

#include "providers/cpu/kernels/spatial_window.h"

namespace cutaway::cpu {

// Whether a window is narrow enough for maxPoolPlanes.
bool fitsVectorRows(const Window& window);
void maxPoolPlanes(int64_t planes, const Window& window, const float* x, float* y);

void maxPoolCells(int64_t images, int64_t channels, const Window& window, const float* x, float* y);
void maxPoolCells(int64_t images, int64_t channels, const Window& window, const int8_t* x, int8_t* y);
void maxPoolCells(int64_t images, int64_t channels, const Window& window, const uint8_t* x, uint8_t* y);

}  // namespace cutaway::cpu
