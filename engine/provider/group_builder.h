#pragma once
// Maximal convex groups of the nodes that a compiling provider supports, without cycles between them.
//
// Waves as in Kahn's topological sort: ready supported nodes join the open group; an unsupported node that the open
// group feeds waits for the next wave, every other one is passed at once; when nothing is ready the group closes and
// the waiting nodes start the next wave. No path leaves a group and comes back, and no two groups feed each other in a
// circle. Near-linear in nodes and edges. Thread rule: pure. Example:
//   Groups groups = buildGroups(request, {.supported = supported, .accept = worthCompiling});   // then claim
//   groups.claims, and add groups.refusals

#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/provider/execution_provider.h"

namespace cutaway {

struct GroupingOptions {
  std::vector<char> supported;  // by node index: 1 = the provider supports it. A Q/DQ unit counts as supported when all
                                // of its nodes are.
  bool quantizedUnits = true;   // keep Q/DQ nodes with their operator
  bool constantsAsInputs = false;       // MetaDef inputs list constants too
  std::set<std::string> stopOperators;  // these and everything downstream of them stay out
  size_t minimumNodes = 1;              // smaller groups are refused with kTooSmall
  size_t maximumNodes = 0;  // larger groups are cut in topological order, between units; 0: never. For compilers whose
                            // time grows faster than the group
  // Last word on a closed group; a text is the reason why it is not taken (kTooSmall).
  std::function<std::string(std::span<const NodeId>)> accept;
  std::string domain;  // of the MetaDef; empty: the provider's name
};

struct Groups {
  std::vector<ComputeCapability>
      claims;  // each with a MetaDef: name from request.names, inputs in first-use order (implicit inputs of bodies
               // included), outputs = graph outputs and values used outside
  std::vector<Refusal> refusals;  // supported nodes that no group took: too small, stop operators
};
// Only nodes of request.free are grouped.
Groups buildGroups(const CapabilityRequest& request, const GroupingOptions& options);

// Inputs and outputs of a group, in first-use order: outputs are graph outputs and values with a consumer outside.
// Constants count as inputs only when asked for.
struct GroupBorder {
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
};
GroupBorder borderOf(const Graph& graph, std::span<const NodeId> nodes, bool constantsAsInputs);

}  // namespace cutaway
