// Values inside others: inputs of a join in their places in its output, outputs of a split as views of its input, and
// values written straight into the graph output that is a view of them.

#include <algorithm>

#include "tests/checker/checks.h"

namespace cutaway {
namespace {

// The parts lie one after another only where nothing is before the axis: every dimension there is 1.
bool isOuterAxis(const ValueType& type, const Node& divider) {
  if (!type.isTensor() || !type.shape || type.layout != Layout::kPlain) return false;
  const auto rank = static_cast<int64_t>(type.shape->rank());
  int64_t axis = divider.attributeOr<int64_t>("axis", 0);
  axis = axis < 0 ? axis + rank : axis;
  if (axis < 0 || axis >= rank) return false;
  return std::all_of(type.shape->dims().begin(), type.shape->dims().begin() + axis,
                     [](const Dim& dim) { return dim.value() == 1; });
}

void checkPart(const PlanFacts& facts, size_t index, Complaints& complaints) {
  const allocate::AllocPlanPerValue& planned = facts.planned(index);
  const size_t whole = planned.reusedBuffer.index();
  const auto complain = [&](const char* what) {
    complaints.add(PlanRule::kParts, "'{}' inside '{}': {}", facts.name(index), facts.name(whole), what);
  };
  const bool isJoin = planned.rule == AllocRule::kPart;
  const NodeId divider =
      isJoin ? facts.plan.graph.value(planned.reusedBuffer).producer : facts.plan.graph.value(ValueId{index}).producer;
  if (!divider.valid()) return complain("nobody joins them");
  const Node& node = facts.plan.graph.node(divider);
  const auto& slots = isJoin ? node.inputs : node.outputs;
  const auto slot = static_cast<size_t>(planned.partIndex);
  const bool fits =
      planned.partIndex >= 0 && slot < slots.size() && slots[slot].valid() && seenAs(facts, index, slots[slot].index());
  if (!fits || (!isJoin && slots[slot] != ValueId{index})) return complain("its number is not its slot");
  const bool allowed = isJoin ? hintLeads(facts, whole, AliasKind::kJoin, slots[slot])
                              : hintLeads(facts, index, AliasKind::kSplit, planned.reusedBuffer);
  if (!allowed) return complain("no hint allows it");
  const ValueType &partType = facts.type(slots[slot].index()), &wholeType = facts.type(whole);
  if (!isOuterAxis(wholeType, node) || !isOuterAxis(partType, node) || partType.element != wholeType.element)
    return complain("parts do not lie one after another");
  if (partType.element == ElementType::kString)
    return complaints.add(PlanRule::kStrings, "string value '{}' lies inside '{}'", facts.name(index),
                          facts.name(whole));
  if (isJoin && facts.planned(facts.places.root(index)).kind != AllocKind::kAllocate &&
      facts.planned(facts.places.root(index)).kind != AllocKind::kAllocateOutput) {
    complain("the buffer is not the frame's to write to");
  }
}

// By views alone, which hold as many bytes as what they look at, whatever their dimensions are called.
bool isViewOf(const PlanFacts& facts, size_t view, size_t value) {
  for (size_t at = view; at != value;) {
    const Value& each = facts.plan.graph.value(ValueId{at});
    if (!each.producer.valid()) return false;
    size_t next = at;
    for (const ValueId input : facts.plan.graph.node(each.producer).inputs) {
      if (input.valid() && hintLeads(facts, at, AliasKind::kAlias, input)) next = input.index();
    }
    if (next == at) return false;
    at = next;
  }
  return true;
}

// The output must be made from it where it lies, by views and in-place steps.
void checkIntoOutput(const PlanFacts& facts, size_t index, Complaints& complaints) {
  const size_t place = facts.places.owner(index), seen = facts.planned(index).reusedBuffer.index();
  const auto complain = [&](const char* what) {
    complaints.add(PlanRule::kParts, "'{}' written into '{}': {}", facts.name(index), facts.name(seen), what);
  };
  if (seen == index || !seenAs(facts, index, seen)) return complain("that is not made from it in place");
  if (facts.planned(place).kind != AllocKind::kAllocateOutput && facts.planned(place).rule != AllocRule::kPart)
    return complain("the place is no graph output");
  if (facts.type(index).element == ElementType::kString)
    return complaints.add(PlanRule::kStrings, "string value '{}' shares a buffer", facts.name(index));
  // One size is enough where it is known; a view holds all of what it looks at.
  if (facts.sizes.assigned(1, index) >= 0 && facts.sizes.assigned(1, place) >= 0 &&
      !facts.sizes.alwaysEqual(index, place) && !isViewOf(facts, place, index))
    complaints.add(PlanRule::kSize, "'{}' and '{}' differ in size", facts.name(index), facts.name(place));
}

}  // namespace

void checkParts(const PlanFacts& facts, Complaints& complaints) {
  for (const ValueId id : facts.plan.graph.valueIds()) {
    const allocate::AllocPlanPerValue& planned = facts.planned(id.index());
    if (planned.kind != AllocKind::kReuse || !facts.plan.graph.value(id).producer.valid()) continue;
    if (planned.rule == AllocRule::kPart || planned.rule == AllocRule::kSplitPart)
      checkPart(facts, id.index(), complaints);
    if (planned.rule == AllocRule::kIntoOutput) checkIntoOutput(facts, id.index(), complaints);
  }
}

}  // namespace cutaway
