#pragma once
// What the user says of a plug-in provider, split into what is ours and what goes to the provider.
//
// Ours are library, ep, folder, timeout, level, threads and minimum_nodes; "env.NAME" is a variable that the provider's
// library finds in its process; another key with a dot is a session key of ONNX Runtime; everything else is an option
// of the provider, checked against the table of its version. In a value, '+' stands between the entries of a list,
// because a comma would end the option. Thread rule: plain values. Example:
//   CUTAWAY_TRY(const PluginSettings settings, readPluginSettings(plugin, request.options));

#include <string>
#include <vector>

#include "engine/provider/provider_entry.h"
#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/plugin/plugin_library.h"

namespace cutaway::onnxruntime {

struct PluginSettings {
  std::string folder;         // of ONNX Runtime's library; empty: searched
  SessionSettings session{};  // one provider, the plug-in's; level: none
  double timeoutSeconds = 600;
  int64_t minimumNodes = 1;
  std::vector<std::string> notes{};  // worth saying about the options
  bool onSoftware = false;           // found when it is opened: its device is an adapter that computes on the CPU
};

// INVALID_ARGUMENT naming the option, the value seen, and what is allowed.
Result<PluginSettings> readPluginSettings(const PluginLibrary& plugin, const ProviderOptions& options);
// All that makes one target another: a provider may keep the first of its process.
std::string targetOf(const PluginSettings& settings);

}  // namespace cutaway::onnxruntime
