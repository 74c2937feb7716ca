#pragma once
// Groups as reports show them: every compiled group, and every island of connected nodes that run by one provider's kernels.
//
// Thread rule: pure. Near-linear (union-find). Example: const GraphGroups groups = findGroups(assignment, position, graphIndex);

#include <vector>

#include "engine/stages/partition/assignment.h"

namespace cutaway {

// position: index of each node in the report of its graph, by node index.
struct GraphGroups {
  std::vector<GroupReport> groups;
  std::vector<int32_t> groupOfNode;  // by node index; kNone
};
GraphGroups findGroups(const GraphAssignment& assignment, const std::vector<int32_t>& position, int32_t graphIndex);

}  // namespace cutaway
