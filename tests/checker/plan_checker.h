#pragma once
// An independent judge of plans: onnxruntime/core/framework/allocation_planner.cc, written from the invariants and not
// from the planner.
//
// Thread rule: pure.
// Example: for (const PlanViolation& violation : checkPlan({graph, order, allocation, hints, &pattern})) qWarning() <<
// violation.text.c_str();

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/stages/allocate/allocate.h"
#include "engine/stages/pattern/pattern.h"
#include "engine/stages/schedule/schedule.h"

namespace cutaway {

// One name per invariant.
//   order      every node once, producers before consumers (explicit and implicit), nobody starts before what it needs
//   has ended workers    as many lanes as asked for, one node at a time on each; what one running node needs no other
//   running node may write kind       kinds, rules and chains of reused buffers make sense content    every read finds
//   what was written as this value in-place   written over an input only where a hint allows it and nobody else needs
//   the input outputs    graph outputs have memory of their own, and nothing else is ever written there
//   ...
//   parts      values inside others: joins, splits, and outputs written through a view of them
//   bodies     room for the frames of bodies
//   onnxruntime  its rules, where the plan claims to follow them
//   edges      two values in the same bytes: every access of the first is over before the second is written, proved by
//   edges alone streams    every step launched once, and what crosses streams is waited for
enum class PlanRule {
  kOrder,
  kWorkers,
  kKind,
  kContent,
  kInPlace,
  kOutputs,
  kFeedsAndWeights,
  kStrings,
  kRelease,
  kSize,
  kDevice,
  kCounter,
  kParts,
  kSpace,
  kBodies,
  kOnnxruntime,
  kEdges,
  kStreams
};
inline constexpr int kPlanRules = static_cast<int>(PlanRule::kStreams) + 1;
const char* planRuleName(PlanRule rule);

struct PlanViolation {
  PlanRule rule = PlanRule::kKind;
  std::string text;
};

struct PlanToCheck {
  const Graph& graph;
  const schedule::SequentialExecutionPlan& order;
  const allocate::AllocationPlan& allocation;
  const MemoryHints& hints;
  const pattern::MemoryPatternGroup* pattern = nullptr;  // left out: offsets are not checked
  bool isLoopBody = false;
  allocate::AllocRules rules = allocate::AllocRules::kCutaway;
  int workers = 1;
  std::map<std::string, int64_t> dims = {};                      // values of symbols that the pattern was planned for
  std::map<std::string, int64_t> leastDims = {}, mostDims = {};  // declared bounds, as the planner knew them
  std::vector<std::pair<int32_t, pattern::BodyNeed>> bodyNeeds = {};  // by step: what the bodies there need
};

std::vector<PlanViolation> checkPlan(const PlanToCheck& plan);

// One edge from the end of a step to the start of another.
struct StepEdge {
  int32_t from = 0;
  int32_t to = 0;
};
// For runs that start a node as soon as its edges allow, whatever the order: two values in the same bytes (the same
// buffer, or blocks of the pattern that overlap) must be ordered by edges alone. edges: those of the data and those
// added for memory, between steps of the order. Proof by reachability: quadratic in steps, for graphs up to some
// thousands of nodes.
std::vector<PlanViolation> checkEdges(const PlanToCheck& plan, const std::vector<StepEdge>& edges);
// The edges that the data asks for: producer to consumer, explicit and implicit.
std::vector<StepEdge> dataEdges(const Graph& graph, const schedule::SequentialExecutionPlan& order);

// Streams of a schedule: every step is launched once, on its stream, in order; a step that needs something of another
// stream stands behind a wait for a notification or barrier given after it.
std::vector<PlanViolation> checkStreams(const Graph& graph, const schedule::SequentialExecutionPlan& order,
                                        const GraphSchedule& schedule);

// Largest sum, over the steps, of the rounded sizes of the buffers of one device that hold something needed there; what
// no placement of whole buffers can be below. By the checker's own sizes.
int64_t leastPeakBytes(const PlanToCheck& plan, const Device& device);

// One line each; empty when the plan is good.
std::string describeViolations(const std::vector<PlanViolation>& violations);

}  // namespace cutaway
