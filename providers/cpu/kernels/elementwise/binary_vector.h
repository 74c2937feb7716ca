#pragma once
// The fp32 loops of the common two-operand operators, vectorised with Highway for the processor at hand.
//
// Thread rule: pure. Example: BinaryLoop add = vectorBinaryLoop(VectorBinary::kAdd);

#include "providers/cpu/kernels/elementwise/binary_kernel.h"

namespace cutaway::cpu {

enum class VectorBinary : uint8_t { kAdd, kSub, kMul, kDiv, kMax, kMin, kPRelu };

BinaryLoop vectorBinaryLoop(VectorBinary op);

// The same as a function to name in templates.
template <VectorBinary op>
int64_t vectorBinaryRun(const void* a, const void* b, void* y, int64_t count, int aStep, int bStep) {
  static const BinaryLoop loop = vectorBinaryLoop(op);
  return loop(a, b, y, count, aStep, bStep);
}

}  // namespace cutaway::cpu
