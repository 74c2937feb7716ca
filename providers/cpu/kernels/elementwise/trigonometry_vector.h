#pragma once
// The tangent, hyperbolic functions (but tanh) and powers of fp32 as vector loops, within one unit of the last place.
//
// In place is fine. Thread rule: pure functions.
// Example: trigonometryLoop(PointwiseOp::kTan)(data, data, count, {});

#include "providers/cpu/kernels/elementwise/pointwise.h"

namespace cutaway::cpu {

// nullptr for operators that are no such function.
FloatLoop trigonometryLoop(PointwiseOp op);

// to[i] = base[i]^exponent[i], special values as the C library's pow has them. A step is 1, or 0 where one element
// meets the whole run.
void vectorPower(const float* base, const float* exponent, float* to, int64_t count, int baseStep, int exponentStep);

}  // namespace cutaway::cpu
