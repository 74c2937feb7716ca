#pragma once
// A plug-in execution provider of ONNX Runtime as one of ours.
//
// Each target has a host process of its own. What a provider takes is what it asks ONNX Runtime for, kept by the
// recorder between the two. Thread rule: as engine/provider/execution_provider.h says. Example:
//   CUTAWAY_TRY(std::unique_ptr<ExecutionProvider> qnn, createPluginProvider(library, {.options = {{"soc_model",
//   "69"}}}));

#include <memory>

#include "engine/provider/execution_provider.h"
#include "providers/onnxruntime/plugin/plugin_library.h"

namespace cutaway {

// Errors of its options, of the host, and of the library when it is opened.
Result<std::unique_ptr<ExecutionProvider>> createPluginProvider(onnxruntime::PluginLibrary plugin,
                                                                const ProviderRequest& request);

}  // namespace cutaway
