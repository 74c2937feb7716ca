#pragma once
// What planners must know about the kernel of a node: which outputs may lie over which inputs, and where memory must
// be.
//
// Thread rule: pure. Example: const NodeMemoryHints hints = memoryHints(node);

#include <functional>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/provider/kernel.h"

namespace cutaway {

struct NodeMemoryHints {
  std::vector<InplaceHint> inplace;
  std::vector<int> hostInputs;
  std::vector<int> hostOutputs;
  Device device;                 // of the node's provider
  bool externalOutputs = false;  // the kernel brings its own memory
};
using MemoryHints = std::function<NodeMemoryHints(NodeId)>;

}  // namespace cutaway
