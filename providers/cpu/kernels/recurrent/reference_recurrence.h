#pragma once
// RNN, GRU and LSTM in double, row by row as the standard writes them down: what serves double tensors, and what the
// fast path is tested against.
//
// Thread rule: pure but for the outputs and the context's scratch.
// Example: CUTAWAY_CHECK(runReferenceRecurrence(settings, inputs, outputs, context));

#include "providers/cpu/kernels/recurrent/recurrent_inputs.h"

namespace cutaway::cpu {

// What stands between the rows of X and the cell: AttnLSTM feeds its attention back.
class ReferenceFeedback {
 public:
  virtual ~ReferenceFeedback() = default;
  virtual void start(int64_t direction, int64_t item) = 0;
  virtual const double* input(const double* x) = 0;  // the row the cell gets
  virtual void after(const double* hidden) = 0;
};

Result<void> runReferenceRecurrence(const RecurrentSettings& settings, const RecurrentInputs& inputs,
                                    const RecurrentOutputs& outputs, KernelContext& context,
                                    ReferenceFeedback* feedback = nullptr);

}  // namespace cutaway::cpu
