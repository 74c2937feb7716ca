#pragma once
// The OpenVINO provider: asks OpenVINO which nodes it supports, compiles groups of them, and runs them over the
// session's memory.
//
// Thread rule: as engine/provider/execution_provider.h says.
// Example: ProviderTable table{openvinoProvider(), cpuProvider()};

#include "engine/provider/execution_provider.h"

namespace cutaway {

ProviderEntry openvinoProvider();

}  // namespace cutaway
