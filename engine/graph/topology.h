#pragma once
// Orders and reachability that several stages need.
//
// Thread rule: pure functions over a const Graph. Near-linear, iterative.
// Example: CUTAWAY_TRY(const std::vector<NodeId> order, topologicalOrder(graph));

#include <vector>

#include "engine/graph/graph.h"

namespace cutaway {

// Live nodes, producers before consumers (explicit and implicit inputs), ties by node id. FAIL naming a node on the
// cycle when there is one.
Result<std::vector<NodeId>> topologicalOrder(const Graph& graph);

}  // namespace cutaway
