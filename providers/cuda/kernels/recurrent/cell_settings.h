#pragma once
// Attributes of RNN, GRU and LSTM in all versions, in the form of the cells' parameter block.
//
// Thread rule: pure. Example: CUTAWAY_TRY(const CellSettings settings, readCellSettings(info));

#include <string>

#include "engine/provider/kernel.h"
#include "providers/cuda/functors/recurrent_functors.h"

namespace cutaway::cuda {

enum class RecurrentKind : uint8_t { kRnn, kGru, kLstm };

struct CellSettings {
  RecurrentKind kind = RecurrentKind::kRnn;
  std::string opType;
  CellParameters cell;      // gates, directions, functions, clip and flags are filled in
  int64_t hiddenSize = -1;  // -1: R alone tells
};

Result<CellSettings> readCellSettings(const KernelInfo& info);

}  // namespace cutaway::cuda
