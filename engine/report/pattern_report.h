#pragma once
// Report of pattern: offsets over time, the peak, how close it is to the lower bound, and what it is made of.
//
// Thread rule: immutable once published. Value indexes are those of the partitioned graphs; sizes in bytes; steps
// closed intervals. Example: const GraphPattern& main = report.graphs[0];  chart(main.blocks, main.peakBytes);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/graph_report.h"

namespace cutaway {

struct PatternBlock {
  int32_t value = kNone;  // root value that owns the block; kNone: workspace of the bodies of a node
  int32_t node = kNone;   // that node
  int64_t offset = 0;
  int64_t sizeBytes = 0;  // rounded to the alignment
  int64_t neededBytes = 0;
  int32_t firstStep = 0;  // of its first interval
  int32_t lastStep = 0;   // of its last interval
  IndexList starts;       // closed intervals in which something in it is needed
  IndexList ends;
};
struct PeakPart {
  int32_t value = kNone;  // root value; kNone: workspace of the bodies of `producer`
  int64_t sizeBytes = 0;
  int32_t producer = kNone;     // node that made it
  int32_t keptAliveBy = kNone;  // node of its last use
  int32_t lastStep = 0;
  int64_t savesBytes = 0;  // by how much the lower bound would fall if this value needed no memory
};
struct StrategyResult {
  std::string name;  // "best fit by time", "largest first", ...
  int64_t peakBytes = 0;
  int64_t timeNs = 0;
  bool chosen = false;
};
struct GraphPattern {
  int32_t graph = 0;
  std::string device;
  std::vector<PatternBlock> blocks;
  int64_t peakBytes = 0;
  int64_t lowerBoundBytes = 0;  // largest sum of live (rounded) bytes at any step: no placement can be smaller
  int64_t naiveBytes = 0;       // sum of all blocks: without any sharing
  double fragmentation = 0;     // (peak - lower bound) / peak, 0 when the peak is 0
  int32_t peakStep = 0;
  std::vector<PeakPart> peak;              // live at peakStep, largest first
  std::vector<int64_t> liveBytes;          // per step
  std::vector<int32_t> unplanned;          // values whose size is not known before running
  std::vector<StrategyResult> strategies;  // tried, in order
};
struct PatternReport {
  std::vector<GraphPattern> graphs;
  std::string strategy;  // of the main graph
  bool eligible = true;
  std::string reason;                                          // why not, or what is left out
  int64_t peakBytes = 0, lowerBoundBytes = 0, naiveBytes = 0;  // main graph with its bodies' workspace, all devices
  int64_t timeNs = 0;
};

}  // namespace cutaway
