#pragma once
// What planners must know about the kernel of a node: which outputs may lie over which inputs, and where memory must
// be.
//
// Thread rule: pure. Example: const NodeMemoryHints hints = memoryHints(node);

#include <functional>

#include "engine/base/index_list.h"
#include "engine/graph/graph.h"
#include "engine/provider/kernel.h"

namespace cutaway {

struct NodeMemoryHints {
  ShortList<InplaceHint> inplace;
  IndexList hostInputs;
  IndexList hostOutputs;
  Device device;                 // of the node's provider
  bool externalOutputs = false;  // the kernel brings its own memory
};
using MemoryHints = std::function<NodeMemoryHints(NodeId)>;

}  // namespace cutaway
