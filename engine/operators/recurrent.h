#pragma once
// RNN, GRU and LSTM in all versions: what a node asks for, and the sizes that its tensors must have.
//
// Source: the ONNX operator specification. Errors are INVALID_ARGUMENT that begin with the operator's name.

#include <array>
#include <limits>
#include <string>

#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

enum class RecurrentKind : uint8_t { kRnn, kGru, kLstm };

// The functions f, g and h that a node may name; x is the sum that goes in.
enum class CellFunctionKind : uint8_t {
  kSigmoid,
  kTanh,
  kRelu,
  kAffine,  // alpha x + beta
  kLeakyRelu,
  kThresholdedRelu,  // x where x >= alpha, unlike the operator of that name
  kScaledTanh,       // alpha tanh(beta x)
  kHardSigmoid,
  kElu,
  kSoftsign,
  kSoftplus
};
struct CellFunctionChoice {
  CellFunctionKind kind = CellFunctionKind::kTanh;
  float alpha = 0, beta = 0;  // the standard's defaults where the file gives none; 0 where it has no such parameter
};

struct RecurrentSettings {
  RecurrentKind kind = RecurrentKind::kRnn;
  std::string opType;
  int64_t gates = 1;  // blocks of rows in W: RNN 1, GRU 3 (z r h), LSTM 4 (i o f c)
  int64_t directions = 1;
  bool reverseOnly = false;                                  // direction 0 runs backwards; direction 1 always does
  std::array<std::array<CellFunctionChoice, 3>, 2> choices;  // by direction: f, g, h as far as the operator has them
  float clip = std::numeric_limits<float>::infinity();       // infinity: none
  bool inputForget = false;                                  // LSTM: f = 1 - i
  bool linearBeforeReset = false;                            // GRU
  bool batchFirst = false;                                   // layout 1
  int64_t hiddenSize = -1;                                   // the attribute; -1 where R alone tells

  size_t functionCount() const;  // a direction
  bool backwards(int64_t direction) const { return reverseOnly || direction == 1; }
  bool clips() const { return clip < std::numeric_limits<float>::infinity(); }
};
// output_sequence (versions 1 and 3) needs nothing: Y is computed where it has a name.
Result<RecurrentSettings> readRecurrent(const Node& node, RecurrentKind kind);

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
  std::array<int64_t, 4> outputDims() const;
  std::array<int64_t, 3> stateDims() const;
};

// The weights alone, which may be constants.
struct RecurrentWeightTensors {
  const Tensor* w = nullptr;
  const Tensor* r = nullptr;
  const Tensor* b = nullptr;  // may be absent
  const Tensor* p = nullptr;  // may be absent
};

// Directions, layout, steps and batch from X, which has three axes.
Result<RecurrentShape> recurrentSequenceShape(const RecurrentSettings& settings, const Tensor& x);
// `meaning` says what the axes stand for.
Result<void> checkRecurrentTensor(const RecurrentSettings& settings, const Tensor& tensor, ElementType type,
                                  std::string_view name, std::string_view meaning, std::span<const int64_t> wanted);
// Shapes and types of W, R, B and P; shape.input and shape.hidden are set from them.
Result<void> checkRecurrentWeights(const RecurrentSettings& settings, const RecurrentWeightTensors& weights,
                                   ElementType type, RecurrentShape& shape);
// B and P, where they are given.
Result<void> checkRecurrentBiases(const RecurrentSettings& settings, const RecurrentWeightTensors& weights,
                                  ElementType type, const RecurrentShape& shape);

struct RecurrentSequenceTensors {
  const Tensor* x = nullptr;
  const Tensor* lengths = nullptr;  // may be absent, as the next two
  const Tensor* initialHidden = nullptr;
  const Tensor* initialCell = nullptr;
};
// X, sequence_lens (its form: what is in it may lie on a device) and the first states against a shape that is complete.
// feedback: numbers that W takes after those of X.
Result<void> checkRecurrentTensors(const RecurrentSettings& settings, const RecurrentShape& shape, ElementType type,
                                   const RecurrentSequenceTensors& tensors, int64_t feedback = 0);

}  // namespace cutaway::operators
