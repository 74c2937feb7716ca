#pragma once
// What a library of plug-in providers offers on this machine.
//
// Thread rule: any thread. Example: const PluginOffer offer = askOffer(plugin);   show(offer.devices, offer.problem);

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/plugin/plugin_library.h"
#include "providers/onnxruntime/plugin/plugin_settings.h"
#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

struct PluginOffer {
  std::vector<DeviceFacts> devices;
  std::string problem;      // why there are none, or none could be asked for
  bool onSoftware = false;  // they are adapters that compute on the CPU (software_adapter.h)
};
// Opens the library in a host process of its own that ends with the question; where it has no device, in a second one
// with a software adapter.
PluginOffer askOffer(const PluginLibrary& plugin);

// The execution provider to use of those that have devices (one at least): the one that the user names, else the first.
// NOT_FOUND naming those that there are.
Result<std::string> chooseProvider(const PluginLibrary& plugin, const std::string& wanted,
                                   std::span<const DeviceFacts> devices);

// The host process of this target with the library registered; the provider's name in the settings becomes that of the
// execution provider, and they say whether it is on a software adapter. EP_FAIL: ONNX Runtime or the library cannot be
// had, or it has no device here; NOT_FOUND.
Result<std::shared_ptr<Host>> openPlugin(const PluginLibrary& plugin, PluginSettings& settings);

}  // namespace cutaway::onnxruntime
