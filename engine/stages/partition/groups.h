#pragma once
// Groups as reports show them: every compiled group, and every island of connected nodes that run by one provider's
// kernels.
//
// Thread rule: pure. Near-linear (union-find). Example: const GraphGroups groups = findGroups(assignment, position,
// costs, graphIndex);

#include <span>
#include <vector>

#include "engine/operators/cost/node_cost.h"
#include "engine/stages/partition/assignment.h"

namespace cutaway::partition {

struct GraphGroups {
  std::vector<GroupReport> groups;
  std::vector<int32_t> groupOfNode;  // by node index; kNone
};
// position: index of each node in the report of its graph; costs: what it costs; both by node index.
GraphGroups findGroups(const GraphAssignment& assignment, std::span<const int32_t> position,
                       std::span<const operators::NodeCost> costs, int32_t graphIndex);

}  // namespace cutaway::partition
