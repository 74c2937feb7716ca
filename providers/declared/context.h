#pragma once
// Groups of simulated hardware as contexts: placeholders that say so. There is no compiled code of the hardware; what
// is kept is the group itself, its graph with weights, and the profile it was claimed by.
//
// Sections: "profile", a line with the profile's name and one with its version, and those of
// engine/provider/graph_sections.h. A restored group runs on the session's CPU kernels, as a compiled one does. Thread
// rule: pure. Example: CUTAWAY_TRY(ContextPartition partition, exportDescribed(profile, group));

#include "engine/provider/execution_provider.h"
#include "engine/provider/provider_context.h"
#include "providers/declared/profile.h"

namespace cutaway::declared {

inline constexpr const char* kProfileSection = "profile";

// kNone for profiles that run single nodes: nothing is compiled for them.
ContextSupport supportOf(const Profile& profile);
// NOT_IMPLEMENTED for layouts that cannot be written as plain operators; FAIL when the graph is too large for a
// message.
Result<context_binary::ContextPartition> exportDescribed(const Profile& profile, const FusedSubGraph& group);
// EP_FAIL: the sections are not a group of this profile, or the graph in them does not hold.
Result<CompiledNode> restoreDescribed(const Profile& profile, const ContextRestore& stored,
                                      const KernelRegistry& kernels, const Progress& progress);

// "cutaway-declared 1; TensorRT; 10.13; 2026-11-01"
std::string compatibilityText(const Profile& profile);
CompatibilityVerdict judgeCompatibility(std::string_view info, const Profile& profile);

}  // namespace cutaway::declared
