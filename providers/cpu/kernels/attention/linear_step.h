#pragma once
// One token of linear attention for one head: the state of [keySize, valueSize] decays, takes up the key's outer
// product with what is new of the value, and is read by a query.
//
// Columns of the state do not depend on each other, so they are walked in strips that stay in the nearest cache.
// Thread rule: pure functions over memory of the caller.
// Example: linearStep({.decay = nullptr, .key = k, .value = v, .query = q, .rate = 1.0f, .delta = true, .keySize = 64,
// .valueSize = 64}, state, out);

#include <cstdint>

namespace cutaway::cpu::attention {

struct LinearStep {
  const float* decay = nullptr;  // a factor a row; nullptr: none
  const float* key = nullptr;
  const float* value = nullptr;
  const float* query = nullptr;  // scaled
  float rate = 1.0f;
  bool delta = false;  // only what the state does not say about the key yet is taken up
  int64_t keySize = 0, valueSize = 0;
};

// The definition, for the columns from `first` on.
inline void linearStepReference(const LinearStep& step, int64_t first, float* state, float* out) {
  for (int64_t c = first; c < step.valueSize; ++c) {
    float known = 0.0f, sum = 0.0f;
    for (int64_t i = 0; i < step.keySize; ++i) {
      float& each = state[i * step.valueSize + c];
      if (step.decay != nullptr) each *= step.decay[i];
      if (step.delta) known += step.key[i] * each;
    }
    const float rest = step.rate * (step.value[c] - known);
    for (int64_t i = 0; i < step.keySize; ++i) {
      float& each = state[i * step.valueSize + c];
      each += step.key[i] * rest;
      sum += step.query[i] * each;
    }
    out[c] = sum;
  }
}

// The same by vectors.
void linearStep(const LinearStep& step, float* state, float* out);
// What another query reads from the state as it is.
void readState(const LinearStep& step, const float* state, float* out);

}  // namespace cutaway::cpu::attention
