#include "engine/report/allocation_replay.h"

#include <algorithm>

namespace cutaway {
namespace {

size_t at(int32_t index) {
  return static_cast<size_t>(index);
}

void eraseNewest(std::vector<int32_t>& list, int32_t buffer) {
  const auto found = std::find(list.rbegin(), list.rend(), buffer);
  if (found != list.rend()) list.erase(std::next(found).base());
}

class Replayer {
 public:
  Replayer(const GraphReport& graph, const GraphSchedule& schedule, const GraphAllocation& allocation)
      : m_graph(graph),
        m_schedule(schedule),
        m_allocation(allocation),
        m_usesOfValue(graph.values.size(), 0),
        m_uses(graph.values.size(), 0),
        m_held(graph.values.size(), 0),
        m_placeInStep(graph.values.size(), -1),
        m_isReserved(graph.values.size(), false),
        m_endingAt(schedule.steps.size()) {}

  AllocationReplay run() {
    countUses();
    for (const ValueAllocation& value : m_allocation.values) {
      if (value.kind == AllocKind::kPreExisting || value.kind == AllocKind::kAllocateStatically)
        m_uses[at(value.value)] = m_usesOfValue[at(value.value)] + 1;
    }
    AllocationReplay replay;
    replay.graph = m_allocation.graph;
    for (size_t step = 0; step < m_schedule.steps.size(); ++step)
      replay.steps.push_back(runStep(step));
    return replay;
  }

 private:
  // What the node reads, its bodies too, then what it makes: the order in which uses end.
  template <typename Visit>
  void forEachUse(int32_t node, Visit&& visit) const {
    const NodeReport& report = m_graph.nodes[at(node)];
    for (const auto* list : {&report.inputs, &report.implicitInputs, &report.outputs}) {
      for (const int32_t value : *list) {
        if (value != kNone) visit(value);
      }
    }
  }

  const ValueAllocation& placeOf(int32_t value) const { return m_allocation.values[at(value)]; }

  void countUses() {
    for (const ScheduleStep& step : m_schedule.steps)
      forEachUse(step.node, [&](int32_t value) { ++m_usesOfValue[at(value)]; });
    for (const int32_t output : m_graph.outputs) {
      if (output != kNone) ++m_usesOfValue[at(output)];
    }
  }

  ReplayStep runStep(size_t step) {
    const ScheduleStep& scheduled = m_schedule.steps[step];
    ReplayStep replay{.step = static_cast<int32_t>(step), .node = scheduled.node};
    for (const int32_t output : m_graph.nodes[at(scheduled.node)].outputs) {
      if (output != kNone) place(output, replay);
    }
    for (BufferUses& each : replay.uses)
      each.placed = m_uses[at(each.buffer)];
    m_endingAt[at(scheduled.endStep)].push_back(scheduled.node);
    for (const int32_t node : m_endingAt[step])
      forEachUse(node, [&](int32_t value) { end(value, replay); });
    for (const BufferUses& each : replay.uses)
      m_placeInStep[at(each.buffer)] = -1;
    return replay;
  }

  BufferUses& usesOf(int32_t buffer, ReplayStep& replay) {
    int32_t& place = m_placeInStep[at(buffer)];
    if (place < 0) {
      place = static_cast<int32_t>(replay.uses.size());
      const int64_t now = m_uses[at(buffer)];
      replay.uses.push_back({buffer, now, now, now});
    }
    return replay.uses[at(place)];
  }

  void place(int32_t value, ReplayStep& replay) {
    const ValueAllocation& placed = placeOf(value);
    if (placed.rootValue == kNone) return;
    replay.placed.push_back(value);
    if (placed.rule == AllocRule::kFreeBuffer || placed.rule == AllocRule::kLargerBuffer)
      replay.taken.push_back(placed.rootValue);
    if (m_isReserved[at(value)]) {
      m_isReserved[at(value)] = false;
      --m_held[at(placed.rootValue)];
    } else {
      reserveAround(placed);
    }
    BufferUses& uses = usesOf(placed.rootValue, replay);
    uses.after = m_uses[at(placed.rootValue)] += m_usesOfValue[at(value)];
  }

  // A value made inside one that comes later keeps the buffer of that one, although nobody uses it yet.
  void reserveAround(const ValueAllocation& placed) {
    const ValueAllocation* inner = &placed;
    while (inner->rule == AllocRule::kPart || inner->rule == AllocRule::kIntoOutput) {
      const int32_t around = inner->reusedValue;
      if (m_isReserved[at(around)]) return;
      m_isReserved[at(around)] = true;
      ++m_held[at(placed.rootValue)];
      inner = &placeOf(around);
    }
  }

  void end(int32_t value, ReplayStep& replay) {
    const int32_t root = placeOf(value).rootValue;
    if (root == kNone) return;
    BufferUses& uses = usesOf(root, replay);
    uses.after = --m_uses[at(root)];
    const AllocKind kind = placeOf(root).kind;
    if (uses.after == 0 && m_held[at(root)] == 0 &&
        (kind == AllocKind::kAllocate || kind == AllocKind::kAllocatedExternally))
      replay.freed.push_back(root);
  }

  const GraphReport& m_graph;
  const GraphSchedule& m_schedule;
  const GraphAllocation& m_allocation;
  std::vector<int64_t> m_usesOfValue;            // of each value by itself
  std::vector<int64_t> m_uses;                   // by root: of all that lives in it, as it stands now
  std::vector<int32_t> m_held;                   // by root: values in it that are placed before they are made
  std::vector<int32_t> m_placeInStep;            // by root: where it stands in the uses of the step; -1: not there
  std::vector<bool> m_isReserved;                // by value: it is one of those
  std::vector<std::vector<int32_t>> m_endingAt;  // by step: nodes that have surely ended with it
};

}  // namespace

void ReplayStep::changeFreeList(const GraphAllocation& allocation, std::vector<int32_t>& free) const {
  for (const int32_t buffer : taken)
    eraseNewest(free, buffer);
  for (const int32_t buffer : freed) {
    if (allocation.values[at(buffer)].kind == AllocKind::kAllocate) free.push_back(buffer);
  }
}

AllocationReplay replayAllocation(const GraphReport& graph, const GraphSchedule& schedule,
                                  const GraphAllocation& allocation) {
  return Replayer(graph, schedule, allocation).run();
}

}  // namespace cutaway
