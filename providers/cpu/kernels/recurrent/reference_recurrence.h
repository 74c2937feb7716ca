#pragma once
// RNN, GRU and LSTM in double, row by row as the standard writes them down: what serves double tensors, and what the fast path is tested against.
//
// Thread rule: pure but for the outputs and the context's scratch.
// Example: CUTAWAY_CHECK(runReferenceRecurrence(settings, inputs, outputs, context));

#include "providers/cpu/kernels/recurrent/recurrent_inputs.h"

namespace cutaway {

Result<void> runReferenceRecurrence(const RecurrentSettings& settings, const RecurrentInputs& inputs, const RecurrentOutputs& outputs, KernelContext& context);

}  // namespace cutaway
