#pragma once
// RNN, GRU and LSTM of floats: the input's part of the sums for many steps at once, the recurrent part step by step
// over packed weights, gates in vector loops.
//
// Thread rule: pure but for the outputs and the context's scratch. Directions and groups of items run on threads of
// their own; a single row splits its products. Example: CUTAWAY_CHECK(runFastRecurrence(settings, plan, packed, inputs,
// outputs, context));

#include "providers/cpu/kernels/recurrent/recurrent_weights.h"

namespace cutaway::cpu {

// packed: nullptr when the weights are not constants; they are packed into scratch then.
Result<void> runFastRecurrence(const RecurrentSettings& settings, const PackedWeightsPlan& plan, const float* packed,
                               const RecurrentInputs& inputs, const RecurrentOutputs& outputs, KernelContext& context);

}  // namespace cutaway::cpu
