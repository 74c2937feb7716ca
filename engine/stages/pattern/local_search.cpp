// Iterated greedy over windows of blocks.
//
// A block that ends above the lower bound is chosen, and with it the blocks nearest to it among those it conflicts
// with, theirs, and so on (the window); all others stay where they are. The window is placed again by first fit in the
// order of its offsets, which reproduces the placement or lowers it. Then, again and again, a block that ends above the
// bound moves to an earlier place in the order ("squeaky wheel": Joslin and Clements, "Squeaky wheel optimization",
// 1999); what is not worse is kept. When nothing helps for long, a few blocks change places at random. Windows that
// cannot be improved grow.
//
// Every placement is first fit in some order of the blocks (that of its offsets), so the best one can be reached.

#include "engine/stages/pattern/local_search.h"

#include <algorithm>

namespace cutaway::pattern {
namespace {

// splitmix64 (Steele, Lea, Flood 2014): small and the same everywhere.
class Random {
 public:
  size_t below(size_t bound) { return static_cast<size_t>(next() % bound); }

 private:
  uint64_t next() {
    uint64_t z = (m_state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  uint64_t m_state = 0x1905'2020ULL;
};

// Lower is better: the highest end first, then how much of all blocks reaches above the bound.
struct Score {
  int64_t highestEnd = 0;
  double excess = 0;
  bool notWorseThan(const Score& other) const {
    return highestEnd != other.highestEnd ? highestEnd < other.highestEnd : excess <= other.excess;
  }
  bool betterThan(const Score& other) const {
    return highestEnd != other.highestEnd ? highestEnd < other.highestEnd : excess < other.excess;
  }
};

class Search {
 public:
  Search(std::span<const TimedBlock> blocks, const Conflicts& conflicts, int64_t bound, int64_t effort,
         const Progress* progress, Placement& best)
      : m_blocks(blocks),
        m_conflicts(conflicts),
        m_bound(bound),
        m_effort(effort),
        m_progress(progress),
        m_best(best),
        m_placer(blocks, conflicts),
        m_inWindow(blocks.size(), 0) {}

  bool run() {
    size_t windowSize = std::min(kSmallestWindow, m_blocks.size());
    while (m_effort > 0 && m_best.peakBytes > m_bound) {
      if (cancelled()) return false;
      if (searchWindow(windowAround(highestBlock(), windowSize), m_effort / 3 + 1)) continue;
      if (windowSize == m_blocks.size()) break;
      windowSize = std::min(windowSize * 4, m_blocks.size());
    }
    return !cancelled();
  }

 private:
  static constexpr size_t kSmallestWindow = 128;
  static constexpr int kPatience = 60;  // rounds without an improvement before blocks change places at random
  // Rounds without an improvement before a window is given up.
  static int mostStale(size_t windowSize) { return 300 + 10 * static_cast<int>(windowSize); }

  bool cancelled() const { return m_progress != nullptr && m_progress->cancelled(); }
  int64_t endOf(const Placement& placement, uint32_t block) const {
    return placement.offsets[block] + m_blocks[block].sizeBytes;
  }

  uint32_t highestBlock() const {
    uint32_t highest = 0;
    for (uint32_t block = 1; block < m_blocks.size(); ++block) {
      if (endOf(m_best, block) > endOf(m_best, highest)) highest = block;
    }
    return highest;
  }

  // Breadth first over conflicts.
  std::vector<uint32_t> windowAround(uint32_t block, size_t most) {
    std::fill(m_inWindow.begin(), m_inWindow.end(), 0);
    std::vector<uint32_t> window = {block};
    m_inWindow[block] = 1;
    for (size_t i = 0; i < window.size() && window.size() < most; ++i) {
      for (const uint32_t other : m_conflicts.of(window[i])) {
        if (m_inWindow[other] != 0 || window.size() == most) continue;
        m_inWindow[other] = 1;
        window.push_back(other);
      }
    }
    std::sort(window.begin(), window.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(m_best.offsets[a], a) < std::pair(m_best.offsets[b], b);
    });
    return window;
  }

  Score scoreOf(const Placement& placement) const {
    Score score;
    for (size_t i = m_base; i < m_order.size(); ++i) {
      const int64_t end = endOf(placement, m_order[i]);
      score.highestEnd = std::max(score.highestEnd, end);
      if (end > m_bound) score.excess += static_cast<double>(end - m_bound);
    }
    return score;
  }

  void place(size_t from) {
    const int64_t before = m_placer.visits();
    m_placer.place(m_order, from, Fit::kFirst);
    m_effort -= static_cast<int64_t>(m_order.size() - from) + (m_placer.visits() - before) / 4 + 1;
  }

  // A block that reaches above the bound, by place in the order.
  size_t offender() {
    size_t chosen = m_base, seen = 0;
    for (size_t i = m_base; i < m_order.size(); ++i) {
      if (endOf(m_placer.placement(), m_order[i]) > m_bound && m_random.below(++seen) == 0) chosen = i;
    }
    return chosen;
  }

  void move(size_t from, size_t to) {
    const auto at = [&](size_t place) { return m_order.begin() + static_cast<ptrdiff_t>(place); };
    if (to < from) {
      std::rotate(at(to), at(from), at(from) + 1);
    } else {
      std::rotate(at(from), at(from) + 1, at(to) + 1);
    }
  }

  bool searchWindow(const std::vector<uint32_t>& window, int64_t effort);

  std::span<const TimedBlock> m_blocks;
  const Conflicts& m_conflicts;
  int64_t m_bound;
  int64_t m_effort;
  const Progress* m_progress;
  Placement& m_best;
  Placer m_placer;
  Random m_random;
  std::vector<uint8_t> m_inWindow;
  std::vector<uint32_t> m_order;  // what stays, then the window
  size_t m_base = 0;              // where the window begins
};

// True when the highest block of the window lies lower than before.
bool Search::searchWindow(const std::vector<uint32_t>& window, int64_t effort) {
  m_order.clear();
  for (uint32_t block = 0; block < m_blocks.size(); ++block) {
    if (m_inWindow[block] == 0) m_order.push_back(block);
  }
  m_base = m_order.size();
  m_order.insert(m_order.end(), window.begin(), window.end());
  m_placer.adopt(m_best, m_order);
  const Score before = scoreOf(m_best);
  const int64_t stopAt = m_effort - effort;
  place(m_base);
  Score current = scoreOf(m_placer.placement()), best = current;
  Placement bestPlacement = m_placer.placement();
  size_t dirtyFrom = m_order.size();  // places from here on are those of an order given up
  int stale = 0;
  while (m_effort > std::max<int64_t>(0, stopAt) && best.highestEnd > m_bound && stale < mostStale(window.size()) &&
         !cancelled()) {
    const bool shake = ++stale % kPatience == 0;
    size_t from = offender();
    if (shake) from = m_base + m_random.below(window.size());
    const size_t to = shake ? m_base + m_random.below(window.size()) : m_base + m_random.below(from - m_base + 1);
    if (from == to) continue;
    move(from, to);
    const size_t changed = std::min({from, to, dirtyFrom});
    place(changed);
    const Score score = scoreOf(m_placer.placement());
    dirtyFrom = m_order.size();
    if (shake || score.notWorseThan(current)) {
      current = score;
      if (score.betterThan(best)) {
        best = score;
        bestPlacement = m_placer.placement();
        stale = 0;
      }
    } else {
      move(to, from);
      dirtyFrom = std::min(from, to);
    }
  }
  if (!best.betterThan(before)) return false;
  m_best = std::move(bestPlacement);
  m_best.peakBytes = 0;
  for (uint32_t block = 0; block < m_blocks.size(); ++block)
    m_best.peakBytes = std::max(m_best.peakBytes, endOf(m_best, block));
  return best.highestEnd < before.highestEnd;
}

}  // namespace

bool improvePlacement(std::span<const TimedBlock> blocks, const Conflicts& conflicts, int64_t lowerBoundBytes,
                      int64_t effort, const Progress* progress, Placement& placement) {
  if (blocks.empty() || effort <= 0 || placement.peakBytes <= lowerBoundBytes) return true;
  return Search(blocks, conflicts, lowerBoundBytes, effort, progress, placement).run();
}

}  // namespace cutaway::pattern
