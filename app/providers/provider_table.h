#pragma once
// The providers that this build has: the one place where they are named.
//
// Thread rule: pure. Example: const ProviderTable table = builtProviders();

#include "engine/provider/execution_provider.h"

namespace cutaway {

// In the order `cutaway-cli providers` lists them; cpu last.
ProviderTable builtProviders();

// What `--providers` takes, as its help says it, in the window and on the command line.
inline constexpr const char* kProviderListHelp =
    "execution providers, highest priority first, as name, name(argument) or name{key=value}; cpu takes what the "
    "others leave; auto: the best that is known, see cutaway-cli tune; all: every real one that is here";
inline constexpr const char* kProviderListForm = "A,B,cpu|auto|all";

}  // namespace cutaway
