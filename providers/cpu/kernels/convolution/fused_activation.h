#pragma once
// Activations as fused operators carry them: the attributes `activation` and `activation_params`.
//
// Thread rule: pure functions. Example: CUTAWAY_TRY(const math::Activation activation, readFusedActivation(info));

#include "engine/math/activation.h"
#include "engine/provider/kernel.h"

namespace cutaway::cpu {

// NOT_IMPLEMENTED for a name we do not know; none when the attribute is absent.
Result<math::Activation> readFusedActivation(const KernelInfo& info);

}  // namespace cutaway::cpu
