#pragma once
// A Vulkan driver that computes on the CPU (SwiftShader), for WebGPU's plug-in on machines without a GPU.
//
// The plug-in offers a device for GPUs alone, unless a variable allows software adapters; the Vulkan loader finds the
// driver by another. Both are read when the plug-in's library is opened, so a host process has them from its start or
// never. Thread rule: any thread. Example:
//   if (const std::optional<SoftwareAdapter> adapter = softwareAdapter(plugin)) host.registerPlugin(withIt(*adapter));

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "providers/onnxruntime/plugin/plugin_library.h"
#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

struct SoftwareAdapter {
  std::filesystem::path driver;  // the file that describes it to the Vulkan loader; empty: the user's variables name it
  TextPairs environment;         // of the host process, without what the user's environment has
};
// nullopt: the plug-in takes none, or there is no driver.
std::optional<SoftwareAdapter> softwareAdapter(const PluginLibrary& plugin);
// Whether what the plug-in offers is such an adapter: then it says nothing about a GPU's times.
bool isOnSoftware(const PluginLibrary& plugin, std::span<const DeviceFacts> devices);

// The driver's description in the first folder that has it with its library beside it; empty: none has.
std::filesystem::path softwareDriverIn(std::span<const std::filesystem::path> folders);

// Why a plug-in has no device here, in its own terms, and what to do. `adapter`: what it was asked with as well.
std::string noDevice(const PluginLibrary& plugin, const std::optional<SoftwareAdapter>& adapter);

}  // namespace cutaway::onnxruntime
