#pragma once
// The groups of a model that become EPContext nodes, in order of graphs and nodes, after every check that needs no
// compiled bytes.
//
// Thread rule: pure, apart from questions to providers. Example: CUTAWAY_TRY(const std::vector<KeptGroup> groups,
// keptGroups(captured, compiled, providers));

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/context/keepable.h"
#include "engine/stages/partition/partition.h"

namespace cutaway::context {

// A node of a model that is not edited but in place.
struct NodePlace {
  size_t graph = 0;  // in forEachGraph's order
  NodeId node;
};

struct KeptGroup {
  std::string name;  // of the fused node, and of the EPContext node
  NodePlace place;
  ExecutionProvider* provider = nullptr;
  ContextSupport support;
  std::shared_ptr<const FusedSubGraph> group;
  std::shared_ptr<const Kernel> kernel;
};

// INVALID_GRAPH: the model has EPContext nodes already; a group's provider cannot keep it, or its inputs and outputs
// cannot be those of an EPContext node (each such group is named); a fused node whose group is not known.
// NOT_IMPLEMENTED: a node that no model file can hold.
Result<std::vector<KeptGroup>> keptGroups(const partition::CapturedGroups& captured,
                                          const std::map<std::string, CompiledNode>& compiled,
                                          std::span<const std::unique_ptr<ExecutionProvider>> providers);

}  // namespace cutaway::context
