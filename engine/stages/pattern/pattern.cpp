// From the allocation plan to blocks with sizes and lives, one set per device; offset_plan.cpp finds their offsets.
//
// Example: A lives 0..3, B 1..3, D 3..4, 256 bytes each: offsets 0, 256, 512, peak 768.

#include "engine/stages/pattern/pattern.h"

#include <algorithm>

#include "engine/base/checked_math.h"
#include "engine/stages/pattern/block_life.h"
#include "engine/stages/pattern/offset_plan.h"
#include "engine/stages/pattern/part_blocks.h"

namespace cutaway::pattern {
namespace {

Result<int64_t> roundedUp(int64_t sizeBytes) {
  CUTAWAY_TRY(const int64_t padded, checkedAdd(sizeBytes, kPatternAlignment - 1));
  return padded & ~(kPatternAlignment - 1);
}

// The blocks of one device, and where their offsets go: a value's block or a workspace's.
struct DeviceBlocks {
  std::vector<TimedBlock> blocks;
  std::vector<MemoryBlock*> owners;
};

class PatternPlanner {
 public:
  PatternPlanner(const Graph& graph, const schedule::SequentialExecutionPlan& order,
                 const allocate::AllocationPlan& allocation, const std::vector<int64_t>& sizes,
                 const PatternOptions& options)
      : m_graph(graph), m_order(order), m_allocation(allocation), m_sizes(sizes), m_options(options) {}

  Result<MemoryPatternGroup> run() {
    m_group.rules = m_options.rules;
    m_group.blocks.resize(m_graph.valueSlots());
    m_group.patternOfValue.assign(m_graph.valueSlots(), -1);
    measureBuffers();
    CUTAWAY_CHECK(addValues());
    CUTAWAY_CHECK(addBodies());
    for (size_t pattern = 0; pattern < m_devices.size(); ++pattern)
      CUTAWAY_CHECK(placeDevice(pattern));
    placeParts(m_graph, m_allocation, m_sizes, m_group);
    return std::move(m_group);
  }

 private:
  // A buffer must hold the largest value that is put in it.
  void measureBuffers() {
    for (size_t i = 0; i < m_allocation.values.size(); ++i) {
      const ValueId root = m_allocation.values[i].root;
      if (!root.valid() || m_allocation.values[root.index()].kind != AllocKind::kAllocate || m_sizes[root.index()] < 0)
        continue;
      m_group.blocks[root.index()].sizeBytes = std::max(m_group.blocks[root.index()].sizeBytes, m_sizes[i]);
    }
  }

  size_t patternOf(const Device& device) {
    const auto known = std::find_if(m_group.patterns.begin(), m_group.patterns.end(),
                                    [&](const MemoryPattern& pattern) { return pattern.device == device; });
    const size_t index = static_cast<size_t>(known - m_group.patterns.begin());
    if (known == m_group.patterns.end()) {
      m_group.patterns.emplace_back().device = device;
      m_devices.emplace_back();
    }
    return index;
  }

  Result<void> addValues() {
    std::vector<BlockLife> lives = blockLives(m_allocation, pausesUnder(m_options.rules));
    // A kernel asks for its outputs one by one.
    if (m_options.rules != PatternRules::kCutaway)
      std::stable_sort(lives.begin(), lives.end(), [&](const BlockLife& a, const BlockLife& b) {
        return std::pair(a.first(), slotOf(a)) < std::pair(b.first(), slotOf(b));
      });
    for (BlockLife& life : lives) {
      const size_t root = life.root.index();
      if (m_sizes[root] < 0) continue;
      const size_t pattern = patternOf(m_allocation.values[root].device);
      m_group.patternOfValue[root] = static_cast<int32_t>(pattern);
      CUTAWAY_CHECK(add(pattern, m_group.blocks[root], std::move(life.counter)));
    }
    return {};
  }

  uint32_t slotOf(const BlockLife& life) const { return m_graph.value(life.root).producerSlot; }

