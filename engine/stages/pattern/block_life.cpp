#include "engine/stages/pattern/block_life.h"

#include <algorithm>

namespace cutaway {
namespace {

struct Interval {
  int32_t start;
  int32_t end;
};

ProgramCounter merged(std::vector<Interval>& intervals) {
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
  ProgramCounter counter;
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

std::vector<BlockLife> blockLives(const AllocationPlan& allocation) {
  std::vector<std::vector<Interval>> intervals(allocation.values.size());
  for (const AllocPlanPerValue& value : allocation.values) {
    if (!value.root.valid() || allocation.values[value.root.index()].kind != AllocKind::kAllocate) continue;
    for (size_t i = 0; i < value.counter.starts.size(); ++i) intervals[value.root.index()].push_back({value.counter.starts[i], value.counter.ends[i]});
  }
  std::vector<BlockLife> lives;
  for (size_t root = 0; root < intervals.size(); ++root) {
    if (!intervals[root].empty()) lives.push_back({ValueId{root}, merged(intervals[root])});
  }
  std::stable_sort(lives.begin(), lives.end(), [](const BlockLife& a, const BlockLife& b) { return a.first() < b.first(); });
  return lives;
}

bool collide(const ProgramCounter& a, const ProgramCounter& b) {
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

}  // namespace cutaway
