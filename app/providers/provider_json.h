#pragma once
// A built provider as JSON: what it is, and whether it can be used here.
//
// Thread rule: pure. Example: list.push_back(providerToJson(entry, entry.probe()));

#include <nlohmann/json_fwd.hpp>

#include "engine/provider/execution_provider.h"

namespace cutaway {

// Keys: name, display_name, description, version, usable, reason.
nlohmann::json providerToJson(const ProviderEntry& entry, const ProviderStatus& status);

}  // namespace cutaway
