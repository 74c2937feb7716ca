#pragma once
// From the nodes that a profile's operator rules take to an answer: groups or single nodes, and what its group rules
// and its memory leave out.
//
// Thread rule: one thread. Example: return GroupRuling(profile, request,
// std::move(supported)).answer(std::move(refusals));

#include <span>
#include <string>
#include <vector>

#include "providers/declared/profile.h"

namespace cutaway::declared {

class GroupRuling {
 public:
  // supported: by node index, 1 where the operator rules take the node.
  GroupRuling(const Profile& profile, const CapabilityRequest& request, std::vector<char> supported);

  CapabilityAnswer answer(std::vector<Refusal> refusals);

 private:
  void claimGroups();
  void claimNodes();
  void leaveOutBrokenUnits();
  void leaveOutStopped();
  void keepLargest(std::vector<ComputeCapability>& claims);
  void keepWithinMemory(std::vector<ComputeCapability>& claims);
  void claimAlone(NodeId id);
  void refuse(NodeId id, RefusalCause cause, const std::string& what, const std::string& rule, const std::string& seen,
              const std::string& remedy);

  const Profile& m_profile;
  const CapabilityRequest& m_request;
  const Graph& m_graph;
  std::vector<char> m_supported;
  CapabilityAnswer m_answer;
};

}  // namespace cutaway::declared
