#include "tests/checker/plain_plan.h"

#include <algorithm>

#include "tests/checker/checks.h"

namespace cutaway {

PlainPlan::PlainPlan(Graph planned, MemoryHints memoryHints)
    : graph(std::move(planned)), hints(std::move(memoryHints)) {
  order.stepOfNode.assign(graph.nodeSlots(), -1);
  order.streams = {"cpu"};
  for (const NodeId id : graph.nodeIds()) {
    order.stepOfNode[id.index()] = static_cast<int32_t>(order.steps.size());
    order.steps.push_back({id, 0});
  }
  allocation.values.resize(graph.valueSlots());
  for (const ValueId id : graph.valueIds()) {
    const Value& value = graph.value(id);
    allocate::AllocPlanPerValue& place = allocation.values[id.index()];
    if (value.producer.valid()) {
      const NodeMemoryHints node = hints(value.producer);
      place.rule = node.externalOutputs    ? AllocRule::kExternal
                   : value.outputCount > 0 ? AllocRule::kOutput
                                           : AllocRule::kNewBuffer;
      place.kind = node.externalOutputs    ? AllocKind::kAllocatedExternally
                   : value.outputCount > 0 ? AllocKind::kAllocateOutput
                                           : AllocKind::kAllocate;
      place.device = node.device;
    } else {
      place.rule = value.initializer ? AllocRule::kWeight : value.outerScope ? AllocRule::kOuter : AllocRule::kFeed;
      place.kind = value.initializer ? AllocKind::kAllocateStatically : AllocKind::kPreExisting;
    }
  }
  settle();
}

PlainPlan::PlainPlan(Graph planned, MemoryHints memoryHints, schedule::SequentialExecutionPlan steps,
                     allocate::AllocationPlan places, pattern::MemoryPatternGroup offsets)
    : graph(std::move(planned)),
      hints(std::move(memoryHints)),
      order(std::move(steps)),
      allocation(std::move(places)),
      pattern(std::move(offsets)) {}

void PlainPlan::take(std::string_view value, std::string_view from, AllocRule rule, int32_t part) {
  allocate::AllocPlanPerValue& place = at(value);
  place.kind = rule == AllocRule::kShared ? AllocKind::kShare : AllocKind::kReuse;
  place.rule = rule;
  place.reusedBuffer = graph.findValue(from);
  place.partIndex = part;
  place.inPlace = rule == AllocRule::kInPlace || rule == AllocRule::kView;
  settle();
}

void PlainPlan::settle() {
  settleRoots();
  settleLives();
  settleOffsets();
}

void PlainPlan::settleRoots() {
  for (const ValueId id : graph.valueIds()) {
    ValueId at = id;
    while (allocation.values[at.index()].reusedBuffer.valid())
      at = allocation.values[at.index()].reusedBuffer;
    allocation.values[id.index()].root = at;
  }
}

void PlainPlan::settleLives() {
  const PlanToCheck subject = toCheck();
  const PlanFacts facts(subject);
  std::vector<int32_t> until(graph.valueSlots(), -1);
  for (const ValueId id : graph.valueIds()) {
    allocation.values[id.index()].counter = {{facts.firstStep[id.index()]}, {facts.lastStep[id.index()]}};
    int32_t& root = until[allocation.values[id.index()].root.index()];
    root = std::max(root, facts.lastStep[id.index()]);
  }
  allocation.releasedAfterStep.assign(order.steps.size(), {});
  for (const ValueId id : graph.valueIds()) {
    const AllocKind kind = allocation.values[id.index()].kind;
    const bool released =
        kind == AllocKind::kAllocate || (kind == AllocKind::kAllocatedExternally && graph.value(id).outputCount == 0);
    if (released) allocation.releasedAfterStep[static_cast<size_t>(until[id.index()])].push_back(id);
  }
}

void PlainPlan::settleOffsets() {
  const PlanToCheck subject = toCheck();
  const PlanFacts facts(subject);
  pattern = {};
  pattern.blocks.resize(graph.valueSlots());
  pattern.patternOfValue.assign(graph.valueSlots(), -1);
  const auto patternFor = [&](const Device& device) {
    for (size_t i = 0; i < pattern.patterns.size(); ++i) {
      if (pattern.patterns[i].device == device) return i;
    }
    pattern.patterns.push_back({.device = device});
    return pattern.patterns.size() - 1;
  };
  const auto reserve = [&](size_t group, int64_t size) {
    const int64_t offset = pattern.patterns[group].peakBytes;
    pattern.patterns[group].peakBytes +=
        (size + pattern::kPatternAlignment - 1) / pattern::kPatternAlignment * pattern::kPatternAlignment;
    return pattern::MemoryBlock{offset, size};
  };
  for (const ValueId id : graph.valueIds()) {
    const bool pooled = allocation.values[id.index()].kind == AllocKind::kAllocate &&
                        graph.value(id).type.element != ElementType::kString && facts.sizes.planned(id.index()) >= 0;
    if (!pooled) continue;
    const size_t group = patternFor(allocation.values[id.index()].device);
    pattern.patternOfValue[id.index()] = static_cast<int32_t>(group);
    pattern.blocks[id.index()] = reserve(group, facts.sizes.planned(id.index()));
  }
  const auto sizeOf = [&](size_t value) { return facts.sizes.planned(value); };
  for (const ValueId id : graph.valueIds()) {  // parts of parts: from the outermost place inwards
    if (!facts.places.isPart(id.index())) continue;
    int64_t offset = 0;
    size_t place = id.index();
    for (; facts.places.isPart(place); place = facts.places.around(place))
      offset += facts.places.offsetInside(place, sizeOf).value_or(0);
    if (pattern.blocks[place].offset < 0) continue;
    pattern.blocks[id.index()] = {pattern.blocks[place].offset + offset, sizeOf(id.index())};
    pattern.patternOfValue[id.index()] = pattern.patternOfValue[place];
  }
  for (const auto& [step, need] : bodyNeeds) {
    const size_t group = patternFor(need.device);
    pattern.bodies.push_back({step, static_cast<int32_t>(group), reserve(group, need.sizeBytes)});
  }
}

PlanToCheck PlainPlan::toCheck() const {
  return {.graph = graph,
          .order = order,
          .allocation = allocation,
          .hints = hints,
          .pattern = &pattern,
          .rules = rules,
          .workers = workers,
          .bodyNeeds = bodyNeeds};
}

std::set<std::string> PlainPlan::namesOf(const std::vector<PlanViolation>& violations) {
  std::set<std::string> names;
  for (const PlanViolation& violation : violations)
    names.insert(planRuleName(violation.rule));
  return names;
}

}  // namespace cutaway
