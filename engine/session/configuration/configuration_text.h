#pragma once
// What the two written forms of a configuration share: the line, and the checks of values that both read.
//
// Thread rule: pure. Example: CUTAWAY_TRY(Configuration configuration, configurationFromLine("providers=cpu;
// opt-level=0"));

#include "engine/session/configuration/configuration.h"

namespace cutaway::session {

// INVALID_ARGUMENT names the setting.
Result<Configuration> configurationFromLine(std::string_view line);

// `what` is how the message calls the place: "opt-level", "FILE: opt_level".
Result<void> setOptimizationLevel(Configuration& configuration, int64_t level, std::string_view what);
Result<void> setMinimumGroup(Configuration& configuration, int64_t nodes, std::string_view what);
Result<void> setThreads(Configuration& configuration, int64_t threads, std::string_view what);
Result<void> setPrecision(Configuration& configuration, std::string_view precision, std::string_view what);
Result<void> setOrder(Configuration& configuration, std::string_view order, std::string_view what);
Result<void> setPlanRules(Configuration& configuration, std::string_view rules, std::string_view what);
Result<void> setExecutor(Configuration& configuration, std::string_view executor, std::string_view what);
Result<void> setInPlace(Configuration& configuration, std::string_view value, std::string_view what);
Result<void> setInterThreads(Configuration& configuration, int64_t threads, std::string_view what);
Result<void> setDim(Configuration& configuration, const std::string& name, int64_t size, std::string_view what);
Result<void> addProviders(Configuration& configuration, const std::vector<std::string>& specs, std::string_view what);
// `known`: names of providers that the whole text lists (provider_key.h).
Result<void> addKey(Configuration& configuration, const std::string& key, const std::string& value,
                    std::string_view what, const std::vector<std::string>& known);

}  // namespace cutaway::session
