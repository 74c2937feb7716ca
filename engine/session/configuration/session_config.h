#pragma once
// onnxruntime's session keys (--set KEY=VALUE) that this engine knows, read once.
//
// Thread rule: pure. Example: CUTAWAY_TRY(SessionConfig config, readSessionConfig(options, table));

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/context/context_options.h"
#include "engine/execute/memory/arena.h"
#include "engine/provider/execution_provider.h"
#include "engine/session/session.h"
#include "engine/stages/partition/partition.h"

namespace cutaway::session {

struct SessionConfig {
  bool disableCpuFallback = false;
  std::vector<context_binary::ContextSource> contextSources;  // the table's
  bool strictShapes = false;
  bool strictOpsets = false;
  bool memoryReuse = true;
  bool memoryPattern = true;
  int threads = 0;
  int interThreads = 0;
  int64_t memoryLimitBytes = 0;
  execute::ArenaOptions arena;
  bool shrinkMemory = false;    // after every run
  size_t patternCapacity = 32;  // memory patterns kept, one per set of feed shapes
  int64_t foldingLimitBytes = int64_t{1} << 30;
  std::set<std::string> disabledPasses;
  partition::PartitionRules partitionRules;
  context::ContextOptions context;
  std::vector<std::string> warnings;  // unknown keys, one sentence each
};

// INVALID_ARGUMENT when a known key has a value that does not fit.
Result<SessionConfig> readSessionConfig(const SessionOptions& options, const ProviderTable& table);
// The options of one provider among the session's keys (provider_key.h).
ProviderOptions providerOptions(const SessionOptions& options, std::string_view provider);

}  // namespace cutaway::session
