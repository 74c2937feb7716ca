#pragma once
// Functions are expanded only when no provider wants the call as it stands (engine-behavior 1.5).
//
// Thread rule: edits the model in hand. Example: CUTAWAY_TRY(const int64_t count, inlineUnclaimedFunctions(model, providers, progress));

#include <memory>
#include <span>

#include "engine/base/progress.h"
#include "engine/graph/model.h"
#include "engine/provider/execution_provider.h"

namespace cutaway {

// Asks every provider about the calls of every graph; inlines the calls that nobody claims, and repeats until nothing changes. Gives the number of calls inlined.
// Types of the new values are inferred. FAIL when expansion does not end (more than a million nodes).
Result<int64_t> inlineUnclaimedFunctions(Model& model, std::span<const std::unique_ptr<ExecutionProvider>> providers, const Progress& progress);

// Inlines this call when it has a function body (model-local first, then the schema's); false when it has none.
Result<bool> inlineCall(const Model& model, Graph& graph, NodeId call);

}  // namespace cutaway
