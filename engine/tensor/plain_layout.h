#pragma once
// The row-major copy of a tensor whose elements lie in another memory layout.
//
// Thread rule: pure. Example: CUTAWAY_TRY(Tensor plain, inPlainLayout(tensor, value.type.layout));

#include "engine/tensor/shape.h"
#include "engine/tensor/tensor.h"

namespace cutaway {

// A fresh tensor of the same dims. NOT_IMPLEMENTED for elements below a byte and for tensors of fewer than 2 axes,
// which have the plain layout only.
Result<Tensor> inPlainLayout(const Tensor& from, Layout layout);

}  // namespace cutaway
