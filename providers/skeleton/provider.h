#pragma once
// The skeleton provider: a complete, commented provider that claims nothing. Clone this folder to start a new one.
//
// Thread rule: as engine/provider/execution_provider.h says.
// Example: ProviderTable table{skeletonProvider(), cpuProvider()};

#include "engine/provider/execution_provider.h"

namespace cutaway {

ProviderEntry skeletonProvider();

}  // namespace cutaway
