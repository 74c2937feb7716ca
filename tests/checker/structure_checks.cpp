#include <algorithm>

#include "tests/checker/checks.h"

namespace cutaway {
namespace {

const std::string& nameOf(const PlanToCheck& plan, size_t value) { return plan.graph.value(ValueId{value}).name; }

bool equalSizes(const ValueType& a, const ValueType& b) {
  if (!a.isTensor() || !b.isTensor() || !a.shape || !b.shape) return false;
  if (a.element == ElementType::kString || b.element == ElementType::kString) return false;
  if (bitsOf(a.element) != bitsOf(b.element) || a.layout != b.layout || a.shape->rank() != b.shape->rank()) return false;
  for (size_t axis = 0; axis < a.shape->rank(); ++axis) {
    if (!(*a.shape)[axis].sameAs((*b.shape)[axis])) return false;
  }
  return true;
}

bool isBuffer(AllocKind kind) { return kind != AllocKind::kNotSet && kind != AllocKind::kReuse && kind != AllocKind::kShare; }

// A view hint of the producing node that leads from `value` to its reused buffer.
bool isView(const PlanToCheck& plan, size_t value) {
  const Value& each = plan.graph.value(ValueId{value});
  if (!each.producer.valid()) return false;
  const Node& node = plan.graph.node(each.producer);
  const NodeMemoryHints hints = plan.hints(each.producer);
  return std::any_of(hints.inplace.begin(), hints.inplace.end(), [&](const InplaceHint& hint) {
    return hint.kind == AliasKind::kAlias && hint.output == static_cast<int>(each.producerSlot) && hint.input >= 0 && static_cast<size_t>(hint.input) < node.inputs.size() &&
           node.inputs[static_cast<size_t>(hint.input)] == plan.allocation.values[value].reusedBuffer;
  });
}

bool checkRoot(const PlanToCheck& plan, size_t value, Complaints& complaints) {
  const auto& values = plan.allocation.values;
  size_t at = value;
  for (size_t hops = 0; !isBuffer(values[at].kind); ++hops) {
    const ValueId next = values[at].reusedBuffer;
    if (!next.valid() || next.index() >= values.size() || values[next.index()].kind == AllocKind::kNotSet || hops > values.size()) {
      complaints.add(PlanRule::kKind, "'{}': its chain of reused buffers ends nowhere", nameOf(plan, value));
      return false;
    }
    at = next.index();
  }
  if (values[value].root != ValueId{at}) {
    complaints.add(PlanRule::kKind, "'{}': its root is not '{}', where its chain ends", nameOf(plan, value), nameOf(plan, at));
    return false;
  }
  return true;
}

void checkOuterValue(const PlanToCheck& plan, size_t index, Complaints& complaints) {
  const Value& value = plan.graph.value(ValueId{index});
  const AllocKind kind = plan.allocation.values[index].kind;
  const AllocKind expected = value.initializer ? AllocKind::kAllocateStatically : value.isInput || value.outerScope ? AllocKind::kPreExisting : AllocKind::kNotSet;
  if (kind != expected) complaints.add(PlanRule::kKind, "'{}' is of kind {} instead of {}", value.name, static_cast<int>(kind), static_cast<int>(expected));
}

void checkProducedValue(const PlanToCheck& plan, size_t index, Complaints& complaints) {
  const Value& value = plan.graph.value(ValueId{index});
  const AllocPlanPerValue& planned = plan.allocation.values[index];
  const AllocKind rootKind = plan.allocation.values[planned.root.index()].kind;
  if (planned.kind == AllocKind::kPreExisting || planned.kind == AllocKind::kAllocateStatically) complaints.add(PlanRule::kKind, "'{}' has a producer but counts as given", value.name);
  if (value.outputCount > 0 && planned.kind != AllocKind::kAllocateOutput && planned.kind != AllocKind::kAllocatedExternally && !(planned.kind == AllocKind::kShare && plan.isLoopBody)) {
    complaints.add(PlanRule::kOutputs, "graph output '{}' has no memory of its own to hand out", value.name);
  }
  if (value.outputCount == 0 && (planned.kind == AllocKind::kAllocateOutput || planned.kind == AllocKind::kShare)) complaints.add(PlanRule::kKind, "'{}' is treated as a graph output and is none", value.name);
  if (planned.kind != AllocKind::kReuse) return;
  const ValueId from = planned.reusedBuffer;
  const ValueType& fromType = plan.graph.value(from).type;
  if (!(planned.device == plan.allocation.values[planned.root.index()].device)) complaints.add(PlanRule::kDevice, "'{}' and the owner of its buffer lie on different devices", value.name);
  if (planned.inPlace && isView(plan, index)) return;
  if (value.type.element == ElementType::kString || fromType.element == ElementType::kString) complaints.add(PlanRule::kStrings, "string value '{}' shares a buffer", value.name);
  if (!equalSizes(value.type, fromType)) complaints.add(PlanRule::kSize, "'{}' ({}) takes the buffer of '{}' ({})", value.name, toText(value.type), plan.graph.value(from).name, toText(fromType));
  if (rootKind != AllocKind::kAllocate) complaints.add(PlanRule::kFeedsAndWeights, "'{}' is written into the buffer of '{}', which is not the frame's to recycle", value.name, nameOf(plan, planned.root.index()));
}

void checkCounter(const PlanToCheck& plan, size_t index, const NeededUntil& needed, Complaints& complaints) {
  const ProgramCounter& counter = plan.allocation.values[index].counter;
  const std::string& name = nameOf(plan, index);
  if (counter.starts.empty() || counter.starts.size() != counter.ends.size()) {
    complaints.add(PlanRule::kCounter, "'{}' has {} starts and {} ends", name, counter.starts.size(), counter.ends.size());
    return;
  }
  for (size_t i = 0; i < counter.starts.size(); ++i) {
    if (counter.starts[i] > counter.ends[i]) complaints.add(PlanRule::kCounter, "'{}' ends before it starts", name);
    if (i > 0 && counter.starts[i] <= counter.ends[i - 1]) complaints.add(PlanRule::kCounter, "'{}' has intervals that overlap", name);
  }
  if (counter.starts.front() != needed.firstStep[index]) complaints.add(PlanRule::kCounter, "'{}' starts at {} instead of {}", name, counter.starts.front(), needed.firstStep[index]);
  const bool isWeight = plan.allocation.values[index].kind == AllocKind::kAllocateStatically;
  if (counter.ends.back() < needed.lastStep[index] || (!isWeight && counter.ends.back() != needed.lastStep[index])) {
    complaints.add(PlanRule::kCounter, "'{}' ends at {} instead of {}", name, counter.ends.back(), needed.lastStep[index]);
  }
}

void checkReleases(const PlanToCheck& plan, const NeededUntil& needed, Complaints& complaints) {
  const auto& values = plan.allocation.values;
  std::vector<int32_t> bufferNeeded(values.size(), -1);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].root.valid()) bufferNeeded[values[i].root.index()] = std::max(bufferNeeded[values[i].root.index()], needed.lastStep[i]);
  }
  std::vector<int32_t> released(values.size(), 0);
  for (size_t step = 0; step < plan.allocation.releasedAfterStep.size(); ++step) {
    for (ValueId value : plan.allocation.releasedAfterStep[step]) {
      if (!value.valid() || value.index() >= values.size()) continue;
      ++released[value.index()];
      if (bufferNeeded[value.index()] != static_cast<int32_t>(step)) complaints.add(PlanRule::kRelease, "'{}' is released after step {} and needed until {}", nameOf(plan, value.index()), step, bufferNeeded[value.index()]);
    }
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const bool isOutput = plan.graph.value(ValueId{i}).outputCount > 0;
    const int32_t expected = values[i].kind == AllocKind::kAllocate || (values[i].kind == AllocKind::kAllocatedExternally && !isOutput) ? 1 : 0;
    if (released[i] != expected) complaints.add(PlanRule::kRelease, "'{}' is released {} times instead of {}", nameOf(plan, i), released[i], expected);
  }
}

}  // namespace

