#pragma once
// How long nodes take, measured or estimated, and what follows from it: critical path, slack, longest remaining chain.
//
// Estimated work is max(operations, 8 x bytes moved): a core does about 8 floating point operations in the time it
// moves a byte (roofline model). At least 1 a node. Thread rule: pure. Linear in nodes + edges. Example: const NodeWork
// work = nodeWork(graph, durationsNs);  const ChainTimes times = chainTimes(producers, consumers, order, work.cost);

#include <string>

#include "engine/stages/schedule/dependencies.h"

namespace cutaway::schedule {

struct NodeWork {
  std::vector<int64_t> cost;   // by node index; holes 0
  std::string unit = "nodes";  // "ns" (durations given), "work" (estimated), "nodes" (every node 1: more than a tenth
                               // of the nodes has open sizes)
};
NodeWork nodeWork(const Graph& graph, std::span<const int64_t> durationsNs);

struct ChainTimes {
  std::vector<int64_t> before;  // by node index: longest chain of work that must be done before the node starts
  std::vector<int64_t> from;    // longest chain that starts with the node, itself included
  int64_t longest = 0;
  int64_t slack(size_t node) const { return longest - before[node] - from[node]; }
};
// Saturates at the largest number.
ChainTimes chainTimes(const Dependencies& producers, const Dependencies& consumers, std::span<const uint32_t> order,
                      std::span<const int64_t> cost);

}  // namespace cutaway::schedule
