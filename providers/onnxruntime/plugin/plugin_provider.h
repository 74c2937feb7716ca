#pragma once
// ONNX Runtime's plug-in execution providers as providers of ours: "qnn", "webgpu", any name that a library was given.
//
// Each target has a host process of its own. What a provider takes is what it asks ONNX Runtime for, kept by the
// recorder between the two. Thread rule: as engine/provider/execution_provider.h says. Example:
//   ProviderTable table = pluginProviders();   table.push_back(cpuProvider());

#include "engine/provider/execution_provider.h"

namespace cutaway {

// One row for each library that is known, found or named (plugin/plugin_library.h).
ProviderTable pluginProviders();
// Whether the provider of this name is a plug-in that must be told more before it can be made, such as a target.
// Nothing is opened or started.
bool needsOptions(const std::string& name);

}  // namespace cutaway
