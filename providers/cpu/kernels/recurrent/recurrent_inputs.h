#pragma once
// The tensors of one run of RNN, GRU or LSTM, checked against each other, and where rows lie in both layouts.
//
// Thread rule: plain values that point into a run's tensors.
// Example: CUTAWAY_TRY(const RecurrentInputs inputs, readRecurrentInputs(settings, context, ElementType::kFloat));

#include "providers/cpu/kernels/recurrent/recurrent_settings.h"

namespace cutaway::cpu {

struct RecurrentInputs {
  RecurrentShape shape;
  const Tensor* x = nullptr;
  RecurrentWeightTensors weights;
  const int32_t* lengths = nullptr;  // may be absent, as the next two
  const Tensor* initialHidden = nullptr;
  const Tensor* initialCell = nullptr;
  int64_t feedback = 0;  // numbers that W takes after those of X (AttnLSTM)

  int64_t length(int64_t item) const { return lengths != nullptr ? lengths[item] : shape.steps; }
};

// Y, Y_h, Y_c; nullptr where the node has none.
struct RecurrentOutputs {
  Tensor* y = nullptr;
  Tensor* hidden = nullptr;
  Tensor* cell = nullptr;
};

using operators::checkRecurrentBiases;
using operators::checkRecurrentTensor;
using operators::checkRecurrentWeights;

Result<RecurrentInputs> readRecurrentInputs(const RecurrentSettings& settings, const KernelContext& context,
                                            ElementType type);

// The steps of it, for weights of another form. The tensors as they come, with steps and batch from X.
Result<RecurrentInputs> gatherRecurrentInputs(const RecurrentSettings& settings, const KernelContext& context);
// X, sequence_lens and the first states against a shape that is complete.
Result<void> checkRecurrentSequence(const RecurrentSettings& settings, const KernelContext& context, ElementType type,
                                    RecurrentInputs& inputs);
Result<RecurrentOutputs> makeRecurrentOutputs(const RecurrentSettings& settings, const RecurrentShape& shape,
                                              KernelContext& context);

}  // namespace cutaway::cpu
