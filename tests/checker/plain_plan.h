#pragma once
// Plans made in the plainest way: every value in memory of its own. Tests change one thing in them and have the rest
// put right again, so that one rule is broken and no other.
//
// Thread rule: pure.
// Example: PlainPlan plan(graph, hints);  plan.take("D", "A", AllocRule::kFreeBuffer);  plan.settle();
// QVERIFY(plan.rulesBroken().empty());

#include <set>

#include "tests/checker/plan_checker.h"

namespace cutaway {

struct PlainPlan {
  // Steps in node order.
  PlainPlan(Graph planned, MemoryHints memoryHints);
  // As planners made it.
  PlainPlan(Graph planned, MemoryHints memoryHints, schedule::SequentialExecutionPlan steps,
            allocate::AllocationPlan places, pattern::MemoryPatternGroup offsets);

  allocate::AllocPlanPerValue& at(std::string_view name) { return allocation.values[graph.findValue(name).index()]; }
  pattern::MemoryBlock& block(std::string_view name) { return pattern.blocks[graph.findValue(name).index()]; }
  void take(std::string_view value, std::string_view from, AllocRule rule, int32_t part = -1);
  // Roots, program counters, releases and offsets (no two buffers share bytes) as they follow from orders, kinds and
  // reused buffers.
  void settle();
  void settleRoots();
  void settleLives();
  void settleOffsets();

  PlanToCheck toCheck() const;
  std::set<std::string> rulesBroken() const { return namesOf(checkPlan(toCheck())); }
  static std::set<std::string> namesOf(const std::vector<PlanViolation>& violations);

  Graph graph;
  MemoryHints hints;
  schedule::SequentialExecutionPlan order;
  allocate::AllocationPlan allocation;
  pattern::MemoryPatternGroup pattern;
  allocate::AllocRules rules = allocate::AllocRules::kCutaway;
  int workers = 1;
  std::vector<std::pair<int32_t, pattern::BodyNeed>> bodyNeeds;
};

}  // namespace cutaway
