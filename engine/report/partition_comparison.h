#pragma once
// Two partitions of one model side by side: what a change of providers, options or pins would do.
//
// Thread rule: immutable once published.
// Example: for (const MovedNode& moved : comparison.moved) show(moved.name, moved.from, moved.to, moved.reason);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/partition_report.h"

namespace cutaway {

struct ProviderFigures {
  std::string provider;
  bool simulated = false;
  int64_t nodes = 0;
  int64_t groups = 0;
  int64_t flops = 0;
  int64_t weightBytes = 0;
  double estimatedNs = -1;  // of its nodes
};

// The figures of one side.
struct PartitionFigures {
  std::string title;                       // "now", "what if"
  std::vector<ProviderFigures> providers;  // in order of priority
  int64_t unassignedNodes = 0;
  int64_t groups = 0;
  int64_t compiledGroups = 0;
  int64_t copies = 0;
  int64_t casts = 0;
  int64_t copiedBytes = 0;  // copies of unknown size are not in it
  int64_t copiesOfUnknownSize = 0;
  int64_t plannedPeakBytes = -1;  // -1: sizes are open
  double estimatedNs = -1;  // roofline: nodes, launches and copies one after another; -1: too many shapes are open, or
                            // declared hardware has no speeds
  double estimatedCopyNs = -1;
  int64_t measuredNs = -1;  // median of real runs, when it was run
  bool simulated = false;   // some of it is hardware that is not here: measured times are not that hardware's
  std::vector<std::string> warnings;
};

struct MovedNode {
  int32_t graph = 0;
  int32_t node = 0;  // in the optimised graph
  std::string name;  // node name, or operator and number
  std::string opType;
  std::string from;  // providers; empty: nobody
  std::string to;
  std::string reason;  // why the side that had it does not have it any more, one sentence
  int64_t flops = -1;
};

struct PartitionComparison {
  PartitionFigures a;
  PartitionFigures b;
  std::vector<MovedNode> moved;  // in graph order
  std::vector<CopyReport> copiesOnlyInA;
  std::vector<CopyReport> copiesOnlyInB;
  std::vector<std::string> estimateBasis;  // where the speeds come from: "cpu: 92 GFLOP/s, 11 GB/s, measured here",
                                           // "declared(TensorRT): profile"
};

}  // namespace cutaway
