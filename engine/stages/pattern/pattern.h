#pragma once
// Pattern: offsets for the buffers that a plan allocates, so that one block per device holds them all.
//
// Several constructive strategies and a bounded local search (offset_plan.h); the smallest peak wins, the first on a
// tie. Thread rule: pure; deterministic. Example: CUTAWAY_TRY(MemoryPatternGroup group, planPattern(graph, allocation,
// order, sizes));

#include <map>
#include <string>
#include <vector>

#include "engine/report/plan_reports.h"
#include "engine/stages/allocate/allocate.h"
#include "engine/stages/pattern/block_life.h"

namespace cutaway::pattern {

inline constexpr int64_t kPatternAlignment = 256;

// By whose rules blocks live and are placed.
enum class PatternRules : uint8_t {
  kCutaway,      // several strategies; a buffer's room is free between two of its values; bodies have room in it
  kOnnxruntime,  // as onnxruntime traces its first run (MemPatternPlanner): best fit by time, the room of a buffer is
                 // kept from its first value to its last, bodies bring memory of their own
  kOnnxruntimeCounters,  // as its builds for training plan: the same, with program counters: the room is free between
                         // two of a buffer's values
};

struct MemoryBlock {
  int64_t offset = -1;    // -1: not planned
  int64_t sizeBytes = 0;  // what the tensor needs; its room is rounded up to kPatternAlignment
};

struct MemoryPattern {
  Device device;
  int64_t peakBytes = 0;
  std::vector<StrategyResult> strategies;  // tried, in order
  int64_t lowerBoundBytes = 0;             // largest sum of live rounded bytes
};

// Room for the frames of the bodies of one node, planned among the values of the graph around them.
struct BodyWorkspace {
  int32_t step = 0;
  int32_t pattern = -1;  // index into MemoryPatternGroup::patterns; -1: not planned
  MemoryBlock block;     // room for the largest body's pattern on this device (bodies of one node run one at a time)
};

struct MemoryPatternGroup {
  std::vector<MemoryPattern> patterns;  // one per device
  std::vector<MemoryBlock>
      blocks;  // by value index: roots of kind kAllocate, and values that lie inside one of those (kPart, kSplitPart)
  std::vector<int32_t> patternOfValue;          // by value index; -1
  std::vector<BodyWorkspace> bodies;            // by step, then device
  bool provisional = false;                     // sizes are open that a run would show: planned again then
  PatternRules rules = PatternRules::kCutaway;  // that it was made by
};

// What a body needs: asked for each node that has bodies.
struct BodyNeed {
  Device device;
  int64_t sizeBytes = 0;
};

struct PatternOptions {
  int64_t effort = 200'000;  // bound on the steps of local search; 0: the constructive strategies only. A count and not
                             // a time, so that the result is always the same
  std::vector<std::pair<int32_t, BodyNeed>> bodyNeeds;  // by step; several for one step and device: the largest counts,
                                                        // because bodies of a node run one at a time
  const Progress* progress = nullptr;
  PatternRules rules = PatternRules::kCutaway;
};

// How the rules treat steps at which nothing lives in a buffer.
constexpr Pauses pausesUnder(PatternRules rules) {
  return rules == PatternRules::kOnnxruntime ? Pauses::kBridged : Pauses::kKept;
}

// sizes: bytes per value index, -1 = not known (left out of the pattern). The best of several strategies;
// MODEL_LOAD_CANCELED when progress says so.
Result<MemoryPatternGroup> planPattern(const Graph& graph, const schedule::SequentialExecutionPlan& order,
                                       const allocate::AllocationPlan& allocation, const std::vector<int64_t>& sizes,
                                       const PatternOptions& options);
inline Result<MemoryPatternGroup> planPattern(const Graph& graph, const schedule::SequentialExecutionPlan& order,
                                              const allocate::AllocationPlan& allocation,
                                              const std::vector<int64_t>& sizes, const Progress* progress = nullptr) {
  return planPattern(graph, order, allocation, sizes,
                     PatternOptions{.effort = 200'000, .bodyNeeds = {}, .progress = progress});
}
// Sizes that types alone tell.
std::vector<int64_t> staticSizes(const Graph& graph);
// One GraphPattern per device.
std::vector<GraphPattern> describePattern(const Graph& graph, const schedule::SequentialExecutionPlan& order,
                                          const allocate::AllocationPlan& allocation, const MemoryPatternGroup& group,
                                          int32_t graphIndex);

}  // namespace cutaway::pattern
