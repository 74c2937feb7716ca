// Offsets: a sweep over the steps with the set of address ranges that hold something still needed, the frames of bodies
// included; parts lie where the sizes before them say.

#include <algorithm>
#include <map>

#include "tests/checker/checks.h"

namespace cutaway {
namespace {

struct Span {
  int32_t start;
  int32_t end;
};

int64_t rounded(int64_t bytes) {
  return (bytes + pattern::kPatternAlignment - 1) / pattern::kPatternAlignment * pattern::kPatternAlignment;
}

// The steps at which each buffer holds something that is still needed: one span per value in it, overlapping ones
// joined.
std::vector<std::vector<Span>> bufferSpans(const PlanFacts& facts) {
  std::vector<std::vector<Span>> spans(facts.plan.graph.valueSlots());
  for (const ValueId id : facts.plan.graph.valueIds()) {
    if (facts.isPlaced(id.index()) && facts.firstStep[id.index()] >= 0)
      spans[facts.places.root(id.index())].push_back({facts.firstStep[id.index()], facts.lastStep[id.index()]});
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

// Bytes that a buffer must have: the largest value that lies in it as a whole. -1: one is not known.
std::vector<int64_t> bufferNeeds(const PlanFacts& facts) {
  std::vector<int64_t> needs(facts.plan.graph.valueSlots(), 0);
  std::vector<bool> open(needs.size(), false);
  for (const ValueId id : facts.plan.graph.valueIds()) {
    if (!facts.isPlaced(id.index())) continue;
    const size_t place = facts.places.owner(id.index());
    const int64_t size = facts.sizes.planned(id.index());
    if (place == id.index() && size < 0) open[place] = true;
    needs[place] = std::max(needs[place], size);
  }
  for (size_t i = 0; i < needs.size(); ++i)
    needs[i] = open[i] ? -1 : needs[i];
  return needs;
}

bool checkPattern(const PlanFacts& facts, size_t value, int32_t pattern, Complaints& complaints) {
  const pattern::MemoryBlock& block = facts.plan.pattern->blocks[value];
  const std::string& name = facts.name(value);
  if (pattern < 0 || static_cast<size_t>(pattern) >= facts.plan.pattern->patterns.size()) {
    complaints.add(PlanRule::kSpace, "'{}' has an offset in no pattern", name);
    return false;
  }
  const pattern::MemoryPattern& group = facts.plan.pattern->patterns[static_cast<size_t>(pattern)];
  if (!(group.device == facts.planned(value).device))
    complaints.add(PlanRule::kDevice, "'{}' lies in the pattern of another device", name);
  if (block.sizeBytes < 0 || block.offset > group.peakBytes - block.sizeBytes)
    complaints.add(PlanRule::kSpace, "'{}' does not fit where it is put", name);
  if (facts.type(value).element == ElementType::kString || !facts.type(value).isTensor())
    complaints.add(PlanRule::kStrings, "'{}' ({}) lies in the pattern", name, toText(facts.type(value)));
  return true;
}

void checkWholeBlock(const PlanFacts& facts, size_t root, int64_t needed, Complaints& complaints) {
  const pattern::MemoryBlock& block = facts.plan.pattern->blocks[root];
  const std::string& name = facts.name(root);
  if (facts.planned(root).kind != AllocKind::kAllocate)
    complaints.add(PlanRule::kSpace, "'{}' has an offset and does not allocate", name);
  if (block.offset % pattern::kPatternAlignment != 0)
    complaints.add(PlanRule::kSpace, "'{}' lies at {}, which is not aligned", name, block.offset);
  if (block.sizeBytes < needed)
    complaints.add(PlanRule::kSize, "'{}' has {} bytes for what needs {}", name, block.sizeBytes, needed);
}

void checkPartBlock(const PlanFacts& facts, size_t part, Complaints& complaints) {
  const pattern::MemoryBlock& block = facts.plan.pattern->blocks[part];
  const pattern::MemoryBlock& whole = facts.plan.pattern->blocks[facts.places.around(part)];
  const auto sizeOf = [&](size_t value) { return facts.sizes.planned(value); };
  const std::optional<int64_t> before = facts.places.offsetInside(part, sizeOf);
  const int64_t size = sizeOf(part);
  if (block.offset < 0) {
    if (whole.offset >= 0 && before && size >= 0)
      complaints.add(PlanRule::kParts, "'{}' lies inside '{}' at {} and has no block", facts.name(part),
                     facts.name(facts.places.around(part)), *before);
    return;
  }
  if (whole.offset < 0 || !before || size < 0)
    return complaints.add(PlanRule::kParts, "'{}' has a block though its place inside '{}' is not known",
                          facts.name(part), facts.name(facts.places.around(part)));
  if (block.offset != whole.offset + *before)
    complaints.add(PlanRule::kParts, "'{}' lies at {} instead of {}", facts.name(part), block.offset,
                   whole.offset + *before);
  if (block.sizeBytes != size || *before + size > whole.sizeBytes)
    complaints.add(PlanRule::kParts, "'{}' has {} bytes at {} of {}", facts.name(part), block.sizeBytes, *before,
                   whole.sizeBytes);
}

void checkBlocks(const PlanFacts& facts, Complaints& complaints) {
  const std::vector<int64_t> needs = bufferNeeds(facts);
  for (const ValueId id : facts.plan.graph.valueIds()) {
    const size_t value = id.index();
    const bool planned = facts.plan.pattern->blocks[value].offset >= 0;
    if (facts.isPlaced(value) && facts.places.isPart(value)) {
      if (planned) checkPattern(facts, value, facts.plan.pattern->patternOfValue[value], complaints);
      checkPartBlock(facts, value, complaints);
    } else if (planned) {
      checkPattern(facts, value, facts.plan.pattern->patternOfValue[value], complaints);
      checkWholeBlock(facts, value, needs[value], complaints);
    } else if (facts.planned(value).kind == AllocKind::kAllocate && needs[value] >= 0 && facts.type(value).isTensor()) {
      complaints.add(PlanRule::kSpace, "'{}' needs {} bytes and has no place", facts.name(value), needs[value]);
    }
  }
}

void checkBodies(const PlanFacts& facts, Complaints& complaints) {
  const pattern::MemoryPatternGroup& group = *facts.plan.pattern;
  for (const pattern::BodyWorkspace& body : group.bodies) {
    if (body.pattern < 0) continue;
    if (body.step < 0 || static_cast<size_t>(body.step) >= facts.plan.order.steps.size() ||
        static_cast<size_t>(body.pattern) >= group.patterns.size()) {
      complaints.add(PlanRule::kBodies, "room for bodies at step {} in pattern {}, which do not exist", body.step,
                     body.pattern);
      return;
    }
    if (!facts.plan.graph.node(facts.plan.order.steps[static_cast<size_t>(body.step)].node).hasBodies() &&
        facts.plan.bodyNeeds.empty())
      complaints.add(PlanRule::kBodies, "step {} has no bodies and room for them", body.step);
    if (body.block.offset < 0 || body.block.offset % pattern::kPatternAlignment != 0 ||
        rounded(body.block.sizeBytes) >
            group.patterns[static_cast<size_t>(body.pattern)].peakBytes - body.block.offset) {
      complaints.add(PlanRule::kBodies, "room for the bodies of step {} does not fit where it is put", body.step);
    }
  }
  for (const auto& [step, need] : facts.plan.bodyNeeds) {
    if (need.sizeBytes == 0) continue;
    const bool has = std::any_of(group.bodies.begin(), group.bodies.end(),
                                 [&, step = step, &need = need](const pattern::BodyWorkspace& body) {
                                   return body.step == step && body.pattern >= 0 &&
                                          group.patterns[static_cast<size_t>(body.pattern)].device == need.device &&
                                          body.block.sizeBytes >= need.sizeBytes;
                                 });
    if (!has)
      complaints.add(PlanRule::kBodies, "the bodies of step {} need {} bytes on {}, and have less", step,
                     need.sizeBytes, need.device.name);
  }
}

struct Range {
  int64_t offset;
  int64_t end;
  size_t value;       // of a buffer
  int32_t body = -1;  // or of the bodies of this step
};
struct Event {
  int32_t step;
  bool begins;
  size_t range;
};

struct Timeline {
  std::vector<Range> ranges;
  std::vector<Event> events;  // those of one step: ends first
};

Timeline timelineOf(const PlanFacts& facts, int32_t pattern) {
  Timeline timeline;
  const auto add = [&](const Range& range, const Span& span) {
    timeline.events.push_back({span.start, true, timeline.ranges.size()});
    timeline.events.push_back({span.end + 1, false, timeline.ranges.size()});
    timeline.ranges.push_back(range);
  };
  const auto spans = bufferSpans(facts);
  for (size_t root = 0; root < spans.size(); ++root) {
    const pattern::MemoryBlock& block = facts.plan.pattern->blocks[root];
    if (block.offset < 0 || block.sizeBytes <= 0 || facts.plan.pattern->patternOfValue[root] != pattern ||
        facts.places.isPart(root))
      continue;
    for (const Span& span : spans[root])
      add({block.offset, block.offset + block.sizeBytes, root}, span);
  }
  for (const pattern::BodyWorkspace& body : facts.plan.pattern->bodies) {
    if (body.pattern != pattern || body.block.offset < 0 || body.block.sizeBytes <= 0 || body.step < 0 ||
        static_cast<size_t>(body.step) >= facts.plan.order.steps.size())
      continue;
    add({body.block.offset, body.block.offset + body.block.sizeBytes, 0, body.step},
        {body.step, facts.plan.order.endStep(static_cast<size_t>(body.step))});
  }
  std::stable_sort(timeline.events.begin(), timeline.events.end(), [](const Event& a, const Event& b) {
    return a.step != b.step ? a.step < b.step : a.begins < b.begins;
  });
  return timeline;
}

void sweep(const PlanFacts& facts, const Timeline& timeline, Complaints& complaints) {
  std::map<int64_t, size_t> live;  // by offset
  const auto collision = [&](size_t a, size_t b, int32_t step) {
    const auto nameOf = [&](size_t range) {
      return timeline.ranges[range].body >= 0 ? fmt::format("bodies of step {}", timeline.ranges[range].body)
                                              : facts.name(timeline.ranges[range].value);
    };
    const bool body = timeline.ranges[a].body >= 0 || timeline.ranges[b].body >= 0;
    complaints.add(body ? PlanRule::kBodies : PlanRule::kSpace, "'{}' and '{}' overlap at step {}", nameOf(a),
                   nameOf(b), step);
  };
  for (const Event& event : timeline.events) {
    const Range& range = timeline.ranges[event.range];
    if (!event.begins) {
      const auto found = live.find(range.offset);
      if (found != live.end() && found->second == event.range) live.erase(found);
      continue;
    }
    const auto next = live.lower_bound(range.offset);
    if (next != live.end() && next->first < range.end) collision(event.range, next->second, event.step);
    if (next != live.begin() && timeline.ranges[std::prev(next)->second].end > range.offset)
      collision(event.range, std::prev(next)->second, event.step);
    live.emplace(range.offset, event.range);
  }
}

}  // namespace

void checkSpace(const PlanFacts& facts, Complaints& complaints) {
  const size_t values = facts.plan.graph.valueSlots();
  if (facts.plan.pattern->blocks.size() != values || facts.plan.pattern->patternOfValue.size() != values)
    return complaints.add(PlanRule::kSpace, "the pattern belongs to another graph");
  checkBlocks(facts, complaints);
  checkBodies(facts, complaints);
  for (size_t pattern = 0; pattern < facts.plan.pattern->patterns.size(); ++pattern)
    sweep(facts, timelineOf(facts, static_cast<int32_t>(pattern)), complaints);
}

int64_t leastPeakBytes(const PlanToCheck& plan, const Device& device) {
  const PlanFacts facts(plan);
  const std::vector<int64_t> needs = bufferNeeds(facts);
  const auto spans = bufferSpans(facts);
  std::vector<int64_t> changes(plan.order.steps.size() + 2, 0);
  const auto add = [&](const Span& span, int64_t bytes) {
    changes[static_cast<size_t>(span.start)] += rounded(bytes);
    changes[static_cast<size_t>(span.end) + 1] -= rounded(bytes);
  };
  for (size_t root = 0; root < spans.size(); ++root) {
    if (plan.allocation.values[root].kind != AllocKind::kAllocate || needs[root] < 0 || !facts.type(root).isTensor() ||
        !(plan.allocation.values[root].device == device))
      continue;
    for (const Span& span : spans[root])
      add(span, needs[root]);
  }
  for (const auto& [step, need] : plan.bodyNeeds) {
    if (need.device == device) add({step, plan.order.endStep(static_cast<size_t>(step))}, need.sizeBytes);
  }
  int64_t live = 0, most = 0;
  for (const int64_t change : changes)
    most = std::max(most, live += change);
  return most;
}

}  // namespace cutaway
