// Kinds, rules, chains of reused buffers, sizes, strings and devices of every value.

#include <algorithm>

#include "tests/checker/checks.h"

namespace cutaway {
namespace {

bool isBuffer(AllocKind kind) {
  return kind != AllocKind::kNotSet && kind != AllocKind::kReuse && kind != AllocKind::kShare;
}

bool checkRoot(const PlanToCheck& plan, size_t value, Complaints& complaints) {
  const auto& values = plan.allocation.values;
  const auto nameOf = [&](size_t each) { return plan.graph.value(ValueId{each}).name; };
  size_t at = value;
  for (size_t hops = 0; !isBuffer(values[at].kind); ++hops) {
    const ValueId next = values[at].reusedBuffer;
    if (!next.valid() || next.index() >= values.size() || values[next.index()].kind == AllocKind::kNotSet ||
        hops > values.size()) {
      complaints.add(PlanRule::kKind, "'{}': its chain of reused buffers ends nowhere", nameOf(value));
      return false;
    }
    at = next.index();
  }
  if (values[value].root == ValueId{at}) return true;
  complaints.add(PlanRule::kKind, "'{}': its root is not '{}', where its chain ends", nameOf(value), nameOf(at));
  return false;
}

AllocKind kindOfRule(AllocRule rule) {
  switch (rule) {
    case AllocRule::kNone:
      return AllocKind::kNotSet;
    case AllocRule::kFeed:
    case AllocRule::kOuter:
      return AllocKind::kPreExisting;
    case AllocRule::kWeight:
      return AllocKind::kAllocateStatically;
    case AllocRule::kExternal:
      return AllocKind::kAllocatedExternally;
    case AllocRule::kOutput:
      return AllocKind::kAllocateOutput;
    case AllocRule::kShared:
      return AllocKind::kShare;
    case AllocRule::kNewBuffer:
      return AllocKind::kAllocate;
    default:
      return AllocKind::kReuse;
  }
}

void checkGivenValue(const PlanFacts& facts, size_t index, Complaints& complaints) {
  const Value& value = facts.plan.graph.value(ValueId{index});
  const AllocKind kind = facts.planned(index).kind;
  const AllocKind expected = value.initializer                   ? AllocKind::kAllocateStatically
                             : value.isInput || value.outerScope ? AllocKind::kPreExisting
                                                                 : AllocKind::kNotSet;
  if (kind != expected)
    complaints.add(PlanRule::kKind, "'{}' is of kind {} instead of {}", value.name, static_cast<int>(kind),
                   static_cast<int>(expected));
}

void checkOutputKind(const PlanFacts& facts, size_t index, Complaints& complaints) {
  const Value& value = facts.plan.graph.value(ValueId{index});
  const allocate::AllocPlanPerValue& planned = facts.planned(index);
  const bool external = facts.hintsOf(value.producer).externalOutputs;
  if (value.outputCount > 0 && planned.kind != AllocKind::kAllocateOutput &&
      planned.kind != AllocKind::kAllocatedExternally &&
      !(planned.kind == AllocKind::kShare && facts.plan.isLoopBody)) {
    complaints.add(PlanRule::kOutputs, "graph output '{}' has no memory of its own to hand out", value.name);
  }
  if (value.outputCount == 0 && (planned.kind == AllocKind::kAllocateOutput || planned.kind == AllocKind::kShare))
    complaints.add(PlanRule::kKind, "'{}' is treated as a graph output and is none", value.name);
  if (planned.kind == AllocKind::kAllocatedExternally && !external)
    complaints.add(PlanRule::kKind, "the kernel of '{}' brings no memory of its own", value.name);
  if (external && planned.kind != AllocKind::kAllocatedExternally)
    complaints.add(PlanRule::kKind, "the kernel of '{}' brings memory of its own", value.name);
}

void checkShared(const PlanFacts& facts, size_t index, Complaints& complaints) {
  const allocate::AllocPlanPerValue& planned = facts.planned(index);
  const ValueId from = planned.reusedBuffer;
  const Value& shared = facts.plan.graph.value(from);
  if (!hintLeads(facts, index, AliasKind::kAlias, from))
    complaints.add(PlanRule::kKind, "'{}' shares '{}' and is no view of it", facts.name(index), shared.name);
  const auto inputs = facts.plan.graph.inputs();
  const bool changes = !inputs.empty() && inputs[0] == from;  // the number of the iteration
  if (changes || facts.planned(from.index()).kind != AllocKind::kPreExisting)
    complaints.add(PlanRule::kKind, "'{}' shares '{}', which does not come into the loop as it is", facts.name(index),
                   shared.name);
}

void checkSizes(const PlanFacts& facts, size_t index, Complaints& complaints) {
  const allocate::AllocPlanPerValue& planned = facts.planned(index);
  const size_t from = planned.reusedBuffer.index(), place = facts.places.owner(index);
  const auto complain = [&](size_t other) {
    complaints.add(PlanRule::kSize, "'{}' ({}) takes the place of '{}' ({})", facts.name(index),
                   toText(facts.type(index)), facts.name(other), toText(facts.type(other)));
  };
  if (facts.plan.rules == allocate::AllocRules::kOnnxruntime) return;  // a test of its own
  if (planned.rule == AllocRule::kLargerBuffer) {
    if (!facts.sizes.alwaysAtLeast(place, index)) complain(place);
  } else if (!facts.sizes.alwaysEqual(from, index)) {  // which fits where it lies: it was judged itself, or is a view
                                                       // of what was, and a view has no more bytes
    complain(from);
  }
}

void checkReuse(const PlanFacts& facts, size_t index, Complaints& complaints) {
  const allocate::AllocPlanPerValue& planned = facts.planned(index);
  const size_t root = facts.places.root(index);
  const AllocKind rootKind = facts.planned(root).kind;
  const std::string& name = facts.name(index);
  if (!(planned.device == facts.planned(root).device))
    complaints.add(PlanRule::kDevice, "'{}' and the owner of its buffer lie on different devices", name);
  const bool inside = planned.rule == AllocRule::kPart || planned.rule == AllocRule::kSplitPart ||
                      planned.rule == AllocRule::kIntoOutput;
  if (planned.rule == AllocRule::kView && !hintLeads(facts, index, AliasKind::kAlias, planned.reusedBuffer)) {
    complaints.add(PlanRule::kInPlace, "'{}' is said to be a view of '{}', and no hint says so", name,
                   facts.name(planned.reusedBuffer.index()));
  }
  if (inside || !isWritten(facts, index)) return;
  if (facts.type(index).element == ElementType::kString || facts.type(root).element == ElementType::kString)
    return complaints.add(PlanRule::kStrings, "string value '{}' shares a buffer", name);
  if (rootKind == AllocKind::kPreExisting || rootKind == AllocKind::kAllocateStatically) {
    return complaints.add(PlanRule::kFeedsAndWeights,
                          "'{}' is written into the buffer of '{}', which is not the frame's to recycle", name,
                          facts.name(root));
  }
  if (rootKind == AllocKind::kAllocateOutput && !becomesPlace(facts, index))
    return complaints.add(PlanRule::kOutputs, "'{}' is written into the memory of graph output '{}'", name,
                          facts.name(root));
  if (rootKind == AllocKind::kAllocatedExternally)
    complaints.add(PlanRule::kKind, "'{}' is written into memory of another kernel", name);
  checkSizes(facts, index, complaints);
}

// A value lies on its node's device, or on the host where the kernel says so.
void checkDevice(const PlanFacts& facts, size_t index, Complaints& complaints) {
  const Value& value = facts.plan.graph.value(ValueId{index});
  const NodeMemoryHints& hints = facts.hintsOf(value.producer);
  const bool onHost = std::find(hints.hostOutputs.begin(), hints.hostOutputs.end(),
                                static_cast<int>(value.producerSlot)) != hints.hostOutputs.end();
  const Device& device = facts.planned(index).device;
  if (!(device == hints.device) && !(onHost && device == Device{}))
    complaints.add(PlanRule::kDevice, "'{}' lies on {}, its node runs on {}", value.name, device.name,
                   hints.device.name);
}

}  // namespace

bool checkRoots(const PlanToCheck& plan, Complaints& complaints) {
  bool all = true;
  for (const ValueId id : plan.graph.valueIds()) {
    const bool isSet = plan.allocation.values[id.index()].kind != AllocKind::kNotSet;
    if (!isSet && plan.graph.value(id).producer.valid())
      complaints.add(PlanRule::kKind, "'{}' is produced and has no kind", plan.graph.value(id).name);
    all = (isSet ? checkRoot(plan, id.index(), complaints) : !plan.graph.value(id).producer.valid()) && all;
  }
  return all;
}

void checkStructure(const PlanFacts& facts, Complaints& complaints) {
  for (const ValueId id : facts.plan.graph.valueIds()) {
    const size_t index = id.index();
    const bool produced = facts.plan.graph.value(id).producer.valid();
    const allocate::AllocPlanPerValue& planned = facts.planned(index);
    if (!produced) checkGivenValue(facts, index, complaints);
    if (!facts.isPlaced(index)) continue;
    if (planned.rule != AllocRule::kNone && planned.kind != kindOfRule(planned.rule))
      complaints.add(PlanRule::kKind, "'{}' is of kind {} by rule '{}'", facts.name(index), allocKindName(planned.kind),
                     allocRuleName(planned.rule));
    if (!produced) continue;
    if (planned.kind == AllocKind::kPreExisting || planned.kind == AllocKind::kAllocateStatically)
      complaints.add(PlanRule::kKind, "'{}' has a producer but counts as given", facts.name(index));
    checkOutputKind(facts, index, complaints);
    checkDevice(facts, index, complaints);
    if (planned.kind == AllocKind::kShare) checkShared(facts, index, complaints);
    if (planned.kind == AllocKind::kReuse) checkReuse(facts, index, complaints);
  }
}

}  // namespace cutaway
