#pragma once
// How far two tensors that should be the same are apart.
//
// Thread rule: pure. Example: ValueAccuracy accuracy;  measureError(a, b, {1e-3, 1e-5}, accuracy);

#include "engine/report/accuracy_report.h"
#include "engine/tensor/runtime_value.h"

namespace cutaway::study {

struct ErrorTolerance {
  double relative = 1e-3;
  double absolute = 1e-5;
};

// Fills the numbers and `problem` of the result; b is the reference of relative measures. An element is outside when |a
// - b| > absolute + relative * |b|, or one is NaN or infinite and the other is not the same. Types may differ as long
// as both are numbers; strings and packed types are compared exactly. Two passes over memory, doubles.
void measureError(const RuntimeValue& a, const RuntimeValue& b, const ErrorTolerance& tolerance, ValueAccuracy& result);

}  // namespace cutaway::study
