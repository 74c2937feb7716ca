#pragma once
// The functions f, g and h of a recurrent cell: as a definition in double, and as loops over floats.
//
// Thread rule: plain values and pure functions.
// Example: const CellFunction gate = cellFunction(settings.choices[0][0]);  gate.loop(row, row, count,
// gate.parameters);

#include "engine/operators/recurrent.h"
#include "providers/cpu/kernels/elementwise/pointwise.h"

namespace cutaway::cpu {

struct CellFunction {
  enum class Kind : uint8_t { kAffine, kScaledTanh, kThresholdedRelu, kPointwise };
  Kind kind = Kind::kPointwise;
  cpu::PointwiseOp op = cpu::PointwiseOp::kTanh;  // of kPointwise
  cpu::PointwiseParameters parameters;
  cpu::FloatLoop loop = nullptr;
};

CellFunction cellFunction(const operators::CellFunctionChoice& choice);

// The definition.
double cellValue(const CellFunction& function, double x);

}  // namespace cutaway::cpu
