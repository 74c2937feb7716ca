#pragma once
// Names of fused nodes: "<prefix><provider>_<MetaDef name>_<n>", n counting over the whole model, bodies included.
// Stable between runs, and no node of the model has the same.
//
// Thread rule: one partitioning. Example: group.fusedName = names.next("npu", metaDef.name);

#include <span>
#include <string>
#include <unordered_set>

#include "engine/graph/model.h"

namespace cutaway::partition {

class FusedNames {
 public:
  // providers: names that fused nodes may have; prefix: what stands before them, so that the context nodes of several
  // models stay distinct. Linear in the nodes.
  FusedNames(const Model& model, std::span<const std::string> providers, std::string prefix);
  std::string next(const std::string& provider, const std::string& metaDefName);
  void restart() { m_next = 0; }  // everybody is asked again

 private:
  std::string m_prefix;
  std::unordered_set<std::string> m_inUse;
  int64_t m_next = 0;
};

}  // namespace cutaway::partition
