#pragma once
// The weights of a recurrent node in the order the fast path reads: W and R in panels, both biases added up, each gate
// padded to whole vectors.
//
// Thread rule: the plan is a value; packing writes only where it is told.
// Example: CUTAWAY_TRY(const PackedWeightsPlan plan, planWeights(settings, shape));  packWeights(plan, settings,
// tensors, memory);  plan.of(memory, direction).input

#include "providers/cpu/kernels/recurrent/recurrent_inputs.h"

namespace cutaway::cpu {

// One direction.
struct PackedWeights {
  const float* input;          // panels [input, gates x padded]
  const float* recurrent;      // panels [hidden, gates x padded]; GRU: the gates z and r only
  const float* candidate;      // GRU: panels [hidden, padded]
  const float* bias;           // [gates x padded]: Wb + Rb, but for what candidateBias holds
  const float* candidateBias;  // GRU with linear_before_reset: Rb of the candidate [padded]
  const float* peephole;       // [3 x padded]; nullptr: none
};

struct PackedWeightsPlan {
  RecurrentShape shape;  // input, hidden and directions count
  int64_t gates = 1;
  int64_t padded = 0;  // hidden, rounded up to whole vectors
  bool peephole = false;
  int64_t recurrentGates = 1;
  int64_t floatsPerDirection = 0;

  int64_t totalFloats() const { return floatsPerDirection * shape.directions; }
  PackedWeights of(const float* memory, int64_t direction) const;
};

Result<PackedWeightsPlan> planWeights(const RecurrentSettings& settings, const RecurrentShape& shape, bool peephole);
// The tensors have been checked and hold floats; memory takes totalFloats().
void packWeights(const PackedWeightsPlan& plan, const RecurrentSettings& settings,
                 const RecurrentWeightTensors& tensors, float* memory);

}  // namespace cutaway::cpu
