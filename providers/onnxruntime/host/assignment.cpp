#include "providers/onnxruntime/host/assignment.h"

namespace cutaway::onnxruntime {

Result<void> describeAssignment(const CApi& api, const abi::Session* session, std::vector<AssignedGroup>& assignment) {
  const abi::AssignedSubgraph* const* groups = nullptr;
  size_t count = 0;
  CUTAWAY_CHECK(api.check(abi::kAssignment, session, &groups, &count));
  const auto text = [&api](const abi::Slot<abi::NodeText>& slot, const abi::AssignedNode* node,
                           std::string& value) -> Result<void> {
    const char* said = nullptr;
    CUTAWAY_CHECK(api.check(slot, node, &said));
    value = said == nullptr ? "" : said;
    return {};
  };
  for (size_t i = 0; i < count; ++i) {
    AssignedGroup group;
    const char* provider = nullptr;
    CUTAWAY_CHECK(api.check(abi::kAssignedProvider, groups[i], &provider));
    group.provider = provider == nullptr ? "" : provider;
    const abi::AssignedNode* const* nodes = nullptr;
    size_t nodeCount = 0;
    CUTAWAY_CHECK(api.check(abi::kAssignedNodes, groups[i], &nodes, &nodeCount));
    for (size_t n = 0; n < nodeCount; ++n) {
      AssignedNode& node = group.nodes.emplace_back();
      CUTAWAY_CHECK(text(abi::kAssignedNodeName, nodes[n], node.name));
      CUTAWAY_CHECK(text(abi::kAssignedNodeDomain, nodes[n], node.domain));
      CUTAWAY_CHECK(text(abi::kAssignedNodeOperator, nodes[n], node.opType));
    }
    assignment.push_back(std::move(group));
  }
  return {};
}

}  // namespace cutaway::onnxruntime
