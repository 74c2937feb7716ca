#pragma once
// What Qualcomm's libQnnSystem.so, which lies beside its plug-in, tells of a context binary, in words.
//
// Thread rule: pure, but for describeQnnBinary(), which asks the host. Example:
//   if (tellsOfBinaries(plugin)) facts = describeQnnBinary(*host, plugin, bytes, progress);

#include <cstddef>
#include <span>

#include "engine/base/progress.h"
#include "engine/provider/vendor_contexts.h"
#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/plugin/plugin_library.h"

namespace cutaway::onnxruntime {

bool tellsOfBinaries(const PluginLibrary& plugin);
// As Host::contextBinary(). NOT_IMPLEMENTED also where the binary is larger than is handed to another process for that.
Result<BinaryDescription> describeQnnBinary(Host& host, const PluginLibrary& plugin, std::span<const std::byte> bytes,
                                            const Progress& progress);
BinaryDescription wordsOf(const BinaryFacts& facts);

}  // namespace cutaway::onnxruntime
