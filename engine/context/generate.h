#pragma once
// Writes the context model: each compiled group becomes one EPContext node of the same name, everything else stays.
//
// All files are written beside their targets under temporary names, flushed, and renamed - binaries first, the model
// last. Binaries have names that follow from their contents, so that an older model keeps its own until the new one
// stands; then the old one's binaries that nothing needs are removed. A crash at any moment leaves the old model or the
// new one, never a mixture. Thread rule: one export. Example: CUTAWAY_TRY(const ContextWritten written,
// writeContextModel({captured, compiled, providers, source}, options, progress));

#include <map>
#include <memory>
#include <span>

#include "engine/base/progress.h"
#include "engine/context/context_options.h"
#include "engine/provider/execution_provider.h"
#include "engine/report/context_report.h"
#include "engine/stages/partition/partition.h"

namespace cutaway::context {

struct ContextInput {
  const partition::CapturedGroups& captured;
  const std::map<std::string, CompiledNode>& compiled;
  std::span<const std::unique_ptr<ExecutionProvider>> providers;
  std::filesystem::path source;  // the model it was made from; empty: from memory
};

// FAIL: the target exists, nothing compiled and that is an error, the model passes 2 GB; INVALID_GRAPH: a group's
// provider cannot keep it, the model has EPContext nodes already; INVALID_ARGUMENT: no path; MODEL_LOADED: the shared
// binary has these names already; RUNTIME_EXCEPTION: a provider threw; MODEL_LOAD_CANCELED; the provider's own errors.
Result<ContextWritten> writeContextModel(const ContextInput& input, const ContextOptions& options, Progress& progress);

}  // namespace cutaway::context
