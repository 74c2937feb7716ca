#include "tests/checker/plan_checker.h"

#include <algorithm>
#include <array>

#include "tests/checker/checks.h"

namespace cutaway {

const char* planRuleName(PlanRule rule) {
  static constexpr std::array<const char*, kPlanRules> kNames = {"order",
                                                                 "workers",
                                                                 "kind",
                                                                 "content",
                                                                 "in-place",
                                                                 "outputs",
                                                                 "feeds and weights",
                                                                 "strings",
                                                                 "release",
                                                                 "size",
                                                                 "device",
                                                                 "program counter",
                                                                 "parts",
                                                                 "space",
                                                                 "bodies",
                                                                 "onnxruntime's rules",
                                                                 "edges",
                                                                 "streams"};
  return kNames[static_cast<size_t>(rule)];
}

PlanFacts::PlanFacts(const PlanToCheck& subject)
    : plan(subject),
      hints(subject.graph.nodeSlots()),
      firstStep(subject.graph.valueSlots(), -1),
      lastStep(subject.graph.valueSlots(), -1),
      sizes(subject.graph, subject.dims, subject.leastDims, subject.mostDims),
      places(subject.graph, subject.allocation) {
  const Graph& graph = subject.graph;
  for (const ValueId id : graph.valueIds()) {
    const Value& value = graph.value(id);
    if (!value.producer.valid() && (value.isInput || value.initializer || value.outerScope))
      firstStep[id.index()] = lastStep[id.index()] = 0;
  }
  for (size_t step = 0; step < subject.order.steps.size(); ++step) {
    const NodeId id = subject.order.steps[step].node;
    const Node& node = graph.node(id);
    hints[id.index()] = subject.hints(id);
    const int32_t end = subject.order.endStep(step);
    for (const ValueId value : node.outputs) {
      if (!value.valid()) continue;
      firstStep[value.index()] = static_cast<int32_t>(step);
      lastStep[value.index()] = end;
    }
    for (const auto* list : {&node.inputs, &node.implicitInputs}) {
      for (const ValueId value : *list) {
        if (value.valid()) lastStep[value.index()] = std::max(lastStep[value.index()], end);
      }
    }
  }
  const int32_t last = std::max(0, static_cast<int32_t>(subject.order.steps.size()) - 1);
  for (const ValueId value : graph.outputs())
    lastStep[value.index()] = last;
  if (subject.rules == allocate::AllocRules::kOnnxruntime) keepUnreadBuffers(last);
}

// By onnxruntime's rules a buffer that nothing reads under any name is kept until the run ends.
void PlanFacts::keepUnreadBuffers(int32_t last) {
  std::vector<bool> isRead(plan.graph.valueSlots(), false);
  for (const ValueId id : plan.graph.valueIds()) {
    if (isPlaced(id.index()) && !plan.graph.value(id).uses.empty()) isRead[places.root(id.index())] = true;
  }
  for (const ValueId id : plan.graph.valueIds()) {
    if (planned(id.index()).kind == AllocKind::kAllocate && !isRead[id.index()]) lastStep[id.index()] = last;
  }
}

bool hintLeads(const PlanFacts& facts, size_t value, AliasKind kind, ValueId input) {
  const Value& each = facts.plan.graph.value(ValueId{value});
  if (!each.producer.valid()) return false;
  const Node& node = facts.plan.graph.node(each.producer);
  const auto& hints = facts.hintsOf(each.producer).inplace;
  return std::any_of(hints.begin(), hints.end(), [&](const InplaceHint& hint) {
    if (hint.kind != kind ||
        (hint.output != InplaceHint::kEveryOutput && hint.output != static_cast<int>(each.producerSlot)))
      return false;
    for (size_t slot = 0; slot < node.inputs.size(); ++slot) {
      if (node.inputs[slot] == input &&
          (hint.input == InplaceHint::kEveryInput || hint.input == static_cast<int>(slot)))
        return true;
    }
    return false;
  });
}

bool isWritten(const PlanFacts& facts, size_t value) {
  const Value& each = facts.plan.graph.value(ValueId{value});
  const allocate::AllocPlanPerValue& planned = facts.planned(value);
  if (!each.producer.valid() || planned.kind == AllocKind::kShare || planned.kind == AllocKind::kNotSet) return false;
  const size_t place = facts.places.owner(value);
  for (const ValueId input : facts.plan.graph.node(each.producer).inputs) {
    if (!input.valid()) continue;
    if (facts.places.owner(input.index()) == place && hintLeads(facts, value, AliasKind::kAlias, input)) return false;
    const bool isSplitView = place == value && planned.rule == AllocRule::kSplitPart &&
                             planned.partIndex == static_cast<int32_t>(each.producerSlot);
    if (isSplitView && facts.places.around(place) == facts.places.owner(input.index()) &&
        hintLeads(facts, value, AliasKind::kSplit, input))
      return false;
  }
  return true;
}

bool mayOverwrite(const PlanFacts& facts, size_t written, size_t read) {
  const Node& node = facts.plan.graph.node(facts.plan.graph.value(ValueId{written}).producer);
  if (facts.places.owner(written) != facts.places.owner(read) ||
      !hintLeads(facts, written, AliasKind::kMayInplace, ValueId{read}))
    return false;
  const auto sharesPlace = [&](ValueId value) {
    return value.valid() &&
           facts.places.overlap(facts.places.owner(value.index()), facts.places.owner(written), facts.sizes);
  };
  return std::count_if(node.inputs.begin(), node.inputs.end(), sharesPlace) == 1 &&
         std::none_of(node.implicitInputs.begin(), node.implicitInputs.end(), sharesPlace);
}

bool seenAs(const PlanFacts& facts, size_t value, size_t view) {
  for (size_t at = view; at != value;) {
    const Value& each = facts.plan.graph.value(ValueId{at});
    if (!each.producer.valid()) return false;
    size_t next = at;
    for (const ValueId input : facts.plan.graph.node(each.producer).inputs) {
      if (!input.valid() || facts.places.owner(input.index()) != facts.places.owner(value)) continue;
      if (hintLeads(facts, at, AliasKind::kAlias, input) || hintLeads(facts, at, AliasKind::kMayInplace, input))
        next = input.index();
    }
    if (next == at) return false;
    at = next;
  }
  return true;
}

bool becomesPlace(const PlanFacts& facts, size_t value) {
  const size_t place = facts.places.owner(value);
  if (!facts.places.isPart(place)) return seenAs(facts, value, place);
  if (facts.planned(place).rule != AllocRule::kPart) return false;
  const auto& inputs = facts.plan.graph.node(facts.places.divider(place)).inputs;
  const auto slot = static_cast<size_t>(facts.planned(place).partIndex);
  return slot < inputs.size() && inputs[slot].valid() && seenAs(facts, value, inputs[slot].index());
}

bool isPartOfJoin(const PlanFacts& facts, size_t joined, size_t part) {
  const Node& join = facts.plan.graph.node(facts.plan.graph.value(ValueId{joined}).producer);
  for (size_t place = facts.places.owner(part); facts.places.isPart(place); place = facts.places.around(place)) {
    const allocate::AllocPlanPerValue& planned = facts.planned(place);
    if (planned.rule != AllocRule::kPart || planned.reusedBuffer != ValueId{joined}) continue;
    const auto slot = static_cast<size_t>(planned.partIndex);
    return slot < join.inputs.size() && join.inputs[slot].valid() &&
           facts.places.owner(join.inputs[slot].index()) == place;
  }
  return false;
}

std::vector<PlanViolation> checkPlan(const PlanToCheck& plan) {
  Complaints complaints;
  if (checkOrder(plan, complaints) && checkRoots(plan, complaints)) {
    const PlanFacts facts(plan);
    checkStructure(facts, complaints);
    checkLives(facts, complaints);
    checkParts(facts, complaints);
    if (plan.rules == allocate::AllocRules::kOnnxruntime) checkOnnxruntimeRules(facts, complaints);
    checkContents(facts, complaints);
    if (plan.pattern != nullptr) checkSpace(facts, complaints);
  }
  return complaints.take();
}

std::string describeViolations(const std::vector<PlanViolation>& violations) {
  std::string text;
  for (const PlanViolation& violation : violations)
    text += fmt::format("{}: {}\n", planRuleName(violation.rule), violation.text);
  return text;
}

}  // namespace cutaway
