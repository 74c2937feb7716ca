#pragma once
// One compiled group as a partition of a context binary: the provider's sections, and what everybody writes about them.
//
// Thread rule: one export. Example: CUTAWAY_TRY(const ContextPartition partition, exportGroup(kept, captured.fused,
// calls, progress));

#include "engine/base/progress.h"
#include "engine/context/kept_groups.h"
#include "engine/provider/provider_calls.h"

namespace cutaway::context {

// model: the one that the group's graph refers to; it lives as long as a call that hangs. RUNTIME_EXCEPTION: the
// provider threw; INVALID_GRAPH: it gave no sections, or two of one name; MODEL_LOAD_CANCELED; otherwise the provider's
// own error, with the group named.
Result<context_binary::ContextPartition> exportGroup(const KeptGroup& kept, const std::shared_ptr<const Model>& model,
                                                     ProviderCalls& calls, const Progress& progress);

}  // namespace cutaway::context
