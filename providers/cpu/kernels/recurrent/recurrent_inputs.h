#pragma once
// The tensors of one run of RNN, GRU or LSTM, checked against each other, and where rows lie in both layouts.
//
// Thread rule: plain values that point into a run's tensors.
// Example: CUTAWAY_TRY(const RecurrentInputs inputs, readRecurrentInputs(settings, context, ElementType::kFloat));

#include "providers/cpu/kernels/recurrent/recurrent_settings.h"

namespace cutaway {

struct RecurrentShape {
  int64_t steps = 0, batch = 0, input = 0, hidden = 0, directions = 1;
  bool batchFirst = false;

  // Rows of X.
  int64_t xRow(int64_t step, int64_t item) const { return batchFirst ? item * steps + step : step * batch + item; }
  // Rows of Y: [steps, directions, batch] or [batch, steps, directions].
  int64_t yRow(int64_t step, int64_t direction, int64_t item) const {
    return batchFirst ? (item * steps + step) * directions + direction : (step * directions + direction) * batch + item;
  }
  // Rows of the first and last states: [directions, batch] or [batch, directions].
  int64_t stateRow(int64_t direction, int64_t item) const {
    return batchFirst ? item * directions + direction : direction * batch + item;
  }
};

// The weights alone, which may be constants.
struct RecurrentWeightTensors {
  const Tensor* w = nullptr;
  const Tensor* r = nullptr;
  const Tensor* b = nullptr;  // may be absent
  const Tensor* p = nullptr;  // may be absent
};

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

// Shapes and types of W, R, B and P; shape.input and shape.hidden are set from them.
Result<void> checkRecurrentWeights(const RecurrentSettings& settings, const RecurrentWeightTensors& weights,
                                   ElementType type, RecurrentShape& shape);
Result<RecurrentInputs> readRecurrentInputs(const RecurrentSettings& settings, const KernelContext& context,
                                            ElementType type);

// The steps of it, for weights of another form. The tensors as they come, with steps and batch from X.
Result<RecurrentInputs> gatherRecurrentInputs(const RecurrentSettings& settings, const KernelContext& context);
// `meaning` says what the axes stand for.
Result<void> checkRecurrentTensor(const RecurrentSettings& settings, const Tensor& tensor, ElementType type,
                                  std::string_view name, std::string_view meaning, std::span<const int64_t> wanted);
// B and P, where they are given.
Result<void> checkRecurrentBiases(const RecurrentSettings& settings, const RecurrentWeightTensors& weights,
                                  ElementType type, const RecurrentShape& shape);
// X, sequence_lens and the first states against a shape that is complete.
Result<void> checkRecurrentSequence(const RecurrentSettings& settings, const KernelContext& context, ElementType type,
                                    RecurrentInputs& inputs);
Result<RecurrentOutputs> makeRecurrentOutputs(const RecurrentSettings& settings, const RecurrentShape& shape,
                                              KernelContext& context);

}  // namespace cutaway
