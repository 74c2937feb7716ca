#pragma once
// The cuda provider: kernels and library operations on NVIDIA GPUs.
//
// Thread rule: as engine/provider/execution_provider.h says.
// Example: ProviderTable table{cudaProvider(), cpuProvider()};

#include "engine/provider/execution_provider.h"

namespace cutaway {

ProviderEntry cudaProvider();

}  // namespace cutaway
