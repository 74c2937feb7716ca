#pragma once
// Every kernel row of the CPU provider. The build writes the list of units; nothing here names an operator.
//
// Thread rule: made once on first use, read-only then.
// Example: CUTAWAY_TRY(auto outputs, evaluateNode(cpuKernels(), graph, node, inputs));

#include "engine/math/precision.h"
#include "engine/provider/kernel.h"

namespace cutaway::cpu {

const KernelRegistry& cpuKernels();
// The same rows, whose kernels are made with this precision (kernel_settings.h).
const KernelRegistry& cpuKernels(math::Precision precision);

}  // namespace cutaway::cpu
