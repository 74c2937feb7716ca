#pragma once
// Max pooling in vectors of tensors that lie channels last, floats and bytes: a window's cells are folded into the
// output cell, channel by channel.
//
// Of floats, NaN stays, and a window that covers nothing is minus infinity, as in engine/math/exact_maximum.h. Thread
// rule: pure functions, split over threads by rows of output cells; results do not depend on the split.
// Example: maxPoolCells(images, channels, window, x, y);

#include "providers/cpu/kernels/spatial_window.h"

namespace cutaway::cpu {

void maxPoolCells(int64_t images, int64_t channels, const Window& window, const float* x, float* y);
void maxPoolCells(int64_t images, int64_t channels, const Window& window, const int8_t* x, int8_t* y);
void maxPoolCells(int64_t images, int64_t channels, const Window& window, const uint8_t* x, uint8_t* y);

}  // namespace cutaway::cpu
