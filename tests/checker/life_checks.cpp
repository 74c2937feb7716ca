// Program counters and releases: what a plan says about lives against what the graph and the order say.

#include <algorithm>

#include "tests/checker/checks.h"

namespace cutaway {
namespace {

void checkCounter(const PlanFacts& facts, size_t index, Complaints& complaints) {
  const allocate::ProgramCounter& counter = facts.planned(index).counter;
  const std::string& name = facts.name(index);
  if (counter.starts.empty() || counter.starts.size() != counter.ends.size()) {
    complaints.add(PlanRule::kCounter, "'{}' has {} starts and {} ends", name, counter.starts.size(),
                   counter.ends.size());
    return;
  }
  for (size_t i = 0; i < counter.starts.size(); ++i) {
    if (counter.starts[i] > counter.ends[i]) complaints.add(PlanRule::kCounter, "'{}' ends before it starts", name);
    if (i > 0 && counter.starts[i] <= counter.ends[i - 1])
      complaints.add(PlanRule::kCounter, "'{}' has intervals that overlap", name);
  }
  const int32_t first = facts.firstStep[index], last = facts.lastStep[index];
  if (counter.starts.front() != first)
    complaints.add(PlanRule::kCounter, "'{}' starts at {} instead of {}", name, counter.starts.front(), first);
  const bool mayLast = facts.planned(index).kind == AllocKind::kAllocateStatically;
  if (counter.ends.back() < last || (!mayLast && counter.ends.back() != last))
    complaints.add(PlanRule::kCounter, "'{}' ends at {} instead of {}", name, counter.ends.back(), last);
}

}  // namespace

void checkLives(const PlanFacts& facts, Complaints& complaints) {
  const PlanToCheck& plan = facts.plan;
  std::vector<int32_t> bufferNeeded(plan.graph.valueSlots(), -1), released(plan.graph.valueSlots(), 0);
  for (const ValueId id : plan.graph.valueIds()) {
    if (!facts.isPlaced(id.index())) continue;
    checkCounter(facts, id.index(), complaints);
    int32_t& needed = bufferNeeded[facts.places.root(id.index())];
    needed = std::max(needed, facts.lastStep[id.index()]);
  }
  for (size_t step = 0; step < plan.allocation.releasedAfterStep.size(); ++step) {
    for (const ValueId value : plan.allocation.releasedAfterStep[step]) {
      if (!value.valid() || value.index() >= released.size()) {
        complaints.add(PlanRule::kRelease, "step {} releases a value that does not exist", step);
        continue;
      }
      ++released[value.index()];
      if (bufferNeeded[value.index()] != static_cast<int32_t>(step))
        complaints.add(PlanRule::kRelease, "'{}' is released after step {} and needed until {}",
                       facts.name(value.index()), step, bufferNeeded[value.index()]);
    }
  }
  for (const ValueId id : plan.graph.valueIds()) {
    const AllocKind kind = facts.planned(id.index()).kind;
    const int32_t expected = kind == AllocKind::kAllocate ||
                                     (kind == AllocKind::kAllocatedExternally && plan.graph.value(id).outputCount == 0)
                                 ? 1
                                 : 0;
    if (released[id.index()] != expected)
      complaints.add(PlanRule::kRelease, "'{}' is released {} times instead of {}", facts.name(id.index()),
                     released[id.index()], expected);
  }
}

}  // namespace cutaway
