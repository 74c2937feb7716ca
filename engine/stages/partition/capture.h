#pragma once
// Keeps what an export of compiled groups needs, from the moment when they are fused and nothing else is done: no
// provider's rewrites, no copies across devices.
//
// Thread rule: one partitioning. Weights are shared, not copied. Example: if (options.captureGroups) result.captured =
// captureGroups(model, assignments);

#include <memory>
#include <span>

#include "engine/stages/partition/assignment.h"

namespace cutaway::partition {

// Takes the groups' graphs (AcceptedGroup::inner) out of the assignments. Groups that were restored have none: they
// were compiled elsewhere.
std::shared_ptr<const CapturedGroups> captureGroups(const Model& model, std::span<GraphAssignment> assignments);

}  // namespace cutaway::partition
