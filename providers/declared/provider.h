#pragma once
// The declared provider: any hardware that a JSON support profile describes, simulated on the CPU kernels.
//
// "declared(TensorRT)" claims and refuses as the profile says; what it claims runs on the session's own kernels, so
// that results of a what-if can be checked. Thread rule: as engine/provider/execution_provider.h says. Example:
// ProviderTable table{declaredProvider(), cpuProvider()};   // --providers "declared(TensorRT){minimum_nodes=5},cpu"

#include "engine/provider/execution_provider.h"

namespace cutaway {

// Its arguments are the names of the profiles that the program ships.
ProviderEntry declaredProvider();

}  // namespace cutaway
