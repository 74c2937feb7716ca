#pragma once
// An independent judge of partitions: onnxruntime/core/framework/graph_partitioner.cc, written from the invariants and
// not from the partitioner. It looks at reports and at the partitioned model only.
//
// Thread rule: pure.
// Example: QVERIFY2(checkPartition({partition, model, {"npu", "cpu"}}).empty(), ...);

#include <span>
#include <string>
#include <vector>

#include "engine/stages/partition/partition.h"

namespace cutaway {

struct PartitionToCheck {
  const partition::Partition& partition;
  const Model& model;                  // after partition
  std::vector<std::string> providers;  // in order of priority
  bool runnable = true;                // every node must have a provider
};

// One line each; empty when all is well: one placement and one answer of each provider per node; groups disjoint and of
// one provider; no cycle with all compiled groups as one node each; borders as the edges say; the partitioned graphs
// acyclic, with exactly the nodes that were asked about, fused or as they were; fused nodes and compiled kernels belong
// together, under unique names.
std::vector<std::string> checkPartition(const PartitionToCheck& subject);

}  // namespace cutaway
