#include "engine/stages/pattern/block_life.h"

#include <algorithm>
#include <span>

namespace cutaway::pattern {
namespace {

struct Interval {
  int32_t start;
  int32_t end;
};

allocate::ProgramCounter merged(std::span<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
  allocate::ProgramCounter counter;
  for (const Interval& interval : intervals) {
    if (!counter.ends.empty() && interval.start <= counter.ends.back() + 1) {
      counter.ends.back() = std::max(counter.ends.back(), interval.end);
    } else {
      counter.starts.push_back(interval.start);
      counter.ends.push_back(interval.end);
    }
  }
  return counter;
}

}  // namespace

std::vector<BlockLife> blockLives(const allocate::AllocationPlan& allocation, Pauses pauses) {
  const auto isPlaced = [&](const allocate::AllocPlanPerValue& value) {
    return value.root.valid() && allocation.values[value.root.index()].kind == AllocKind::kAllocate;
  };
  // The intervals of all values of a root, one root behind the other.
  std::vector<size_t> from(allocation.values.size() + 1, 0);
  for (const allocate::AllocPlanPerValue& value : allocation.values) {
    if (isPlaced(value)) from[value.root.index() + 1] += value.counter.starts.size();
  }
  for (size_t root = 0; root + 1 < from.size(); ++root)
    from[root + 1] += from[root];
  std::vector<Interval> intervals(from.back());
  std::vector<size_t> next(from.begin(), from.end() - 1);
  for (const allocate::AllocPlanPerValue& value : allocation.values) {
    if (!isPlaced(value)) continue;
    for (size_t i = 0; i < value.counter.starts.size(); ++i)
      intervals[next[value.root.index()]++] = {value.counter.starts[i], value.counter.ends[i]};
  }
  std::vector<BlockLife> lives;
  for (size_t root = 0; root + 1 < from.size(); ++root) {
    if (from[root] < from[root + 1])
      lives.push_back({ValueId{root}, merged(std::span(intervals).subspan(from[root], from[root + 1] - from[root]))});
  }
  if (pauses == Pauses::kBridged) {
    for (BlockLife& life : lives)
      life.counter = {{life.first()}, {life.last()}};
  }
  std::stable_sort(lives.begin(), lives.end(),
                   [](const BlockLife& a, const BlockLife& b) { return a.first() < b.first(); });
  return lives;
}

bool collide(const allocate::ProgramCounter& a, const allocate::ProgramCounter& b) {
  for (size_t i = 0, j = 0; i < a.starts.size() && j < b.starts.size();) {
    if (a.starts[i] <= b.ends[j] && b.starts[j] <= a.ends[i]) return true;
    if (a.ends[i] < b.ends[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return false;
}

}  // namespace cutaway::pattern
