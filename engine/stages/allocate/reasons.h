#pragma once
// Sentences for AllocPlanPerValue::reason.
//
// Thread rule: pure. Example: plan.reason = reusedReason(graph, from, to);

#include <span>
#include <string>

#include "engine/stages/allocate/allocate.h"

namespace cutaway {

std::string valueLabel(const Graph& graph, ValueId value);
std::string nodeLabel(const Graph& graph, NodeId node);

// What differs between a free buffer and what is needed: "axis 1 is 4 there and 8 here". Smaller distance is closer; 0 would be equal.
struct SizeDifference {
  int distance = 0;
  std::string text;
};
SizeDifference compareSizes(const ValueType& have, const ValueType& need);

// candidates: some of the `freeCount` free buffers.
std::string closestFreeBuffer(const Graph& graph, const AllocationPlan& plan, std::span<const ValueId> candidates, size_t freeCount, ValueId need);

}  // namespace cutaway
