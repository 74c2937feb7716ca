#pragma once
// Reports of schedule, allocate and pattern. Node and value indexes are those of the partitioned graphs.
//
// Thread rule: immutable once published. Steps count from 0 in execution order; sizes in bytes.
// Example: const GraphPattern& main = report.graphs[0];  chart(main.blocks, main.peakBytes);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/graph_report.h"

namespace cutaway {

struct ScheduleStep {
  int32_t node = 0;
  int32_t stream = 0;
};
struct GraphSchedule {
  int32_t graph = 0;
  std::vector<ScheduleStep> steps;
  std::vector<std::string> streams;       // name of each stream: its device
  std::vector<int32_t> criticalPath;      // node indexes, first to last, by number of nodes
  int32_t width = 1;                      // most nodes that could run at once (by level)
};
struct ScheduleReport {
  std::string order;  // "default", "fifo"
  std::vector<GraphSchedule> graphs;
  int64_t timeNs = 0;
};

// As in the reference engine.
enum class AllocKind : int8_t { kNotSet = -1, kAllocate = 0, kReuse = 1, kPreExisting = 2, kAllocateStatically = 3, kAllocateOutput = 4, kShare = 5, kAllocatedExternally = 6 };
const char* allocKindName(AllocKind kind);  // "NotSet", "Allocate", ...

struct ValueAllocation {
  int32_t value = 0;
  AllocKind kind = AllocKind::kNotSet;
  std::string device;
  int32_t reusedValue = kNone;   // the value whose buffer it takes (directly)
  int32_t rootValue = kNone;     // the value that owns the buffer in the end (itself when it allocates)
  bool inPlace = false;          // reuse by an in-place or alias hint, not from the free list
  std::vector<int32_t> starts;   // ProgramCounter: closed step intervals in which it lives
  std::vector<int32_t> ends;
  int64_t sizeBytes = -1;
  std::string sizeText;          // symbolic: "4*batch*768"
  std::string reason;            // why this kind, and for Allocate: which candidate came closest and what prevented it
};
struct GraphAllocation {
  int32_t graph = 0;
  std::vector<ValueAllocation> values;  // one per value of the graph, same index
};
struct AllocateReport {
  std::vector<GraphAllocation> graphs;
  int64_t allocated = 0, reused = 0, inPlace = 0, statically = 0, outputs = 0, preExisting = 0;  // counts over all graphs
  int64_t weightsBytes = 0;
  int64_t timeNs = 0;
};

struct PatternBlock {
  int32_t value = 0;      // root value that owns the block
  int64_t offset = 0;
  int64_t sizeBytes = 0;  // rounded to the alignment
  int64_t neededBytes = 0;
  int32_t firstStep = 0;  // closed interval
  int32_t lastStep = 0;
};
struct PeakPart {
  int32_t value = 0;
  int64_t sizeBytes = 0;
  int32_t producer = kNone;   // node that made it
  int32_t keptAliveBy = kNone;  // node of its last use
};
struct GraphPattern {
  int32_t graph = 0;
  std::string device;
  std::vector<PatternBlock> blocks;
  int64_t peakBytes = 0;
  int64_t lowerBoundBytes = 0;   // largest sum of live (rounded) bytes at any step
  int64_t naiveBytes = 0;        // sum of all blocks: without any sharing
  double fragmentation = 0;      // (peak - lower bound) / peak, 0 when the peak is 0
  int32_t peakStep = 0;
  std::vector<PeakPart> peak;    // live at peakStep, largest first
  std::vector<int64_t> liveBytes;  // per step
  std::vector<int32_t> unplanned;  // values whose size is not known before running
};
struct PatternReport {
  std::vector<GraphPattern> graphs;
  std::string strategy;          // "best-fit"
  bool eligible = true;
  std::string reason;            // why not, or what is left out
  int64_t peakBytes = 0, lowerBoundBytes = 0, naiveBytes = 0;  // main graph, all devices
  int64_t timeNs = 0;
};

}  // namespace cutaway