  Result<void> addBodies() {
    auto needs = m_options.bodyNeeds;
    std::stable_sort(needs.begin(), needs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [step, need] : needs) {
      const int32_t pattern = static_cast<int32_t>(patternOf(need.device));
      size_t at = m_group.bodies.size();  // those of the same step stand last
      while (at > 0 && m_group.bodies[at - 1].step == step && m_group.bodies[at - 1].pattern != pattern)
        --at;
      const bool isKnown = at > 0 && m_group.bodies[at - 1].step == step;
      BodyWorkspace& body = isKnown ? m_group.bodies[at - 1] : m_group.bodies.emplace_back();
      body.step = step;
      body.pattern = pattern;
      body.block.sizeBytes = std::max(body.block.sizeBytes, need.sizeBytes);
    }
    std::sort(m_group.bodies.begin(), m_group.bodies.end(), [](const BodyWorkspace& a, const BodyWorkspace& b) {
      return std::pair(a.step, a.pattern) < std::pair(b.step, b.pattern);
    });
    for (BodyWorkspace& body : m_group.bodies) {
      if (body.step < 0 || static_cast<size_t>(body.step) >= m_order.steps.size() || body.block.sizeBytes < 0)
        return fail(ErrorCode::kInvalidArgument,
                    "a body's need of {} bytes at step {} belongs to another graph than '{}'", body.block.sizeBytes,
                    body.step, m_graph.name());
      CUTAWAY_CHECK(add(static_cast<size_t>(body.pattern), body.block,
                        {{body.step}, {m_order.endStep(static_cast<size_t>(body.step))}}));
    }
    return {};
  }

  // Nothing to place: offset 0.
  Result<void> add(size_t pattern, MemoryBlock& owner, allocate::ProgramCounter life) {
    CUTAWAY_TRY(const int64_t rounded, roundedUp(owner.sizeBytes));
    owner.offset = 0;
    if (rounded == 0) return {};
    m_devices[pattern].blocks.push_back({rounded, std::move(life)});
    m_devices[pattern].owners.push_back(&owner);
    return {};
  }

  Result<void> placeDevice(size_t pattern) {
    OffsetOptions wanted;
    wanted.effort = m_options.effort;
    wanted.onlyByTime = m_options.rules != PatternRules::kCutaway;
    wanted.progress = m_options.progress;
    CUTAWAY_TRY(OffsetPlan plan, planOffsets(m_devices[pattern].blocks, wanted));
    for (size_t i = 0; i < plan.placement.offsets.size(); ++i)
      m_devices[pattern].owners[i]->offset = plan.placement.offsets[i];
    m_group.patterns[pattern].peakBytes = plan.placement.peakBytes;
    m_group.patterns[pattern].lowerBoundBytes = plan.lowerBoundBytes;
    m_group.patterns[pattern].strategies = std::move(plan.strategies);
    return {};
  }

  const Graph& m_graph;
  const schedule::SequentialExecutionPlan& m_order;
  const allocate::AllocationPlan& m_allocation;
  const std::vector<int64_t>& m_sizes;
  const PatternOptions& m_options;
  MemoryPatternGroup m_group;
  std::vector<DeviceBlocks> m_devices;  // as MemoryPatternGroup::patterns
};

}  // namespace

std::vector<int64_t> staticSizes(const Graph& graph) {
  std::vector<int64_t> sizes(graph.valueSlots(), -1);
  for (ValueId value : graph.valueIds())
    sizes[value.index()] = staticByteSize(graph.value(value).type).value_or(-1);
  return sizes;
}

Result<MemoryPatternGroup> planPattern(const Graph& graph, const schedule::SequentialExecutionPlan& order,
                                       const allocate::AllocationPlan& allocation, const std::vector<int64_t>& sizes,
                                       const PatternOptions& options) {
  if (options.progress != nullptr && options.progress->cancelled()) return fail(cancelledError());
  if (allocation.values.size() != graph.valueSlots() || sizes.size() != graph.valueSlots()) {
    return fail(ErrorCode::kInvalidArgument, "the plan or the sizes belong to another graph than '{}'", graph.name());
  }
  return PatternPlanner(graph, order, allocation, sizes, options).run();
}

}  // namespace cutaway::pattern
