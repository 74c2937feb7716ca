#pragma once
// A window as the shapes of engine/math have it.
//
// Thread rule: pure. Example: copyPaddedWindow(geometry.window, &Window::overhang, shape);

#include "engine/math/convolution.h"
#include "providers/cpu/kernels/spatial_window.h"

namespace cutaway::cpu {

// Rank and extents; what pads behind differs by operator and is left as it is. shape: any with spatialRank and
// SpatialDims of these names.
template <typename Shape>
void copyWindow(const Window& window, Shape& shape) {
  shape.spatialRank = window.rank;
  for (size_t axis = 0; axis < window.rank && axis < math::kMaxSpatialRank; ++axis) {
    shape.input[axis] = window.input[axis];
    shape.output[axis] = window.output[axis];
    shape.kernel[axis] = window.kernel[axis];
    shape.strides[axis] = window.strides[axis];
    shape.dilations[axis] = window.dilations[axis];
    shape.padsBegin[axis] = window.padsBegin[axis];
  }
}

// The same with what pads behind: &Window::overhang or &Window::transposedOverhang.
template <typename Shape>
void copyPaddedWindow(const Window& window, int64_t (Window::*behind)(size_t) const, Shape& shape) {
  copyWindow(window, shape);
  for (size_t axis = 0; axis < window.rank && axis < math::kMaxSpatialRank; ++axis)
    shape.padsEnd[axis] = (window.*behind)(axis);
}

}  // namespace cutaway::cpu
