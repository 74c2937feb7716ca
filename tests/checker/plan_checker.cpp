#include "tests/checker/plan_checker.h"

#include <algorithm>

#include "tests/checker/checks.h"

namespace cutaway {

const char* planRuleName(PlanRule rule) {
  switch (rule) {
    case PlanRule::kOrder: return "order";
    case PlanRule::kKind: return "kind";
    case PlanRule::kContent: return "content";
    case PlanRule::kInPlace: return "in-place";
    case PlanRule::kOutputs: return "outputs";
    case PlanRule::kFeedsAndWeights: return "feeds and weights";
    case PlanRule::kStrings: return "strings";
    case PlanRule::kRelease: return "release";
    case PlanRule::kSize: return "size";
    case PlanRule::kDevice: return "device";
    case PlanRule::kCounter: return "program counter";
    case PlanRule::kSpace: return "space";
  }
  return "?";
}

NeededUntil neededUntil(const Graph& graph, const SequentialExecutionPlan& order) {
  NeededUntil result{std::vector<int32_t>(graph.valueSlots(), -1), std::vector<int32_t>(graph.valueSlots(), -1)};
  for (size_t i = 0; i < graph.valueSlots(); ++i) {
    const Value& value = graph.value(ValueId{i});
    if (!value.removed && !value.producer.valid() && (value.isInput || value.initializer || value.outerScope)) result.firstStep[i] = result.lastStep[i] = 0;
  }
  for (size_t step = 0; step < order.steps.size(); ++step) {
    const Node& node = graph.node(order.steps[step].node);
    for (ValueId value : node.outputs) {
      if (value.valid()) result.firstStep[value.index()] = result.lastStep[value.index()] = static_cast<int32_t>(step);
    }
    for (const auto* list : {&node.inputs, &node.implicitInputs}) {
      for (ValueId value : *list) {
        if (value.valid()) result.lastStep[value.index()] = std::max(result.lastStep[value.index()], static_cast<int32_t>(step));
      }
    }
  }
  const int32_t last = std::max(0, static_cast<int32_t>(order.steps.size()) - 1);
  for (ValueId value : graph.outputs()) result.lastStep[value.index()] = last;
  return result;
}

std::vector<PlanViolation> checkPlan(const PlanToCheck& plan) {
  Complaints complaints;
  if (checkOrder(plan, complaints) && checkStructure(plan, complaints)) {
    checkContents(plan, complaints);
    if (plan.pattern != nullptr) checkSpace(plan, complaints);
  }
  return complaints.take();
}

std::string describeViolations(const std::vector<PlanViolation>& violations) {
  std::string text;
  for (const PlanViolation& violation : violations) text += fmt::format("{}: {}\n", planRuleName(violation.rule), violation.text);
  return text;
}

}  // namespace cutaway
