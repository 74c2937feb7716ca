#pragma once
// What a node of RNN, GRU or LSTM asks for: its attributes, checked and in a form that the loops read.
//
// Thread rule: plain values. Example: CUTAWAY_TRY(const RecurrentSettings settings, readRecurrentSettings(info,
// RecurrentKind::kLstm));

#include <array>
#include <limits>
#include <string>

#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/recurrent/cell_function.h"

namespace cutaway {

enum class RecurrentKind : uint8_t { kRnn, kGru, kLstm };

struct RecurrentSettings {
  RecurrentKind kind = RecurrentKind::kRnn;
  std::string opType;
  int64_t gates = 1;  // blocks of rows in W: RNN 1, GRU 3 (z r h), LSTM 4 (i o f c)
  int64_t directions = 1;
  bool reverseOnly = false;                              // direction 0 runs backwards; direction 1 always does
  std::array<std::array<CellFunction, 3>, 2> functions;  // by direction: f, g, h as far as the operator has them
  float clip = std::numeric_limits<float>::infinity();   // infinity: none
  bool inputForget = false;                              // LSTM: f = 1 - i
  bool linearBeforeReset = false;                        // GRU
  bool batchFirst = false;                               // layout 1
  int64_t hiddenSize = -1;                               // the attribute; -1 where R alone tells

  bool backwards(int64_t direction) const { return reverseOnly || direction == 1; }
  bool clips() const { return clip < std::numeric_limits<float>::infinity(); }
};

Result<RecurrentSettings> readRecurrentSettings(const KernelInfo& info, RecurrentKind kind);

}  // namespace cutaway
