#include "engine/stages/pattern/placement.h"

#include <algorithm>

namespace cutaway::pattern {

Placer::Placer(std::span<const TimedBlock> blocks, const Conflicts& conflicts)
    : m_blocks(blocks), m_conflicts(conflicts), m_rank(blocks.size(), 0), m_peakAfter(blocks.size(), 0) {
  m_placement.offsets.assign(blocks.size(), 0);
}

void Placer::adopt(const Placement& placement, std::span<const uint32_t> order) {
  m_placement = placement;
  int64_t peak = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    m_rank[order[i]] = static_cast<uint32_t>(i);
    peak = std::max(peak, placement.offsets[order[i]] + m_blocks[order[i]].sizeBytes);
    m_peakAfter[i] = peak;
  }
}

void Placer::place(std::span<const uint32_t> order, size_t from, Fit fit) {
  for (size_t i = from; i < order.size(); ++i)
    m_rank[order[i]] = static_cast<uint32_t>(i);
  m_placement.peakBytes = from == 0 ? 0 : m_peakAfter[from - 1];
  for (size_t i = from; i < order.size(); ++i) {
    const uint32_t block = order[i];
    const auto others = m_conflicts.of(block);
    m_visits += static_cast<int64_t>(others.size()) + 1;
    m_taken.clear();
    for (const uint32_t other : others) {
      if (m_rank[other] < i)
        m_taken.push_back({m_placement.offsets[other], m_placement.offsets[other] + m_blocks[other].sizeBytes});
    }
    std::sort(m_taken.begin(), m_taken.end(),
              [](const Room& a, const Room& b) { return a.offset != b.offset ? a.offset < b.offset : a.end < b.end; });
    const int64_t size = m_blocks[block].sizeBytes;
    const int64_t offset = fit == Fit::kFirst ? firstFit(size) : bestFit(size);
    m_placement.offsets[block] = offset;
    m_placement.peakBytes = std::max(m_placement.peakBytes, offset + size);
    m_peakAfter[i] = m_placement.peakBytes;
  }
}

int64_t Placer::firstFit(int64_t sizeBytes) const {
  int64_t cursor = 0;
  for (const Room& room : m_taken) {
    if (room.offset - cursor >= sizeBytes) return cursor;
    cursor = std::max(cursor, room.end);
  }
  return cursor;
}

int64_t Placer::bestFit(int64_t sizeBytes) const {
  int64_t cursor = 0, best = -1, bestGap = 0;
  const auto consider = [&](int64_t end) {
    const int64_t gap = end - cursor;
    if (gap < sizeBytes || (best >= 0 && gap >= bestGap)) return;
    best = cursor;
    bestGap = gap;
  };
  for (const Room& room : m_taken) {
    consider(room.offset);
    cursor = std::max(cursor, room.end);
  }
  consider(m_placement.peakBytes);
  return best >= 0 ? best : cursor;
}

}  // namespace cutaway::pattern
