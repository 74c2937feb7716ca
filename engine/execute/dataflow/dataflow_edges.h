#pragma once
// Which steps must have ended before a step may write over what they made or read: memory edges of a dataflow plan.
//
// Thread rule: pure. Example: CUTAWAY_TRY(MemoryEdges edges, findMemoryEdges(program, pattern, dataProducers));

#include <cstdint>
#include <vector>

#include "engine/execute/dataflow/dataflow_plan.h"

namespace cutaway::execute {

struct MemoryEdge {
  uint32_t from = 0;  // a step, or a join (index >= steps)
  uint32_t to = 0;
};
struct MemoryEdges {
  std::vector<MemoryEdge> edges;
  size_t joins = 0;  // nodes beyond the steps
};

// producers: by step, the steps that make what it reads (each once). Every edge leads from an earlier step to a later
// one, ENGINE_ERROR otherwise.
Result<MemoryEdges> findMemoryEdges(const GraphProgram& program, const pattern::MemoryPatternGroup* pattern,
                                    const IndexRows& producers);

}  // namespace cutaway::execute
