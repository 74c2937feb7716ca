#pragma once
// How near every node of a run came to its roof: the time that its operations or its bytes take at the least on this
// machine, as far as kernels of the cpu provider were measured to reach.
//
// Roofline: S. Williams, A. Waterman, D. Patterson, "Roofline: an insightful visual performance model for multicore
// architectures", 2009. Thread rule: immutable once made. Example:
//   if (report.problem.empty()) put("{:.0f} % of the peak", 100 * report.peakShare);

#include <cstdint>
#include <string>
#include <vector>

namespace cutaway {

// Measured, with as many threads as the run had.
struct RooflineBasis {
  struct MemorySpeed {
    int64_t bytes = 0;  // read and written over and over
    double bytesPerSecond = 0;
  };
  double flopsPerSecond = 0;           // of a matrix product of floats
  double byteOperationsPerSecond = 0;  // of one of bytes; 0: not known
  std::vector<MemorySpeed> memory;     // smallest first: caches are faster than memory
  double launchNs = 0;                 // of a node that does nearly nothing
  int threads = 0;
};

enum class RooflineLimit : uint8_t { kUnknown, kWork, kMemory };

struct NodeRoofline {
  int64_t boundNs = -1;  // of all calls of a run; -1: not known
  RooflineLimit limit = RooflineLimit::kUnknown;
  bool isFar = false;  // it takes many times its roof, and a share of the run that matters
};

struct RooflineReport {
  std::string problem;  // why there is none; empty: there is
  RooflineBasis basis;
  int64_t flops = 0;           // of floats, a run
  int64_t byteOperations = 0;  // of integers of one byte, a run
  double peakShare = 0;        // of the run's median: the time that these take at the measured peaks
  // What the median of the run was spent on. Nodes in bodies are part of the node that has them.
  int64_t runNs = 0;
  int64_t roofNs = 0;               // nodes, as far as their roof allows no less
  int64_t aboveWorkNs = 0;          // what nodes limited by their operations took beyond it
  int64_t aboveMemoryNs = 0;        // what nodes limited by their bytes took beyond it
  int64_t unratedNs = 0;            // nodes of which too little is known
  int64_t engineNs = 0;             // outside of nodes
  std::vector<NodeRoofline> nodes;  // parallel to RunReport::nodes
};

}  // namespace cutaway
