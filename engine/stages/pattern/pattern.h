#pragma once
// Pattern: offsets for the buffers that a plan allocates, so that one block per device holds them all.
//
// Offsets come from best-fit gap search over program-counter intervals (engine-behavior 5.3).
// Thread rule: pure; deterministic. Example: CUTAWAY_TRY(MemoryPatternGroup group, planPattern(graph, allocation, order, sizes));

#include <map>
#include <string>
#include <vector>

#include "engine/report/plan_reports.h"
#include "engine/stages/allocate/allocate.h"

namespace cutaway {

inline constexpr int64_t kPatternAlignment = 256;

struct MemoryBlock {
  int64_t offset = -1;      // -1: not planned
  int64_t sizeBytes = 0;    // what the tensor needs; its room is rounded up to kPatternAlignment
};

struct MemoryPattern {
  Device device;
  int64_t peakBytes = 0;
};

struct MemoryPatternGroup {
  std::vector<MemoryPattern> patterns;   // one per device
  std::vector<MemoryBlock> blocks;       // by value index; only roots of kind kAllocate have offsets
  std::vector<int32_t> patternOfValue;   // by value index; -1
};

// sizes: bytes per value index, -1 = not known (left out of the pattern). MODEL_LOAD_CANCELED when progress says so.
Result<MemoryPatternGroup> planPattern(const Graph& graph, const SequentialExecutionPlan& order, const AllocationPlan& allocation, const std::vector<int64_t>& sizes, const Progress* progress = nullptr);
// Sizes that types alone tell.
std::vector<int64_t> staticSizes(const Graph& graph);
// One GraphPattern per device.
std::vector<GraphPattern> describePattern(const Graph& graph, const SequentialExecutionPlan& order, const AllocationPlan& allocation, const MemoryPatternGroup& group, int32_t graphIndex);

}  // namespace cutaway