bool checkOrder(const PlanToCheck& plan, Complaints& complaints) {
  const Graph& graph = plan.graph;
  std::vector<int32_t> stepOf(graph.nodeSlots(), -1);
  for (size_t step = 0; step < plan.order.steps.size(); ++step) {
    const NodeId id = plan.order.steps[step].node;
    if (!id.valid() || id.index() >= graph.nodeSlots() || graph.node(id).removed) {
      complaints.add(PlanRule::kOrder, "step {} runs a node that does not exist", step);
      return false;
    }
    if (stepOf[id.index()] >= 0) complaints.add(PlanRule::kOrder, "node {} runs twice", id.index());
    stepOf[id.index()] = static_cast<int32_t>(step);
  }
  if (plan.order.steps.size() != graph.nodeCount()) complaints.add(PlanRule::kOrder, "{} of {} nodes run", plan.order.steps.size(), graph.nodeCount());
  if (plan.order.stepOfNode != stepOf) complaints.add(PlanRule::kOrder, "stepOfNode does not agree with the steps");
  for (NodeId id : graph.nodeIds()) {
    const Node& node = graph.node(id);
    for (const auto* list : {&node.inputs, &node.implicitInputs}) {
      for (ValueId value : *list) {
        if (!value.valid() || !graph.value(value).producer.valid()) continue;
        if (stepOf[graph.value(value).producer.index()] >= stepOf[id.index()]) complaints.add(PlanRule::kOrder, "node {} runs before '{}' is made", id.index(), graph.value(value).name);
      }
    }
  }
  if (plan.allocation.values.size() != graph.valueSlots() || plan.allocation.releasedAfterStep.size() != plan.order.steps.size()) {
    complaints.add(PlanRule::kKind, "the allocation plan belongs to another graph");
    return false;
  }
  return complaints.empty();
}

bool checkStructure(const PlanToCheck& plan, Complaints& complaints) {
  bool rootsHold = true;
  const NeededUntil needed = neededUntil(plan.graph, plan.order);
  for (size_t i = 0; i < plan.graph.valueSlots(); ++i) {
    const Value& value = plan.graph.value(ValueId{i});
    if (value.removed) continue;
    if (!value.producer.valid()) {
      checkOuterValue(plan, i, complaints);
    } else if (plan.allocation.values[i].kind == AllocKind::kNotSet) {
      complaints.add(PlanRule::kKind, "'{}' is produced and has no kind", value.name);
      rootsHold = false;
    }
    if (plan.allocation.values[i].kind == AllocKind::kNotSet) continue;
    if (!checkRoot(plan, i, complaints)) {
      rootsHold = false;
      continue;
    }
    if (value.producer.valid()) checkProducedValue(plan, i, complaints);
    checkCounter(plan, i, needed, complaints);
  }
  if (rootsHold) checkReleases(plan, needed, complaints);
  return rootsHold;
}

}  // namespace cutaway
