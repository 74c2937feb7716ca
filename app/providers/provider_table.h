#pragma once
// The providers that this build has: the one place where they are named.
//
// Thread rule: pure. Example: const ProviderTable table = builtProviders();

#include "engine/provider/execution_provider.h"

namespace cutaway {

// In the order `cutaway-cli providers` lists them; cpu last.
ProviderTable builtProviders();

}  // namespace cutaway
