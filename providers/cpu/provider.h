#pragma once
// The CPU provider: runs every operator of its kernel table in host memory. Always the last one asked.
//
// Thread rule: as ExecutionProvider.
// Example: ProviderTable table{cpuProvider()};

#include "engine/provider/execution_provider.h"

namespace cutaway {

ProviderEntry cpuProvider();

}  // namespace cutaway
