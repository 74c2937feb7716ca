#pragma once
// What onnxruntime calls the hardware that profiles describe: its execution providers, and the words for devices in its
// layer assignment keys.
//
// Example: entry.onnxruntime = onnxruntimeProviders();  deviceWords("declared(TensorRT)");   // gpu, cuda, gpu:nvidia

#include <string>
#include <string_view>
#include <vector>

#include "engine/provider/provider_entry.h"

namespace cutaway::declared {

// By the name of a profile, those that are no longer shipped among them.
std::vector<OnnxruntimeProvider> onnxruntimeProviders();

// Who writes context models for hardware that profiles describe; no provider here reads them.
std::vector<context_binary::ContextSource> contextSources();

// Of any profile, a user's own among them: its name tells.
std::vector<std::string> deviceWords(std::string_view name);

}  // namespace cutaway::declared
