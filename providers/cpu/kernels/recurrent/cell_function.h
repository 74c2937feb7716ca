#pragma once
// The functions f, g and h of a recurrent cell: by name, as a definition in double, and as loops over floats.
//
// Thread rule: plain values and pure functions.
// Example: CUTAWAY_TRY(CellFunction gate, cellFunction("LSTM", "HardSigmoid", {0.2f}, {0.5f}));  gate.loop(row, row,
// count, gate.parameters);

#include <string_view>

#include "engine/base/result.h"
#include "providers/cpu/kernels/elementwise/pointwise.h"

namespace cutaway {

struct CellFunction {
  enum class Kind : uint8_t { kAffine, kScaledTanh, kThresholdedRelu, kPointwise };
  Kind kind = Kind::kPointwise;
  cpu::PointwiseOp op = cpu::PointwiseOp::kTanh;  // of kPointwise
  cpu::PointwiseParameters parameters;
  cpu::FloatLoop loop = nullptr;
};

// How many numbers a function takes from activation_alpha and activation_beta.
struct CellFunctionNeeds {
  bool alpha = false;
  bool beta = false;
};

// Names are compared without regard to case, as files of several exporters need it.
Result<CellFunctionNeeds> cellFunctionNeeds(std::string_view opType, std::string_view name);
// alpha, beta: nullptr where the file gives none; the standard's default is taken then.
Result<CellFunction> cellFunction(std::string_view opType, std::string_view name, const float* alpha,
                                  const float* beta);

// The definition.
double cellValue(const CellFunction& function, double x);

}  // namespace cutaway
