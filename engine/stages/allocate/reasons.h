#pragma once
// Sentences for AllocPlanPerValue::reason.
//
// Thread rule: pure. Example: plan.reason = closestFreeBuffer(graph, sizes, rules, plan, free, value).text;

#include <string>

#include "engine/stages/allocate/free_buffers.h"

namespace cutaway::allocate {

// Names as sentences hold them. Many values may tell of the same one: a long name is cut.
std::string valueLabel(const Graph& graph, ValueId value);
std::string nodeNameLabel(const Graph& graph, NodeId node);

// What differs between a buffer and what is needed: "it holds 32 bytes and 64 are needed". Smaller distance is closer;
// 0 is equal.
struct SizeDifference {
  double distance = 0;
  std::string text;
};
SizeDifference compareSizes(const Graph& graph, const SizeTable& sizes, AllocRules rules, ValueId have, ValueId need);

struct ClosestBuffer {
  ValueId value;  // invalid: none comes into question
  std::string text;
};
ClosestBuffer closestFreeBuffer(const Graph& graph, const SizeTable& sizes, AllocRules rules,
                                const AllocationPlan& plan, const FreeBuffers& free, ValueId need);

}  // namespace cutaway::allocate
