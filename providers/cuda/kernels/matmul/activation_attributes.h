#pragma once
// The attributes `activation` and its parameters, as fused operators carry them.
//
// Thread rule: pure. Example: CUTAWAY_CHECK(readActivation(info, finish));

#include "providers/cuda/kernels/matmul/product.h"

namespace cutaway::cuda {

// NOT_IMPLEMENTED for a name that is not known; nothing when there is none.
Result<void> readActivation(const KernelInfo& info, ProductFinish& finish);

}  // namespace cutaway::cuda
