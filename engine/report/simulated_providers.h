#pragma once
// Providers of a walk that compute on hardware that is not here: what took how long on them is a simulator's.
//
// Thread rule: pure. Example: for (const std::string& name : simulatedProviders(walk)) ...

#include <string>
#include <vector>

#include "engine/report/partition_report.h"
#include "engine/report/walk_report.h"

namespace cutaway {

// In order of priority; those alone that have nodes.
inline std::vector<std::string> simulatedProviders(const WalkReport& walk) {
  std::vector<std::string> names;
  if (walk.partition == nullptr) return names;
  for (const ProviderSummary& provider : walk.partition->providers) {
    bool hasNodes = provider.claimedNodes > 0;
    for (const GroupReport& group : walk.partition->groups)
      hasNodes = hasNodes || group.provider == provider.name;
    if (provider.simulated && hasNodes) names.push_back(provider.name);
  }
  return names;
}

}  // namespace cutaway
