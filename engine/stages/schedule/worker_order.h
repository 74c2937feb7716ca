#pragma once
// A plan for several workers: list scheduling, longest remaining chain first (T. C. Hu, "Parallel sequencing and
// assembly line problems", 1961).
//
// Workers and times are those of a simulation with the given work; a real run starts a node when it is ready and a
// worker is free. What the plan fixes is the order in which memory may be taken over. Thread rule: pure. n log n.
// Example: const WorkerOrder plan = workerOrder(graph, producers, consumers, work, times, 2);

#include "engine/stages/schedule/node_work.h"

namespace cutaway::schedule {

struct WorkerOrder {
  NodeOrder order;               // by planned start
  std::vector<int32_t> worker;   // by step
  std::vector<int32_t> endStep;  // by step: the last one that may start before it has ended
};
WorkerOrder workerOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers,
                        const NodeWork& work, const ChainTimes& times, int workers);

}  // namespace cutaway::schedule
