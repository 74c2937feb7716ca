#pragma once
// A group that holds a node with bodies takes the bodies with it: what runs in there is the business of its provider
// alone.
//
// Thread rule: one partitioning. Linear in the bodies. Example: see assignment.cpp.

#include "engine/stages/partition/assignment.h"
#include "engine/stages/partition/claim_checks.h"

namespace cutaway::partition {

// Groups with a MetaDef whose bodies hold EPContext nodes, or nodes of other providers, are refused: nothing is taken
// away from whom was asked before.
void refuseStolenBodies(const GraphAssignment& assignment, const CapabilityAnswer& said,
                        std::span<const GraphAssignment> assignments, const std::string& provider,
                        std::vector<ClaimVerdict>& verdicts);

// All nodes of the bodies become the provider's, inside the group's fused node; groups that it had in them before are
// dropped.
void takeBodies(const GraphAssignment& assignment, const AcceptedGroup& group, std::span<GraphAssignment> assignments,
                const std::string& provider);

}  // namespace cutaway::partition
