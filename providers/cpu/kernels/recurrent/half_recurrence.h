#pragma once
// Recurrent operators over halves whose weights are packed already: only the sequence, the states and the results pass
// between the formats.
//
// Thread rule: as runFastRecurrence. Example: return runHalfRecurrence(settings, plan, packed, ElementType::kFloat16,
// context);

#include "providers/cpu/kernels/recurrent/recurrent_weights.h"

namespace cutaway::cpu {

Result<void> runHalfRecurrence(const RecurrentSettings& settings, const PackedWeightsPlan& plan, const float* packed,
                               ElementType type, KernelContext& context);

}  // namespace cutaway::cpu
