#pragma once
// Report of running: outputs in short, times per node, planned against measured memory.
//
// Thread rule: immutable once published. Times in nanoseconds from the start of the run.
// Example: for (const NodeTiming& timing : report.nodes) paint(timing.node, timing.totalNs);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/graph_report.h"

namespace cutaway {

struct NodeTiming {
  int32_t graph = 0;
  int32_t node = 0;          // in the partitioned graph
  int32_t step = 0;
  int64_t startNs = 0;       // of its first call in the last profiled run
  int64_t totalNs = 0;       // mean per run, bodies' own nodes counted separately
  int64_t minNs = 0;
  int64_t maxNs = 0;
  int64_t calls = 0;         // per run (bodies run often)
  int32_t thread = 0;
  std::string variant;       // kernel variant that ran
  int64_t outputBytes = 0;
  std::vector<std::string> inputShapes;   // "float[1,3,224,224]"
  std::vector<std::string> outputShapes;
};

struct TensorSummary {
  std::string name;
  std::string type;          // "float[1,10]"
  int64_t sizeBytes = 0;
  std::string preview;       // first values
  double minimum = 0, maximum = 0, mean = 0;  // of numeric tensors
  int64_t nanCount = 0, infCount = 0;
};

struct RunReport {
  int64_t runs = 0;
  int64_t warmups = 0;
  int32_t threads = 1;
  uint64_t seed = 0;
  double medianMs = 0, minMs = 0, maxMs = 0, meanMs = 0, p90Ms = 0, p99Ms = 0;
  double firstRunMs = 0;
  std::vector<double> runMs;
  std::vector<NodeTiming> nodes;
  std::vector<TensorSummary> inputs;
  std::vector<TensorSummary> outputs;
  int64_t plannedPeakBytes = 0;
  int64_t lowerBoundBytes = 0;
  int64_t weightsBytes = 0;
  int64_t measuredPeakBytes = 0;   // highest of pattern block plus arena in use
  int64_t peakRssBytes = 0;
  bool profiled = false;
};

}  // namespace cutaway
