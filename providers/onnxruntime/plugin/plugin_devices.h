#pragma once
// What a library of plug-in providers offers on this machine.
//
// Thread rule: any thread. Example: const PluginOffer offer = askOffer(plugin);   show(offer.devices, offer.problem);

#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "providers/onnxruntime/plugin/plugin_library.h"
#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

struct PluginOffer {
  std::vector<DeviceFacts> devices;
  std::string problem;  // why there are none, or none could be asked for
};
// Opens the library in a host process of its own that ends with the question.
PluginOffer askOffer(const PluginLibrary& plugin);

// The execution provider to use of those that have devices: the one that the user names, else the first. NOT_FOUND
// naming those that there are.
Result<std::string> chooseProvider(const PluginLibrary& plugin, const std::string& wanted,
                                   std::span<const DeviceFacts> devices);

}  // namespace cutaway::onnxruntime
