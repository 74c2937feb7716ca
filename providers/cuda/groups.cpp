#include "providers/cuda/groups.h"

#include <algorithm>

#include "engine/provider/group_builder.h"

namespace cutaway::cuda {
namespace {

bool fitsGroup(const Graph& graph, NodeId id, const KernelRegistry& kernels) {
  const Node& node = graph.node(id);
  const KernelRow* row = kernels.find(graph, id).row;
  if (row == nullptr || !row->hostOutputs.empty() || node.hasBodies()) return false;
  return std::ranges::all_of(row->hostInputs, [&](int slot) {
    const auto place = static_cast<size_t>(slot);
    return place >= node.inputs.size() || !node.inputs[place].valid() || graph.isConstant(node.inputs[place]);
  });
}

}  // namespace

CapabilityAnswer groupAnswer(const CapabilityRequest& request, const KernelRegistry& kernels,
                             CapabilityAnswer singles) {
  GroupingOptions options{.supported = std::vector<char>(request.graph.nodeSlots(), 0),
                          .quantizedUnits = false,
                          .constantsAsInputs = false,
                          .stopOperators = {},
                          .minimumNodes = 1,
                          .maximumNodes = 0,
                          .accept = {},
                          .domain = {}};
  for (const ComputeCapability& claim : singles.claims) {
    const NodeId id = claim.subGraph.nodes.front();
    options.supported[id.index()] = fitsGroup(request.graph, id, kernels) ? 1 : 0;
  }
  Groups groups = buildGroups(request, options);
  CapabilityAnswer answer{.claims = std::move(groups.claims), .refusals = std::move(singles.refusals)};
  for (ComputeCapability& claim : singles.claims) {
    if (options.supported[claim.subGraph.nodes.front().index()] == 0) answer.claims.push_back(std::move(claim));
  }
  answer.refusals.insert(answer.refusals.end(), std::make_move_iterator(groups.refusals.begin()),
                         std::make_move_iterator(groups.refusals.end()));
  return answer;
}

}  // namespace cutaway::cuda
