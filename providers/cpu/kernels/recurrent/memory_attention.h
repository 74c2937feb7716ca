#pragma once
// Bahdanau attention over a memory, and the layer behind it: what AttnLSTM feeds back into its cell.
//
// For a row h: scores are V . tanh(keys + h QW) over the memory's valid steps, keys being M MW; the context is the
// softmax of the scores times M; the result is [h, context] AW, or the context itself where there is no AW. Thread
// rule: an object belongs to one run. Example: CUTAWAY_CHECK(attention.start(direction));
// CUTAWAY_CHECK(attention.attend(item, hidden, result));

#include "providers/cpu/kernels/recurrent/recurrent_inputs.h"

namespace cutaway::cpu {

struct MemoryAttentionInputs {
  const Tensor *queryWeights = nullptr, *memoryWeights = nullptr, *vector = nullptr, *memory = nullptr;
  const Tensor* layer = nullptr;     // AW; may be absent
  const int32_t* lengths = nullptr;  // may be absent
  int64_t batch = 0, steps = 0, depth = 0, hidden = 0;
  int64_t keySize = 0;  // columns of QW and MW
  int64_t result = 0;   // numbers fed back

  int64_t length(int64_t item) const { return lengths != nullptr ? lengths[item] : steps; }
};

// Reads inputs 8 to 13 and checks them; hidden is the cell's.
Result<MemoryAttentionInputs> readMemoryAttention(const RecurrentSettings& settings, const KernelContext& context,
                                                  ElementType type, int64_t batch, int64_t hidden);

// T: float or double.
template <typename T>
class MemoryAttention {
 public:
  static Result<MemoryAttention> make(const MemoryAttentionInputs& inputs, KernelContext& context);
  Result<void> start(int64_t direction);
  Result<void> attend(int64_t item, const T* hidden, T* result);

 private:
  MemoryAttentionInputs m_inputs;
  int64_t m_direction = 0;
  T *m_keys = nullptr, *m_query = nullptr, *m_row = nullptr, *m_scores = nullptr, *m_joined = nullptr;
};

}  // namespace cutaway::cpu
