#pragma once
// What a node of RNN, GRU or LSTM asks for (engine/operators/recurrent.h), with its functions as loops.
//
// Thread rule: plain values. Example: CUTAWAY_TRY(const RecurrentSettings settings, readRecurrentSettings(info,
// RecurrentKind::kLstm));

#include <array>

#include "engine/operators/recurrent.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/recurrent/cell_function.h"

namespace cutaway::cpu {

using operators::RecurrentKind;
using operators::RecurrentShape;
using operators::RecurrentWeightTensors;

struct RecurrentSettings : operators::RecurrentSettings {
  std::array<std::array<CellFunction, 3>, 2> functions;  // of `choices`
};

Result<RecurrentSettings> readRecurrentSettings(const KernelInfo& info, RecurrentKind kind);

}  // namespace cutaway::cpu
