// Best-fit gap search over blocks that are sorted by offset (engine-behavior 5.3, counter variant).
//
// Blocks come in the order of their first step. A block that ended before the new one starts can never collide with anything that follows, so it leaves the search for good;
// what remains is the set of blocks alive now or again later. Example: A lives 0..3, B 1..3, D 3..4, 256 bytes each: offsets 0, 256, 512, peak 768.

#include "engine/stages/pattern/pattern.h"

#include <algorithm>

#include "engine/base/checked_math.h"
#include "engine/stages/pattern/block_life.h"

namespace cutaway {
namespace {

struct PlacedBlock {
  int64_t offset;
  int64_t sizeBytes;  // rounded
  const BlockLife* life;
};

// The placed blocks of one device that still matter, by offset.
class DeviceBlock {
 public:
  Result<int64_t> place(const BlockLife& life, int64_t roundedBytes) {
    std::erase_if(m_placed, [&](const PlacedBlock& block) { return block.life->last() < life.first(); });
    int64_t cursor = 0;
    int64_t bestOffset = -1;
    int64_t bestGap = 0;
    const auto consider = [&](int64_t end) {
      const int64_t gap = end - cursor;
      if (gap >= roundedBytes && (bestOffset < 0 || gap < bestGap)) {
        bestOffset = cursor;
        bestGap = gap;
      }
    };
    for (const PlacedBlock& block : m_placed) {
      if (!collide(block.life->counter, life.counter)) continue;
      consider(block.offset);
      cursor = std::max(cursor, block.offset + block.sizeBytes);
    }
    consider(m_peakBytes);
    if (bestOffset < 0) bestOffset = cursor;
    CUTAWAY_TRY(const int64_t end, checkedAdd(bestOffset, roundedBytes));
    m_peakBytes = std::max(m_peakBytes, end);
    const auto position = std::upper_bound(m_placed.begin(), m_placed.end(), bestOffset, [](int64_t offset, const PlacedBlock& block) { return offset < block.offset; });
    m_placed.insert(position, {bestOffset, roundedBytes, &life});
    return bestOffset;
  }
  int64_t peakBytes() const { return m_peakBytes; }

 private:
  std::vector<PlacedBlock> m_placed;
  int64_t m_peakBytes = 0;
};

}  // namespace

std::vector<int64_t> staticSizes(const Graph& graph) {
  std::vector<int64_t> sizes(graph.valueSlots(), -1);
  for (ValueId value : graph.valueIds()) sizes[value.index()] = staticByteSize(graph.value(value).type).value_or(-1);
  return sizes;
}

Result<MemoryPatternGroup> planPattern(const Graph& graph, const SequentialExecutionPlan& /*order*/, const AllocationPlan& allocation, const std::vector<int64_t>& sizes, const PatternOptions& options) {
  const Progress* progress = options.progress;
  if (allocation.values.size() != graph.valueSlots() || sizes.size() != graph.valueSlots()) {
    return fail(ErrorCode::kInvalidArgument, "the plan or the sizes belong to another graph than '{}'", graph.name());
  }
  MemoryPatternGroup group;
  group.blocks.resize(graph.valueSlots());
  group.patternOfValue.assign(graph.valueSlots(), -1);
  // A buffer must hold the largest value that is put in it.
  for (size_t i = 0; i < allocation.values.size(); ++i) {
    const ValueId root = allocation.values[i].root;
    if (!root.valid() || allocation.values[root.index()].kind != AllocKind::kAllocate || sizes[root.index()] < 0) continue;
    group.blocks[root.index()].sizeBytes = std::max(group.blocks[root.index()].sizeBytes, sizes[i]);
  }
  const std::vector<BlockLife> lives = blockLives(allocation);
  std::vector<DeviceBlock> devices;
  for (const BlockLife& life : lives) {
    if (progress != nullptr && progress->cancelled()) return fail(cancelledError());
    const size_t root = life.root.index();
    if (sizes[root] < 0) continue;
    const Device& device = allocation.values[root].device;
    const auto known = std::find_if(group.patterns.begin(), group.patterns.end(), [&](const MemoryPattern& pattern) { return pattern.device == device; });
    const size_t index = static_cast<size_t>(known - group.patterns.begin());
    if (known == group.patterns.end()) {
      group.patterns.push_back({device, 0, {}});
      devices.emplace_back();
    }
    MemoryBlock& block = group.blocks[root];
    group.patternOfValue[root] = static_cast<int32_t>(index);
    CUTAWAY_TRY(const int64_t padded, checkedAdd(block.sizeBytes, kPatternAlignment - 1));
    const int64_t rounded = padded & ~(kPatternAlignment - 1);
    if (rounded == 0) {
      block.offset = 0;
      continue;
    }
    CUTAWAY_TRY(block.offset, devices[index].place(life, rounded));
    group.patterns[index].peakBytes = devices[index].peakBytes();
  }
  return group;
}

}  // namespace cutaway
