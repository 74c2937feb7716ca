#pragma once
// Contexts of this provider: a compiled group's graph with its weights, and what its kernels searched for and compiled
// (algorithms, plans, cubins), for one architecture and these libraries.
//
// Restoring makes the same kernels with the artifacts given and everything else forbidden (a sealed store): nothing is
// searched or compiled. Thread rule: pure over the backend's facts. Example:
// partition.sections.push_back(artifactSection(artifacts));

#include "engine/provider/execution_provider.h"
#include "providers/cuda/group_kernel.h"

namespace cutaway::cuda {

inline constexpr uint64_t kContextRevision = 1;
inline constexpr const char* kArtifactSection = "artifacts";

// facts: of the backend, or of the device that plans are made for where there is none.
ContextSupport contextSupport(const DeviceFacts& facts);
std::string compatibilityInfo(const DeviceFacts& facts);
CompatibilityVerdict checkCompatibility(std::string_view info, const DeviceFacts& facts);

Result<context_binary::ContextPartition> exportGroup(const ContextExport& compiled);
// EP_FAIL: the bytes are not what exportGroup() writes, or a kernel refuses what they describe.
Result<CompiledNode> restoreGroup(const ContextRestore& stored, const GpuResources& provider, const Progress& progress);

}  // namespace cutaway::cuda
