#pragma once
// Carrying out an Einsum: the definition as nested loops, and two fp32 operands as a batch of matrix products.
//
// Thread rule: pure functions over the caller's memory.
// Example: contractByDefinition<double>(labels, {a, b}, y);

#include "engine/operators/einsum.h"
#include "engine/provider/kernel.h"

namespace cutaway::cpu {

using operators::EinsumLabels;

// Any number of operands. Floats are summed in double, integers wrap. y is dense with labels.outputDims.
template <typename T>
void contractByDefinition(const EinsumLabels& labels, std::span<const T* const> operands, T* y);

// Two fp32 operands: labels fall into batch, rows, columns and depth; operands are packed into scratch memory where
// they do not lie so already.
Result<void> contractByProducts(const EinsumLabels& labels, const float* a, const float* b, float* y,
                                KernelContext& context);

// Three and more fp32 operands, none of whose extents is 0: pair by pair, see einsum_pairs.cpp.
Result<void> contractPairwise(const EinsumLabels& labels, std::span<const float* const> operands, float* y,
                              KernelContext& context);

}  // namespace cutaway::cpu
