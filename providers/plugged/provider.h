#pragma once
// The provider that runs the operators of plug-ins.
//
// Thread rule: as ExecutionProvider. Example: addPluggedProvider(options.providers);

#include "engine/provider/provider_entry.h"

namespace cutaway {

ProviderEntry pluggedProvider();

}  // namespace cutaway
