#pragma once
// What this machine's CPU reaches with the kernels of provider cpu: operations, memory and the cost of starting a node.
//
// Measured once per process and thread count, in about 50 ms: a 384 x 384 matrix product, an addition that leaves the
// caches, and a chain of one-element additions. Thread rule: any thread; the first asks, others wait. Example: const
// MachineSpeed speed = machineSpeed(table, 2);

#include "engine/graph/model.h"
#include "engine/provider/execution_provider.h"

namespace cutaway::study {

struct MachineSpeed {
  DeviceSpeed speed;  // link and transfer are memory and nothing: copies on one machine are copies in memory
  std::string
      basis;  // "92 GFLOP/s, 11 GB/s, 0.8 µs a node, measured here on 2 threads"; or why nothing could be measured
};

// The shortest of the runs of a model (graph/text.h) on random inputs that fit into 15 ms of the processor, after one
// that warms up; -1 when it does not run. Beside other programs runs of under a millisecond find a moment to
// themselves.
double shortestRunNs(const ProviderTable& table, int threads, const std::string& modelText);
double shortestRunNs(const ProviderTable& table, int threads, Model model);

// table: cpu is in it. threads: 0 for all.
MachineSpeed machineSpeed(const ProviderTable& table, int threads);

}  // namespace cutaway::study
