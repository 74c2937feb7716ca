#pragma once
// The oneDNN provider: compiles groups of nodes to oneDNN primitives, fused and in blocked layouts.
//
// Thread rule: as engine/provider/execution_provider.h says.
// Example: ProviderTable table{onednnProvider(), cpuProvider()};

#include "engine/provider/execution_provider.h"

namespace cutaway {

ProviderEntry onednnProvider();

}  // namespace cutaway
