#pragma once
// An independent judge of plans: engine-behavior 4.9, written from the invariants and not from the planner.
//
// Thread rule: pure.
// Example: for (const PlanViolation& violation : checkPlan({graph, order, allocation, hints, &pattern})) qWarning() << violation.text.c_str();

#include <string>
#include <vector>

#include "engine/stages/allocate/allocate.h"
#include "engine/stages/pattern/pattern.h"
#include "engine/stages/schedule/schedule.h"

namespace cutaway {

enum class PlanRule { kOrder, kKind, kContent, kInPlace, kOutputs, kFeedsAndWeights, kStrings, kRelease, kSize, kDevice, kCounter, kSpace };
const char* planRuleName(PlanRule rule);

struct PlanViolation {
  PlanRule rule = PlanRule::kKind;
  std::string text;
};

struct PlanToCheck {
  const Graph& graph;
  const SequentialExecutionPlan& order;
  const AllocationPlan& allocation;
  const MemoryHints& hints;
  const MemoryPatternGroup* pattern = nullptr;  // left out: offsets are not checked
  bool isLoopBody = false;
};

std::vector<PlanViolation> checkPlan(const PlanToCheck& plan);
// One line each; empty when the plan is good.
std::string describeViolations(const std::vector<PlanViolation>& violations);

}  // namespace cutaway
