#pragma once
// What must have ended before a step may start when several workers run the steps of one graph.
//
// Two kinds of edges. Data edges: from the step that makes a value to each step that reads it. Memory edges: where
// bytes hold one value after another, from every reader of the earlier value to the step that writes the later one (its
// producer, when nobody reads it). Memory edges that the others prove are left out. So reuse stays as it was planned,
// in any plan: all edges go forward in the planned order, hence no set of steps can wait for each other in a circle.
//
// Values that are the same bytes (views, parts of a split, what is written straight into an output) count as one
// content; a join's inputs that were made inside its output are not overwritten by it. Thread rule: pure; a plan is
// immutable and shared by all frames that use the same memory pattern. Example: CUTAWAY_TRY(DataflowPlan plan,
// planDataflow(program, pattern.get(), costs));

#include <cstdint>
#include <span>
#include <vector>

#include "engine/execute/program/graph_program.h"

namespace cutaway::execute {

// Rows of indexes: row i is targets[offsets[i] .. offsets[i + 1]).
struct IndexRows {
  std::vector<uint32_t> offsets{0};
  std::vector<uint32_t> targets;
  std::span<const uint32_t> row(size_t index) const {
    return {targets.data() + offsets[index], offsets[index + 1] - offsets[index]};
  }
};

struct DataflowPlan {
  size_t steps = 0;
  size_t nodes =
      0;  // steps first, then joins: they run nothing and stand for "all readers of a much read value have ended"
  IndexRows successors;           // by node
  std::vector<uint32_t> missing;  // by node: edges that lead to it
  std::vector<uint32_t> urgency;  // by step: 0 is taken first. Longest remaining chain first, then plan order
  std::vector<uint32_t> stepByUrgency;
  std::vector<uint32_t> first;  // steps that need not wait, most urgent first
  // Roots whose buffers are given back when nothing uses them any more, and how many steps touch each.
  std::vector<uint32_t> releasable;   // value indexes
  std::vector<uint32_t> touchCounts;  // by place in `releasable`
  IndexRows touched;                  // by step: places in `releasable`

  size_t dataEdges = 0;
  size_t memoryEdges = 0;  // those that were not proven by others
  int64_t totalCost = 0;
  int64_t criticalCost = 0;  // of the longest chain of data and memory edges
};

// pattern: where values lie, nullptr when that is decided while running. costs: by step, any unit; empty: all the same.
// ENGINE_ERROR when the plans contradict each other (a step would have to wait for a later one).
Result<DataflowPlan> planDataflow(const GraphProgram& program, const pattern::MemoryPatternGroup* pattern,
                                  std::span<const int64_t> costs);

// What a step takes on one thread, nanoseconds, guessed from operations and bytes of its node; open shapes count as a
// small step.
std::vector<int64_t> guessedCostsNs(const Graph& graph, const schedule::SequentialExecutionPlan& order);

}  // namespace cutaway::execute
