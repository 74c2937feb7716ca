#pragma once
// Average pooling in vectors of floats that lie channels last: a window's cells are summed into the output cell,
// channel by channel.
//
// Thread rule: a pure function, split over threads by rows of output cells; results do not depend on the split.
// Example: averageCells(images, channels, window, includePadding, x, y);

#include "providers/cpu/kernels/spatial_window.h"

namespace cutaway::cpu {

// A window that covers nothing is 0.
void averageCells(int64_t images, int64_t channels, const Window& window, bool includePadding, const float* x,
                  float* y);

}  // namespace cutaway::cpu
