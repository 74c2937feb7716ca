#pragma once
// A plug-in provider whose record is read instead: "recorded(FILE)" answers about the same model what the provider
// answered where the record was made, without the plug-in and without ONNX Runtime.
//
// A model is the same when its questions are: same graph after the optimiser, same weights. Groups that the provider
// compiled run on the session's CPU kernels here, and are called simulated; those that it failed to compile fail with
// the same words. The option `provider` chooses where a record holds several. Thread rule: as
// engine/provider/execution_provider.h says. Example: table.push_back(recordedProvider());

#include <filesystem>

#include "engine/provider/execution_provider.h"

namespace cutaway {

ProviderEntry recordedProvider();

// Offers the record in lists and menus as an argument of the provider; its name for --providers. The errors of
// readRecord(); INVALID_ARGUMENT: a record without providers, a path that --providers cannot hold.
Result<std::string> addRecord(const std::filesystem::path& path);

}  // namespace cutaway
