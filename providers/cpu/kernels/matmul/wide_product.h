#pragma once
// The matrix product of number types that oneDNN does not multiply: double, and 32 and 64-bit integers. Vectorised with
// Highway for the processor at hand.
//
// Columns go in panels of two vectors, depth in blocks, so that a packed block of B stays in the first cache; up to
// eight rows share what is read of it. Same results as multiplyReference (product_reference.h), but for the order in
// which doubles are added. Thread rule: pure functions, split over threads by row block and panel. Example:
// multiplyWide<double>({.rows = m, .columns = n, .depth = k, .rowStrideA = k, .rowStrideB = n}, a, b, c);

#include "providers/cpu/kernels/matmul/product_reference.h"

namespace cutaway::cpu {

// T: double and the integers of 32 and 64 bits; those wrap.
template <typename T>
void multiplyWide(const ProductGeometry& geometry, const T* a, const T* b, T* c);

}  // namespace cutaway::cpu
