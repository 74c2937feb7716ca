#pragma once
// Attributes of RNN, GRU and LSTM in all versions (engine/operators/recurrent.h), in the form of the cells' parameter
// block.
//
// Thread rule: pure. Example: CUTAWAY_TRY(const CellSettings settings, readCellSettings(info));

#include "engine/operators/recurrent.h"
#include "engine/provider/kernel.h"
#include "providers/cuda/functors/recurrent_functors.h"

namespace cutaway::cuda {

struct CellSettings : operators::RecurrentSettings {
  CellParameters cell;  // gates, directions, functions, clip and flags are filled in
};

Result<CellSettings> readCellSettings(const KernelInfo& info);

}  // namespace cutaway::cuda
