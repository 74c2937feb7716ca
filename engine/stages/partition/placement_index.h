#pragma once
// From a node of a graph that is being partitioned to its entry in the report: made when the report is filled and
// before groups are fused; ids stay valid through fusing and rewriting.
//
// Thread rule: immutable; the report must outlive it. Linear to make, constant time to ask.
// Example: const PlacementIndex index(model, report);  index.refusal(&graph, id, "npu");   // "no kernel for operator
// Resize"

#include <string>
#include <unordered_map>
#include <vector>

#include "engine/graph/model.h"
#include "engine/report/partition_report.h"

namespace cutaway::partition {

class PlacementIndex {
 public:
  PlacementIndex(const Model& model, const PartitionReport& report);

  const NodePlacement* find(const Graph* graph, NodeId id) const;  // nullptr: the node came later
  // Why a provider did not take a node; empty when it did, was not asked, or the node came later.
  std::string refusal(const Graph* graph, NodeId id, const std::string& provider) const;

 private:
  const PartitionReport& m_report;
  std::unordered_map<const Graph*, std::vector<int32_t>> m_entries;  // by node index
};

}  // namespace cutaway::partition
