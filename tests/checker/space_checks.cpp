// Offsets: a sweep over the steps with the set of address ranges that hold something still needed.

#include <algorithm>
#include <map>

#include "tests/checker/checks.h"

namespace cutaway {
namespace {

struct Span {
  int32_t start;
  int32_t end;
};

// The steps at which each buffer holds something that is still needed: one span per value in it, overlapping ones joined.
std::vector<std::vector<Span>> bufferSpans(const PlanToCheck& plan) {
  const NeededUntil needed = neededUntil(plan.graph, plan.order);
  std::vector<std::vector<Span>> spans(plan.graph.valueSlots());
  for (size_t i = 0; i < plan.graph.valueSlots(); ++i) {
    const ValueId root = plan.allocation.values[i].root;
    if (root.valid() && needed.firstStep[i] >= 0) spans[root.index()].push_back({needed.firstStep[i], needed.lastStep[i]});
  }
  for (auto& list : spans) {
    std::sort(list.begin(), list.end(), [](const Span& a, const Span& b) { return a.start < b.start; });
    std::vector<Span> joined;
    for (const Span& span : list) {
      if (!joined.empty() && span.start <= joined.back().end) {
        joined.back().end = std::max(joined.back().end, span.end);
      } else {
        joined.push_back(span);
      }
    }
    list = std::move(joined);
  }
  return spans;
}

bool checkBlock(const PlanToCheck& plan, size_t root, Complaints& complaints) {
  const MemoryBlock& block = plan.pattern->blocks[root];
  const std::string& name = plan.graph.value(ValueId{root}).name;
  const int32_t pattern = plan.pattern->patternOfValue[root];
  if (plan.allocation.values[root].kind != AllocKind::kAllocate) complaints.add(PlanRule::kSpace, "'{}' has an offset and does not allocate", name);
  if (plan.graph.value(ValueId{root}).type.element == ElementType::kString) complaints.add(PlanRule::kStrings, "string value '{}' lies in the pattern", name);
  if (pattern < 0 || static_cast<size_t>(pattern) >= plan.pattern->patterns.size()) {
    complaints.add(PlanRule::kSpace, "'{}' has an offset in no pattern", name);
    return false;
  }
  const MemoryPattern& group = plan.pattern->patterns[static_cast<size_t>(pattern)];
  if (!(group.device == plan.allocation.values[root].device)) complaints.add(PlanRule::kDevice, "'{}' lies in the pattern of another device", name);
  if (block.offset % kPatternAlignment != 0 || block.sizeBytes < 0 || block.offset > group.peakBytes - block.sizeBytes) complaints.add(PlanRule::kSpace, "'{}' does not fit where it is put", name);
  return true;
}

}  // namespace

void checkSpace(const PlanToCheck& plan, Complaints& complaints) {
  struct Event {
    int32_t step;
    bool begins;
    size_t root;
  };
  const auto spans = bufferSpans(plan);
  std::vector<Event> events;
  for (size_t root = 0; root < plan.graph.valueSlots(); ++root) {
    if (plan.pattern->blocks[root].offset < 0 || !checkBlock(plan, root, complaints) || plan.pattern->blocks[root].sizeBytes == 0) continue;
    for (const Span& span : spans[root]) {
      events.push_back({span.start, true, root});
      events.push_back({span.end + 1, false, root});
    }
  }
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.step != b.step ? a.step < b.step : a.begins < b.begins; });
  std::vector<std::map<int64_t, size_t>> live(plan.pattern->patterns.size());
  const auto endOf = [&](size_t root) { return plan.pattern->blocks[root].offset + plan.pattern->blocks[root].sizeBytes; };
  const auto collision = [&](size_t a, size_t b, int32_t step) {
    complaints.add(PlanRule::kSpace, "'{}' and '{}' overlap at step {}", plan.graph.value(ValueId{a}).name, plan.graph.value(ValueId{b}).name, step);
  };
  for (const Event& event : events) {
    auto& ranges = live[static_cast<size_t>(plan.pattern->patternOfValue[event.root])];
    const int64_t offset = plan.pattern->blocks[event.root].offset;
    if (!event.begins) {
      const auto found = ranges.find(offset);
      if (found != ranges.end() && found->second == event.root) ranges.erase(found);
      continue;
    }
    const auto next = ranges.lower_bound(offset);
    if (next != ranges.end() && next->first < endOf(event.root)) collision(event.root, next->second, event.step);
    if (next != ranges.begin() && endOf(std::prev(next)->second) > offset) collision(event.root, std::prev(next)->second, event.step);
    ranges.emplace(offset, event.root);
  }
}

}  // namespace cutaway
