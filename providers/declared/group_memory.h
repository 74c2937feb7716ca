#pragma once
// What a group of nodes would need of a device's memory: its weights, and the most activations that live at once.
//
// Thread rule: pure, near-linear. Example: const GroupMemory need = groupMemory(graph, nodes);  if (need.total() >
// limit) refuse(need);

#include <span>

#include "engine/graph/graph.h"

namespace cutaway::declared {

struct GroupMemory {
  int64_t weights = 0;  // every constant once
  int64_t activations =
      0;  // most bytes alive at once, inputs and outputs of the group included; sizes that are not known count nothing
  int64_t unknown = 0;  // values whose size is not known
  int64_t total() const { return weights + activations; }
};

// nodes: in topological order.
GroupMemory groupMemory(const Graph& graph, std::span<const NodeId> nodes);

}  // namespace cutaway::declared
