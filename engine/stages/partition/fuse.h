#pragma once
// Puts one fused node in the place of a group.
//
// Thread rule: edits the graph in hand. Example: CUTAWAY_CHECK(fuseGroup(graph, group));

#include "engine/stages/partition/assignment.h"

namespace cutaway::partition {

// The fused node is named group.fusedName, has operator group.metaDef.name in the provider's domain, the MetaDef's
// inputs and outputs, and the origins of all nodes it stands for.
void fuseGroup(Graph& graph, const AcceptedGroup& group);

}  // namespace cutaway::partition
