#include "engine/session/configuration/session_config.h"

#include <charconv>

#include "engine/provider/provider_spec.h"
#include "engine/session/configuration/limits.h"
#include "engine/session/configuration/provider_key.h"

namespace cutaway::session {
namespace {

Result<int64_t> readNumber(const std::string& key, const std::string& value) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size() || number < 0)
    return fail(ErrorCode::kInvalidArgument, "session key {} is a number of at least 0, not '{}'", key, value);
  return number;
}

std::set<std::string> splitNames(std::string_view text) {
  std::set<std::string> names;
  while (!text.empty()) {
    const size_t end = std::min(text.find(';'), text.size());
    if (end > 0) names.emplace(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return names;
}

struct SwitchKey {
  std::string_view name;
  bool SessionConfig::* member;
  bool negated = false;
};
constexpr SwitchKey kSwitches[] = {
    {"session.disable_cpu_ep_fallback", &SessionConfig::disableCpuFallback},
    {"session.strict_shape_type_inference", &SessionConfig::strictShapes},
    {"session.allow_released_opsets_only", &SessionConfig::strictOpsets},
    {"session.enable_mem_reuse", &SessionConfig::memoryReuse},
    {"session.enable_mem_pattern", &SessionConfig::memoryPattern},
    {"session.disable_mem_reuse", &SessionConfig::memoryReuse, true},
    {"session.disable_mem_pattern", &SessionConfig::memoryPattern, true},
};

struct TextKey {
  std::string_view name;
  std::string partition::PartitionRules::* member;
};
constexpr TextKey kTexts[] = {
    {"session.layer_assignment_settings", &partition::PartitionRules::layerAssignment},
    {"session.name_based_layer_assignment", &partition::PartitionRules::nameBasedAssignment},
    {"session.resource_cuda_partitioning_settings", &partition::PartitionRules::memoryBudget},
    {"session.collect_node_memory_stats_to_file", &partition::PartitionRules::nodeStatsFile},
    {"session.max_shape_override", &partition::PartitionRules::shapeOverride},
    {"session.node_partition_config_file", &partition::PartitionRules::partitionFile},
};

// Who lists the provider that takes the rest asks for it; who disables the fallback forbids it.
Result<void> refuseListedFallback(const SessionOptions& options, const ProviderTable& table) {
  const std::string last = lastResort(table);
  for (const std::string& text : options.providers) {
    const Result<ProviderSpec> spec = parseProviderSpec(text);
    if (spec && spec->name == last)
      return fail(ErrorCode::kInvalidArgument,
                  "session.disable_cpu_ep_fallback = 1 and provider '{}' in the list exclude each other; take one of "
                  "them away",
                  last);
  }
  return {};
}

// The memory of runs: onnxruntime's arena settings, by the names it has for them. True when the key is one of
// these.
Result<bool> readMemoryKey(const std::string& key, const std::string& value, SessionConfig& config) {
  if (key == "memory.enable_memory_arena_shrinkage") {
    config.shrinkMemory = !value.empty() && value != "0";  // a list of devices, "cpu:0;gpu:0"
  } else if (key == "memory.arena_extend_strategy") {
    if (value != "kNextPowerOfTwo" && value != "0" && value != "kSameAsRequested" && value != "1")
      return fail(ErrorCode::kInvalidArgument, "session key {} is kNextPowerOfTwo or kSameAsRequested, not '{}'", key,
                  value);
    config.arena.growth = value == "kSameAsRequested" || value == "1" ? execute::ArenaGrowth::kSameAsRequested
                                                                      : execute::ArenaGrowth::kNextPowerOfTwo;
  } else if (key == "memory.arena_initial_chunk_size_bytes") {
    CUTAWAY_TRY(config.arena.initialBytes, readNumber(key, value));
  } else if (key == "memory.arena_max_power_of_two_extend_bytes") {
    CUTAWAY_TRY(config.arena.maximumExtensionBytes, readNumber(key, value));
  } else if (key == "session.enable_cpu_mem_arena") {
    // Without it nothing is kept: regions of the size asked for, back to the system behind every run.
    CUTAWAY_TRY(const bool keepsMemory, context::readSwitchKey(key, value));
    if (!keepsMemory) config.arena.growth = execute::ArenaGrowth::kSameAsRequested;
    config.shrinkMemory = config.shrinkMemory || !keepsMemory;
  } else if (key == "memory.pattern_cache_capacity") {
    CUTAWAY_TRY(const int64_t capacity, readNumber(key, value));
    config.patternCapacity = static_cast<size_t>(capacity);
  } else {
    return false;
  }
  return true;
}

Result<void> readContext(const SessionOptions& options, SessionConfig& config) {
  CUTAWAY_TRY(config.context, context::readContextOptions(options.config));
  const bool disableCompile = config.context.disableCompile;  // forbidden whatever an export asks for
  if (options.context != nullptr) config.context = *options.context;
  config.context.disableCompile = config.context.disableCompile || disableCompile;
  config.context.compileOnly = config.context.compileOnly || options.contextOnly;
  return {};
}

// Whoever makes the options, command line, window or a program that embeds the engine.
Result<void> checkNumbers(const SessionOptions& options) {
  for (const auto& [what, count] : {std::pair("threads", options.threads), {"inter-threads", options.interThreads}}) {
    if (count < 0 || count > kMostThreads)
      return fail(ErrorCode::kInvalidArgument, "{} is 0 (automatic) to {}, not {}", what, kMostThreads, count);
  }
  if (options.memoryLimitBytes < 0)
    return fail(ErrorCode::kInvalidArgument, "the memory limit is {} bytes; 0 or left out is none",
                options.memoryLimitBytes);
  return {};
}

}  // namespace

Result<SessionConfig> readSessionConfig(const SessionOptions& options, const ProviderTable& table) {
  SessionConfig config;
  CUTAWAY_CHECK(checkNumbers(options));
  CUTAWAY_CHECK(readContext(options, config));  // first: it checks the length of every key and value
  config.contextSources = contextSources(table);
  config.threads = options.threads;
  config.memoryLimitBytes = options.memoryLimitBytes;
  config.interThreads = options.interThreads;
  for (const auto& [key, value] : options.config) {
    bool known = false;
    for (const SwitchKey& each : kSwitches) {
      if (each.name != key) continue;
      CUTAWAY_TRY(const bool on, context::readSwitchKey(key, value));
      config.*each.member = on != each.negated;
      known = true;
    }
    for (const TextKey& each : kTexts) {
      if (each.name != key) continue;
      config.partitionRules.*each.member = value;
      known = true;
    }
    if (known) continue;
    CUTAWAY_TRY(const bool isMemory, readMemoryKey(key, value, config));
    if (isMemory) continue;
    if (key == "optimization.disable_specified_optimizers") {
      config.disabledPasses = splitNames(value);
    } else if (key == "optimization.constant_folding_max_output_size_in_bytes") {
      CUTAWAY_TRY(config.foldingLimitBytes, readNumber(key, value));
    } else if (key == "session.intra_op_num_threads") {
      CUTAWAY_TRY(const int64_t threads, readNumber(key, value));
      if (config.threads == 0) config.threads = static_cast<int>(std::min<int64_t>(threads, kMostThreads));
    } else if (key == "session.inter_op_num_threads") {
      CUTAWAY_TRY(const int64_t threads, readNumber(key, value));
      if (config.interThreads == 0) config.interThreads = static_cast<int>(std::min<int64_t>(threads, kMostThreads));
    } else if (!context::isContextKey(key) && !splitProviderKey(key, {})) {
      config.warnings.push_back(fmt::format("session key '{}' is not known here and has no effect", key));
    }
  }
  if (config.disableCpuFallback) CUTAWAY_CHECK(refuseListedFallback(options, table));
  return config;
}

ProviderOptions providerOptions(const SessionOptions& options, std::string_view provider) {
  ProviderOptions result;
  std::vector<std::string> known = namesOf(options.providers);
  known.emplace_back(provider);
  for (const auto& [key, value] : options.config) {
    if (auto parts = splitProviderKey(key, known); parts && parts->provider == provider)
      result.emplace(std::move(parts->option), value);
  }
  return result;
}

}  // namespace cutaway::session
