#pragma once
// MaxUnpool: which tensor its indices count, and how large the output is.

#include "engine/operators/window.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

// INVALID_ARGUMENT unless there is a kernel_shape that strides and pads fit.
Result<WindowAttributes> readMaxUnpoolAttributes(const Node& node);

struct UnpooledDims {
  Dims inner;  // what the attributes give; indices count its cells [N, C, ...] in row-major order
  Dims outer;  // of the output: the inner tensor lies at its origin
};
// outputShape: the optional input, in host memory. INVALID_ARGUMENT where input and indices do not fit each other or
// the output does not hold what the attributes give.
Result<UnpooledDims> unpooledDims(const WindowAttributes& attributes, const Tensor& x, const Tensor& indices,
                                  const Tensor* outputShape);

}  // namespace cutaway::operators
