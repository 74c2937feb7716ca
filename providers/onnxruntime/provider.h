#pragma once
// The ONNX Runtime provider: asks the library in its own process which nodes it takes, creates sessions of groups
// there, and runs them over shared memory.
//
// Thread rule: as engine/provider/execution_provider.h says.
// Example: ProviderTable table{onnxruntimeProvider(), cpuProvider()};

#include "engine/provider/execution_provider.h"

namespace cutaway {

ProviderEntry onnxruntimeProvider();

}  // namespace cutaway
