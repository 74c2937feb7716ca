#pragma once
// Groups: maximal parts of a graph that are compiled into one kernel, so that they can be kept as a context
// (cuda{groups=1}, or when context models are written).
//
// A node may be in a group when its kernel is there, and what that reads on the host is constant and nothing of what it
// writes is on the host. Other nodes that the provider takes stay single. Thread rule: pure. Example:
// CUTAWAY_TRY(CapabilityAnswer answer, groupAnswer(request, registry, std::move(singles)));

#include "engine/provider/execution_provider.h"

namespace cutaway::cuda {

// singles: the answer with every node that the provider takes as a claim of its own.
CapabilityAnswer groupAnswer(const CapabilityRequest& request, const KernelRegistry& kernels, CapabilityAnswer singles);

}  // namespace cutaway::cuda
