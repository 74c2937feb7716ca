#pragma once
// Groups of plug-in providers in context models: what ONNX Runtime's compile interface makes of a group, kept as it is.
//
// Sections: "onnxruntime.plugin", a line that says which form follows, and "model", ONNX bytes with the provider's own
// EPContext node in them. Thread rule: as ExecutionProvider. Example:
//   CUTAWAY_TRY(ContextPartition partition, exportCompiled(*host, plugin, std::move(request), progress));

#include <memory>
#include <string>

#include "engine/provider/execution_provider.h"
#include "engine/provider/provider_context.h"
#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/plugin/plugin_library.h"
#include "providers/onnxruntime/plugin/plugin_settings.h"

namespace cutaway::onnxruntime {

inline constexpr const char* kPluginFormSection = "onnxruntime.plugin";
inline constexpr std::string_view kPluginForm = "cutaway-onnxruntime-plugin 1";
inline constexpr const char* kPluginModelSection = "model";

// The options that say what it is compiled for, as one text.
std::string hardwareOf(const PluginSettings& settings);

Result<context_binary::ContextPartition> exportCompiled(Host& host, const PluginLibrary& plugin, SessionRequest request,
                                                        const Progress& progress);
// EP_FAIL: the sections are of another form, or the provider refuses what is in them; MODEL_LOAD_CANCELED.
Result<std::shared_ptr<const Kernel>> restoreCompiled(const std::shared_ptr<Host>& host, const PluginLibrary& plugin,
                                                      const SessionSettings& settings, const ContextRestore& stored,
                                                      const Progress& progress);

}  // namespace cutaway::onnxruntime
