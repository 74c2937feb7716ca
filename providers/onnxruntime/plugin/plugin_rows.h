#pragma once
// Plug-in execution providers in the list of providers: "qnn", "webgpu", any name that a library was given.
//
// Thread rule: any thread; files are looked for, no library is opened. Example:
//   ProviderTable table = pluginProviders();   table.push_back(cpuProvider());

#include "engine/provider/execution_provider.h"

namespace cutaway {

// One row for each library that is known, found or named (plugin/plugin_library.h).
ProviderTable pluginProviders();
// Whether the provider of this name is a plug-in that must be told more before it can be made, such as a target.
// Nothing is opened or started.
bool needsOptions(const std::string& name);

}  // namespace cutaway
