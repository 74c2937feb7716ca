#pragma once
// Which of a provider's nodes get channels last: all it claimed that work on images, and between them those that cost
// fewer transposes that way.
//
// Followers are decided in one pass from producers to consumers: a node turns when turning its operands and results
// costs no more transposes than not turning, given what its producers do and what its consumers want. Transposes so
// move past everything that does not mind them, and stand once at each end of such a run of nodes. A DequantizeLinear
// that no turned node reads stays as it was, so that it keeps the company of its consumer. Thread rule: pure.
// Near-linear. Example: const LayoutPlan plan = planLayout(graph, order, claimed);

#include <span>
#include <vector>

#include "engine/stages/partition/layout_rules.h"

namespace cutaway::partition {

struct LayoutPlan {
  std::vector<NodeId> nodes;      // that get channels last, in topological order
  std::vector<LayoutRole> roles;  // of these
  std::vector<NodeId> sensitive;  // those of them that move to kChannelsLastDomain
};

// claimed: by node index. order: topological.
LayoutPlan planLayout(const Graph& graph, std::span<const NodeId> order, std::span<const char> claimed);

}  // namespace cutaway::partition
