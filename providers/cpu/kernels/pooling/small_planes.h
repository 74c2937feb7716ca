#pragma once
// Max pooling of many small planes of floats with stride 1: a few planes at a time are copied one behind the other,
// each with what its windows see beyond its edges, so that vectors pass over the ends of rows and no window is special.
//
// NaN stays, and a window that covers nothing is minus infinity, as in engine/math/exact_maximum.h. Thread rule: pure
// functions, split over threads by planes; results do not depend on the split. Example:
// if (areSmallPlanes(window)) maxPoolSmallPlanes(planes, window, x, y);

#include "providers/cpu/kernels/spatial_window.h"

namespace cutaway::cpu {

// Whether windows move one cell at a time, without gaps, over planes of which several fit into the closest cache.
bool areSmallPlanes(const Window& window);
void maxPoolSmallPlanes(int64_t planes, const Window& window, const float* x, float* y);

}  // namespace cutaway::cpu
