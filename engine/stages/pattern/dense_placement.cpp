#include "engine/stages/pattern/dense_placement.h"

#include <algorithm>
#include <map>
#include <set>

namespace cutaway::pattern {
namespace {

// Free room below the peak, by offset and by size; neighbours are joined.
class GapIndex {
 public:
  int64_t take(int64_t sizeBytes) {
    const auto best = m_bySize.lower_bound({sizeBytes, 0});
    if (best != m_bySize.end()) {
      const auto [gap, offset] = *best;
      remove(offset, gap);
      if (gap > sizeBytes) insert(offset + sizeBytes, gap - sizeBytes);
      return offset;
    }
    // The peak rises; a gap that touches it is used as far as it goes.
    int64_t offset = m_peakBytes;
    if (!m_byOffset.empty() && m_byOffset.rbegin()->first + m_byOffset.rbegin()->second == m_peakBytes) {
      const auto [start, gap] = *m_byOffset.rbegin();
      remove(start, gap);
      offset = start;
    }
    m_peakBytes = offset + sizeBytes;
    return offset;
  }

  void giveBack(int64_t offset, int64_t sizeBytes) {
    auto next = m_byOffset.lower_bound(offset);
    if (next != m_byOffset.begin()) {
      const auto [start, gap] = *std::prev(next);
      if (start + gap == offset) {
        remove(start, gap);
        offset = start;
        sizeBytes += gap;
      }
    }
    next = m_byOffset.lower_bound(offset);
    if (next != m_byOffset.end() && next->first == offset + sizeBytes) {
      const auto [start, gap] = *next;
      remove(start, gap);
      sizeBytes += gap;
    }
    insert(offset, sizeBytes);
  }
  int64_t peakBytes() const { return m_peakBytes; }

 private:
  void insert(int64_t offset, int64_t sizeBytes) {
    m_byOffset.emplace(offset, sizeBytes);
    m_bySize.emplace(sizeBytes, offset);
  }
  void remove(int64_t offset, int64_t sizeBytes) {
    m_byOffset.erase(offset);
    m_bySize.erase({sizeBytes, offset});
  }

  std::map<int64_t, int64_t> m_byOffset;
  std::set<std::pair<int64_t, int64_t>> m_bySize;
  int64_t m_peakBytes = 0;
};

// Height of the pile at each step: largest over a range, and set over a range. A segment tree; a node's pending value
// stands for all below it.
class Skyline {
 public:
  explicit Skyline(size_t steps) {
    while (m_width < steps)
      m_width *= 2;
    m_highest.assign(m_width * 2, 0);
    m_pending.assign(m_width * 2, -1);
  }
  int64_t highest(size_t first, size_t last) { return highest(1, 0, m_width - 1, first, last); }
  void set(size_t first, size_t last, int64_t height) { set(1, 0, m_width - 1, first, last, height); }

 private:
  void pushDown(size_t node) {
    if (m_pending[node] < 0) return;
    for (const size_t child : {node * 2, node * 2 + 1})
      m_highest[child] = m_pending[child] = m_pending[node];
    m_pending[node] = -1;
  }
  int64_t highest(size_t node, size_t from, size_t to, size_t first, size_t last) {
    if (last < from || to < first) return 0;
    if (first <= from && to <= last) return m_highest[node];
    pushDown(node);
    const size_t middle = (from + to) / 2;
    return std::max(highest(node * 2, from, middle, first, last), highest(node * 2 + 1, middle + 1, to, first, last));
  }
  void set(size_t node, size_t from, size_t to, size_t first, size_t last, int64_t height) {
    if (last < from || to < first) return;
    if (first <= from && to <= last) {
      m_highest[node] = m_pending[node] = height;
      return;
    }
    pushDown(node);
    const size_t middle = (from + to) / 2;
    set(node * 2, from, middle, first, last, height);
    set(node * 2 + 1, middle + 1, to, first, last, height);
    m_highest[node] = std::max(m_highest[node * 2], m_highest[node * 2 + 1]);
  }

  size_t m_width = 1;
  std::vector<int64_t> m_highest;
  std::vector<int64_t> m_pending;
};

}  // namespace

Placement placeByTimeWithGaps(std::span<const TimedBlock> blocks) {
  Placement placement;
  placement.offsets.assign(blocks.size(), 0);
  GapIndex gaps;
  std::set<std::pair<int32_t, uint32_t>> byEnd;  // live blocks
  for (const uint32_t block : orderByTime(blocks)) {
    while (!byEnd.empty() && byEnd.begin()->first < blocks[block].first()) {
      const uint32_t ended = byEnd.begin()->second;
      gaps.giveBack(placement.offsets[ended], blocks[ended].sizeBytes);
      byEnd.erase(byEnd.begin());
    }
    placement.offsets[block] = gaps.take(blocks[block].sizeBytes);
    byEnd.emplace(blocks[block].last(), block);
  }
  placement.peakBytes = gaps.peakBytes();
  return placement;
}

Placement placeOnSkyline(std::span<const TimedBlock> blocks, const BlockOrder& order) {
  Placement placement;
  placement.offsets.assign(blocks.size(), 0);
  int32_t steps = 1;
  for (const TimedBlock& block : blocks)
    steps = std::max(steps, block.last() + 1);
  Skyline skyline(static_cast<size_t>(steps));
  for (const uint32_t block : order) {
    const size_t first = static_cast<size_t>(blocks[block].first()), last = static_cast<size_t>(blocks[block].last());
    const int64_t offset = skyline.highest(first, last);
    skyline.set(first, last, offset + blocks[block].sizeBytes);
    placement.offsets[block] = offset;
    placement.peakBytes = std::max(placement.peakBytes, offset + blocks[block].sizeBytes);
  }
  return placement;
}

}  // namespace cutaway::pattern
