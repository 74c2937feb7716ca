#pragma once
// What Transpose, Slice, Expand, Tile, DepthToSpace and others come to: elements of one tensor at places of another.

#include "engine/tensor/tensor.h"

namespace cutaway::operators {

// Element (i, j, ...) below dims is copied from place i * fromStrides[0] + j * fromStrides[1] + ... to the place that
// toStrides say. Strides count elements and may be zero (repeat) or negative (backwards); no two places written are
// one.
struct StridedMove {
  Dims dims, fromStrides, toStrides;
};

}  // namespace cutaway::operators
