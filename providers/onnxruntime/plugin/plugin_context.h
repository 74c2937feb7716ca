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
#include "engine/provider/vendor_contexts.h"
#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/plugin/plugin_library.h"
#include "providers/onnxruntime/plugin/plugin_settings.h"

namespace cutaway::onnxruntime {

inline constexpr std::string_view kPluginForm = "cutaway-onnxruntime-plugin 1";

// The options that say what it is compiled for, as one text.
std::string hardwareOf(const PluginSettings& settings);

// chips: that the request names, for the notes (target_chips.h).
Result<context_binary::ContextPartition> exportCompiled(Host& host, const PluginLibrary& plugin, SessionRequest request,
                                                        const std::vector<std::string>& chips,
                                                        const Progress& progress);
// Why contexts with this ep_compatibility_info are not for the target of these settings, or do not load here; empty:
// nothing is known that speaks against it.
std::string objectionTo(const std::string& compatibilityInfo, const PluginLibrary& plugin,
                        const PluginSettings& settings);
// EP_FAIL: the provider refuses the bytes; MODEL_LOAD_CANCELED.
Result<std::shared_ptr<const Kernel>> restoreVendor(const std::shared_ptr<Host>& host, const PluginLibrary& plugin,
                                                    const SessionSettings& settings, const VendorContext& context,
                                                    const Progress& progress);
// A kernel of what was compiled of a group in this process. EP_FAIL: the provider does not load it, or left nodes of
// the group to the CPU; MODEL_LOAD_CANCELED.
Result<std::shared_ptr<const Kernel>> loadCompiled(const std::shared_ptr<Host>& host, const PluginLibrary& plugin,
                                                   const SessionSettings& settings,
                                                   const context_binary::ContextPartition& partition,
                                                   const Graph& group, const Progress& progress);
// EP_FAIL: the sections are of another form, or the provider refuses what is in them; MODEL_LOAD_CANCELED.
Result<std::shared_ptr<const Kernel>> restoreCompiled(const std::shared_ptr<Host>& host, const PluginLibrary& plugin,
                                                      const SessionSettings& settings, const ContextRestore& stored,
                                                      const Progress& progress);

}  // namespace cutaway::onnxruntime
